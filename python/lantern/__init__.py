"""Lantern: imperative Python models, eager on NumPy or compiled to differentiable C++."""
from lantern import init, metrics, optim, random, types  # noqa: F401
from lantern.annotations import Dataset, Tensor, static  # noqa: F401
from lantern.custom import custom_vjp  # noqa: F401
from lantern.data import ArrayDataSet, DataSet, batch, dataset, progress, shuffle, treebank, vocabulary  # noqa: F401
from lantern.exceptions import CoreError, DataError, OutOfMemory, RecompiledWarning, StackExhausted, UnconvertedWarning  # noqa: F401
from lantern.export import export, main  # noqa: F401
from lantern.files import load, load_arrays, load_checkpoint, load_vocabulary, save, save_arrays, save_checkpoint  # noqa: F401
from lantern.foreign import extern  # noqa: F401
from lantern.forward import jvp  # noqa: F401
from lantern.function import eager, function  # noqa: F401
from lantern.grad import Gradients, grad, value_and_grad  # noqa: F401
from lantern.host import py_function  # noqa: F401
from lantern.layers import BatchNorm, avg_pool, batch_norm, conv2d, dropout, layer_norm, max_pool  # noqa: F401
from lantern.module import Module, Parameter, Variable  # noqa: F401
from lantern.ops import (  # noqa: A004, F401
    abs, acos, acosh, argmax, argmin, asin, asinh, assert_, atan, atan2, atanh, bernoulli, cast, cbrt, cholesky, clip, constant, cos, cosh, det, dot,
    elu, erf, erfc, exp, expm1, full, gather, gelu, hypot, inv, item, leaky_relu, log, log10, log1p, log2, log_softmax, logsumexp, matmul, max,
    maximum, mean, min, minimum, norm, normal, ones, ones_like, outer, print, prod, range, relu, reshape, rint, seed, shape, sigmoid,
    sign, sin, sinh, slice, slogdet, softmax, softplus, solve, sqrt, square, stop_gradient, sum, tan, tanh, transpose, truncated_normal,
    uniform, where, zeros, zeros_like)
from lantern.named_axes import einsum  # noqa: F401
from lantern.rearranging import (  # noqa: F401
    arange, argsort, concat, cross_entropy, cumsum, embedding, expand_dims, eye, flip, moveaxis, one_hot, pad,
    permute, repeat, scatter, scatter_add, sort, split, squeeze, stack, swapaxes, take, tile, top_k)
from lantern.readers import read_csv, read_idx, read_npy, read_npz, read_word_vectors  # noqa: F401
from lantern.rows import vmap  # noqa: F401
from lantern.struct import struct  # noqa: F401
from lantern.training import fit  # noqa: F401
from lantern.types import bool_, default_dtype, f32, f64, i32, i64, set_default_dtype  # noqa: F401

__version__ = "0.1.0"     # CMakeLists.txt has it, too
