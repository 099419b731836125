def program_245(x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: "list[float]"):
    m1 = (lt.tile(lt.reshape((lt.leaky_relu((lt.tan(lt.tanh(t.weight))), 0.1)), (1, 3)), 3))
    v2 = lt.tanh(((lt.split(lt.concat((m1 + v), (lt.einsum("ij,jk->ik", m, m))), 2)[0])[0]))
    for i3 in range(3):
        f4 = applied(lambda a, b: lt.tanh(x), lt.tanh((lt.dot(t.weight, t.weight))), ((x if False else t.value)))
        f5, f6 = (t.value % 1.7), f4
        x = lt.tanh(f4)
    v7 = lt.tanh((lt.sigmoid((lt.log1p(lt.square(v))))))
    return x + lt.sum(m1) + lt.sum(v2) + lt.sum(v7)
