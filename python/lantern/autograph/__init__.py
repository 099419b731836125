"""Conversion for its users: `import lantern.autograph as ag`, with the names of the AutoGraph paper's listings."""
from lantern.autograph.conversion import Feature, convert, do_not_convert, to_code, to_graph  # noqa: F401
from lantern.autograph.directives import set_element_type, set_loop_options  # noqa: F401
from lantern.rearranging import stack  # noqa: F401
from lantern.staging.verbosity import set_verbosity, trace  # noqa: F401
