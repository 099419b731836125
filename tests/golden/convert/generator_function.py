def walk(tree, least):
    if tree is not None:
        for value in walk(tree.left, least):
            yield value
        if tree.value > least:
            yield tree.value
        yield from walk(tree.right, least)
