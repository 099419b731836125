"""Other ways into staging: edited converted code, lt.function within staged code, known arguments."""
from staged_source import PRELUDE, module_of, staged
from lantern import core, types
from lantern.staging import entry


def test_an_edited_copy_of_converted_code_stages(converter):
    source = PRELUDE + """
def helper(x):
    if x > 0:
        return x * 2
    return x

@lt.export
def f(x: float):
    for i in range(3):
        x = helper(x) + i
    return x
"""
    text = core.convert(source, "whole.py")["code"]
    assert "import lantern.operators as ag__" in text
    edited = text.replace(")(3)", ")(2)")
    assert edited != text
    module = module_of(edited)
    program, entries = entry.stage_entries([module.f])
    assert entry.program_text(program, entries).count("(helper ") == 3    # the define, and two calls
    assert module.f(1.0) == 5.0


def test_a_compiled_function_within_staged_code_is_staged_along(stage):
    f = stage("""
    @lt.function
    def double(x):
        if x > 0:
            return x * 2
        return x

    @ag.convert()
    def triple(x):
        return x * 3

    def f(x: float):
        return double(x) + triple(x)
    """)
    assert "(define double" in f.text and "(define triple" in f.text and f(2.0) == 10.0


def test_known_arguments_and_types_of_arrays(converter):
    module = module_of("""
    def f(x, names, w):
        for name in names:
            x = lt.tanh(w @ x)
        return x
    """)
    program = staged(module.f, x=types.TensorType("f64", (3,)), names=types.Known(["a", "b"]), w=types.TensorType("f64", (3, 3)))
    assert program.text.count("(tanh ") == 2 and "-> (tensor f64 3)" in program.text


def test_a_result_of_any_form_is_one_value(converter):
    module = module_of("""
    def f(x):
        return (x, (1, "a")), True
    """)
    assert "-> (tuple (tuple f64 (tuple i64 string)) bool)" in staged(module.f, x=types.f64).text


def test_a_function_without_a_result(converter):
    module = module_of("""
    def f(x):
        print(x)
    """)
    assert "-> (tuple)" in staged(module.f, x=types.f64).text
