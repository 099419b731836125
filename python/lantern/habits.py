"""What other libraries have, NumPy, PyTorch, TensorFlow or JAX, and what is written here: the hints of errors about names that are not known."""
from __future__ import annotations

from lantern import types

_GRADIENTS = "lt.value_and_grad(f) gives a function's value and its gradient"
_NOWHERE_ELSE = "leave it out: gradients are taken where lt.value_and_grad is called, and nowhere else"
_PROCESSOR = "leave it out: programs run on the processor"
_ARRAYS = "np.array makes arrays, and lt.Parameter what is trained"
_TYPES = 'an array is annotated by its shape: x: lt.Tensor["n"], lt.Tensor["n", 2], or lt.Tensor[lt.f64, "n"]'
_MODULES = "layers are classes of your own, lt.Module with an lt.Parameter for each array; functions are in lt itself, such as lt.relu"

OF_ARRAYS = {
    "numpy": "it is an array already: leave '.numpy()' out",
    "detach": "no derivative goes through lt.stop_gradient(x)",
    "backward": _GRADIENTS, "grad": _GRADIENTS,
    "view": "write x.reshape(…)",
    "unsqueeze": "write lt.expand_dims(x, axis)",
    "numel": "write x.size",
    "clone": "arrays are values: write x itself",
    "cuda": _PROCESSOR, "cpu": _PROCESSOR, "to": "write x.astype(…) for another dtype; programs run on the processor",
    "sort": "write x = np.sort(x)", "partition": "write x = np.sort(x)", "fill": "write x[...] = value", "put": "write x[indices] = values",
    "float": "write x.astype(…)", "double": "write x.astype(…)", "long": "write x.astype(…)",
}

# Functions that change an array that they are given.
OF_NUMPY = {
    "fill_diagonal": "write x[i, i] = value, where i = np.arange(n)", "copyto": "write x[...] = y", "put": "write x[indices] = values",
    "at": "write x = lt.scatter_add(x, indices, values) for np.add.at, or a loop over the indices",
    "unravel_index": "write row, column = divmod(index, x.shape[1])", "apply_along_axis": "write np.stack([f(row) for row in x])",
    "vectorize": "write np.array([f(element) for element in x])", "lstsq": "write np.linalg.solve(a.T @ a, a.T @ b)",
    "ndenumerate": "write for i, row in enumerate(x): for j, value in enumerate(row): …", "nditer": "write for row in x: for value in row: …",
    "item": "give the element's index: x[0]",
    "ndindex": "write for i in range(n): for j in range(m): …",
    "place": "write x[mask] = values", "putmask": "write x[mask] = values", "put_along_axis": "write x[np.arange(n), indices] = values",
}

OF_THE_PACKAGE = {
    "no_grad": _NOWHERE_ELSE, "enable_grad": _NOWHERE_ELSE, "GradientTape": _GRADIENTS, "vjp": _GRADIENTS,
    "detach": "no derivative goes through lt.stop_gradient(x)",
    "tensor": _ARRAYS, "as_tensor": _ARRAYS, "from_numpy": _ARRAYS, "array": _ARRAYS, "asarray": _ARRAYS,
    **dict.fromkeys(("Vector", "Matrix", "Array", "ndarray", "vector", "matrix"), _TYPES),
    "nn": _MODULES, "Linear": _MODULES, "Sequential": _MODULES,
    "cat": "write lt.concat", "concatenate": "write lt.concat", "unsqueeze": "write lt.expand_dims",
    "mse_loss": "write lt.mean(lt.square(x - y))", "nll_loss": "write lt.cross_entropy", "rand": "write lt.uniform",
    "randn": "write lt.normal", "manual_seed": "write lt.seed", "jit": "write lt.function", "compile": "write lt.function",
}

OF_OPTIMIZERS = {
    "zero_grad": "leave it out: gradients are a value, and each call of lt.value_and_grad gives new ones",
    **dict.fromkeys(("apply", "apply_gradients", "update", "minimize"), "write optimizer.step(gradients), of what lt.value_and_grad gives"),
}

KEYWORDS = {"lr": "learning_rate", "argnums": "wrt, the arguments' names", "dim": "axis", "keepdim": "keepdims", "eps": "epsilon", "betas": "beta1 and beta2"}


def of_array(name):
    """What is written for an attribute that arrays have elsewhere; None if nothing is known."""
    import lantern as lt
    is_function = callable(getattr(lt, name, None)) and (hasattr(lt.ops, name) or hasattr(lt.rearranging, name))
    return OF_ARRAYS.get(name) or (f"write lt.{name}(x)" if is_function else None)


def of_object(owner, name):
    """What is written for `owner.name`, where the owner is the package, or an object of one of its classes."""
    import lantern as lt
    if owner is lt:
        within = [each for each in ("optim", "init", "metrics", "random") if hasattr(getattr(lt, each), name)]
        return f"write lt.{within[0]}.{name}" if within else OF_THE_PACKAGE.get(name)
    return OF_OPTIMIZERS.get(name) if isinstance(owner, lt.optim.Optimizer) else None


def of_keyword(function, name):
    """What is written for a keyword that no parameter of a function of ours has, or of a class of optimisers; None of the user's."""
    import lantern as lt
    if not hasattr(lt, function) and not hasattr(lt.optim, function):
        return None
    return KEYWORDS.get(name) and f"what is '{name}' elsewhere is {KEYWORDS[name]} here"


def remedy(name, given):
    """What to do where an operation does not take operands of these types; None if that is not known."""
    if name == "+" and types.string in given:
        return "make text of the other: str(x), or an f-string, f'{x}'"
    if name == "index":
        return "int(x) makes a whole number of it" if given[-1:] == [types.f64] else None
    return "lt.stack(…) makes an array of a list" if any(isinstance(type_, types.List) for type_ in given) else None
