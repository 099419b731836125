def program_4481(x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: "list[float]"):
    if ((n % 3) in (0, 2)):
        m3 = lt.vmap(lambda a2: (lt.cos((v @ m))))((lt.cumsum(m, 1)))
        v1 = (lt.split(lt.concat((lt.logsumexp(m3, axis=1)), lt.ones(3)), 2)[1])
    else:
        v1 = lt.tanh((lt.ones_like(t.weight) * (m[1][0])))
    for v4 in m:
        v = (lt.sin((lt.elu(t.weight, 0.7))))
    v1 *= (lt.take(lt.ones(3), (lt.top_k(v, 3)[1])))
    return (m[0][1]) + t.value + lt.sum(t.weight) + lt.sum(v1)
