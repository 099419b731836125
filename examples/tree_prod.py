"""The product of a tree's values, times `base` for each empty subtree: the listing of the AutoGraph paper (section 8).

    lantern compile examples/tree_prod.py --emit sexpr
"""
import lantern.autograph as ag


@ag.convert()
def tree_prod(base, tree):
  if not tree.is_empty:
    l = tree_prod(base, tree.left)
    r = tree_prod(base, tree.right)
    return l * r * tree.value
  else:
    return base
