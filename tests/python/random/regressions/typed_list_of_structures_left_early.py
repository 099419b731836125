def program_2(x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: "list[float]"):
    trees = []
    for i in range(6):
        if i == 1:
            continue
        tree = Tree(x * i, v * x, None, t)
        trees.append(tree)
        if lt.sum(tree.weight) * i > 10.0 or len(trees) > n + 2:
            break
    s = 0.0
    for tree in trees:
        if tree.value > 3 * x:
            continue
        s = s + tree.value * lt.sum(tree.weight)
        if s > 50.0:
            break
    return s
