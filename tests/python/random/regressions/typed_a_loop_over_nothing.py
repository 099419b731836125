def program_9226(x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: "list[float]"):
    # The adjoint of a sum is ones, and all that is made of it went over nothing that says how many.
    v1 = t.value - t.weight + lt.einsum("ij,j->i", m, v)
    return x + lt.sum(v1)
