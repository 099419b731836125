"""Functions as the converter writes them, written by hand."""
import lantern.operators as ag__


@ag__.converted
def tree_prod(base, tree):
    retval_ = ag__.UndefinedReturnValue()

    def get_state():
        return (retval_,)

    def set_state(state):
        nonlocal retval_
        (retval_,) = state

    def if_body():
        nonlocal retval_
        l = ag__.bind('l', ag__.callee(tree_prod, (6, 9))(base, ag__.getattr_(tree, 'left', (6, 25))), (6, 5))
        r = ag__.bind('r', ag__.callee(tree_prod, (7, 9))(base, ag__.getattr_(tree, 'right', (7, 25))), (7, 5))
        retval_ = ag__.binary('*', ag__.binary('*', l, r, (8, 12)), ag__.getattr_(tree, 'value', (8, 20)), (8, 12))

    def else_body():
        nonlocal retval_
        retval_ = base

    ag__.if_stmt(ag__.not_(ag__.getattr_(tree, 'is_empty', (5, 10)), (5, 6)), if_body, else_body, get_state, set_state,
                 ('retval_',), 1, (5, 3))()
    return retval_
