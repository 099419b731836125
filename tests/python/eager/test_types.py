"""Types: their text, annotations, values, structures."""
import gc
import pickle
import sys
import typing
import weakref

import numpy as np
import pytest

import lantern as lt
from lantern import types
from lantern.annotations import evaluate_annotation, from_annotation
from lantern.records import Record


@lt.struct
class Node:
    value: float
    weight: lt.Tensor[3]
    next: "Node | None"


@pytest.mark.parametrize("text", ["f64", "string", "(tensor f32)", "(tensor i64 3 n ?)", "(optional Tree)",
                                  "(tuple (list f64) (dataset Tree))", "(tuple)"])
def test_text_and_back(text):
    assert str(types.parse(text)) == text


@pytest.mark.parametrize("text", ["(tensor", "(tensor f32 3", ")", "(tensor f16)", "(optional)", "f32 f32", "(tensor f32 3.5)"])
def test_malformed_text(text):
    with pytest.raises(ValueError):
        types.parse(text)


def test_a_field_that_only_a_structure_may_be():
    @lt.struct
    class Leaf:
        weight: typing.Optional[float]
    with pytest.raises(TypeError, match="field 'weight' of structure 'Leaf' is float | None, and only structures can be None"):
        types.StructType("Leaf", Leaf).fields  # noqa: B018


def test_annotations():
    assert from_annotation(float) == types.f64
    assert str(from_annotation(lt.Tensor["batch", 784])) == "(tensor f32 batch 784)"
    assert str(from_annotation(lt.Tensor[lt.f64, None])) == "(tensor f64 ?)"
    assert str(from_annotation(lt.Tensor["f64", "n"])) == "(tensor f64 n)"
    assert str(from_annotation(list[tuple[int, str]])) == "(list (tuple i64 string))"
    assert str(from_annotation(typing.Optional[Node])) == "(optional Node)"
    assert from_annotation(dict) is None
    assert types.StructType("Node", Node).item() == "(struct Node (value f64) (weight (tensor f32 3)) (next (optional Node)))"


@pytest.mark.parametrize("text, annotation", [
    ("bool", "bool"), ("i64", "int"), ("f64", "float"), ("string", "str"), ("f32", "lt.f32"), ("none", "None"),
    ("(tensor f32 batch 3 ?)", 'lt.Tensor[lt.f32, "batch", 3, None]'), ("(tensor bool)", "lt.Tensor[bool]"), ("(optional Node)", "Node | None"),
    ("(list (tuple i64 (optional Node)))", "list[tuple[int, Node | None]]"), ("(dataset Node)", "lt.Dataset[Node]")])
def test_types_as_annotations(text, annotation):
    kind = types.parse(text, {"Node": types.StructType("Node", Node)})
    assert types.annotation(kind) == annotation
    assert from_annotation(evaluate_annotation(annotation, globals())) == kind


@pytest.mark.parametrize("text, annotation", [
    ("(optional Node)", typing.Optional["Node"]), ("(list Node)", typing.List["Node"]), ("(list Node)", list["Node"]),
    ("(list (optional Node))", "list[typing.Optional['Node']]"), ("(optional Node)", "'Node | None'"), ("(list Node)", "'list[\"Node\"]'"), ("(tuple Node i64)", typing.Tuple["Node", int]),
    ("(dataset Node)", lt.Dataset["Node"]), ("(optional Node)", typing.Union[None, "Node"]), ("(optional Node)", typing.Optional["Undefined.Node"])])
def test_names_in_quotes_within_annotations(text, annotation):
    resolved = from_annotation(evaluate_annotation(annotation, globals()))
    if "Undefined" in repr(annotation):
        assert resolved is None
    else:
        assert str(resolved) == text


Nested = typing.List["Nested"]
number = 3


@pytest.mark.parametrize("annotation", [Nested, "Nested", typing.Optional["number"], list["Nested"], "typing.Optional['number']"])
def test_names_in_quotes_that_say_nothing_to_us(annotation):
    assert from_annotation(evaluate_annotation(annotation, globals())) is None


def test_values():
    assert str(types.type_of(np.zeros((2, 3), np.float32))) == "(tensor f32 2 3)"
    assert str(types.type_of(np.float64(1))) == "(tensor f64)"
    assert types.type_of(True) == types.bool_
    assert str(types.type_of([1, 2.5])) == "(list f64)"
    assert str(types.type_of([np.zeros(2), np.zeros(3)])) == "(list (tensor f64 ?))"
    assert str(types.type_of((1, "a", Node(1.0, np.zeros(3), None)))) == "(tuple i64 string Node)"
    with pytest.raises(TypeError, match="complex128"):
        types.type_of(np.zeros(2, complex))
    with pytest.raises(TypeError, match="'set'"):
        types.type_of({1})


def test_joins():
    node = types.type_of(Node(1.0, None, None))
    assert str(types.join(node, types.none)) == "(optional Node)"
    assert types.join(types.bool_, types.f64) == types.f64
    assert types.join(types.f64, types.string) is None
    assert str(types.join(types.parse("(tensor f32 2 3)"), types.parse("(tensor f32 2 4)"))) == "(tensor f32 2 ?)"


def test_a_field_without_a_type():
    @lt.struct
    class Wrong:
        x: dict
    with pytest.raises(TypeError, match="field 'x' of structure 'Wrong'"):
        types.StructType("Wrong", Wrong).fields


def test_structures_compare_by_value_and_print_shortly():
    one, other = Node(1.0, np.zeros(3), Node(2.0, np.ones(3), None)), Node(1.0, np.zeros(3), Node(2.0, np.ones(3), None))
    assert one == other and one != Node(1.0, np.zeros(3), None)
    assert one != Node(1.0, np.zeros(4), None)
    assert Node(1.0, [np.ones(2), np.ones(3)], None) == Node(1.0, [np.ones(2), np.ones(3)], None) != Node(1.0, [np.ones(2), np.ones(2)], None)
    assert repr(Node(1.0, 2, None)) == "Node(value=1.0, weight=2, next=None)"


def test_a_structure_that_ends_while_all_are_asked_for(monkeypatch):
    class Ending(weakref.WeakValueDictionary):
        def keys(self):
            names = list(super().keys())
            ending.clear()
            gc.collect()
            return iter(names)
    structs, ending = Ending(), [type("Gone", (), {})]
    structs["Node"], structs["Gone"] = Node, ending[0]
    module = sys.modules["lantern.struct"]      # lt.struct is its function
    monkeypatch.setattr(module, "_declared", structs)
    assert module.declared_structs()["Node"] is Node


def test_records_are_what_their_fields_are():
    """As frozen dataclasses are, in all that is asked of them (lantern/records.py)."""
    class Pair(Record):
        first: int
        second: int = 2

    class Triple(Pair):
        third: int = 3

    assert Pair(1) == Pair(1, 2) == Pair(second=2, first=1) != Pair(2) and hash(Pair(1)) == hash(Pair(1, 2))
    assert Triple(1, 2, 3) != Pair(1, 2) and Triple(1).replaced(second=5) == Triple(1, 5) and repr(Triple(1)) == "Triple(first=1, second=2, third=3)"
    assert pickle.loads(pickle.dumps(types.TensorType("f32", (2, "n")))) == types.TensorType("f32", (2, "n"))
    for wrong in (lambda: Pair(), lambda: Pair(1, 2, 3), lambda: Pair(1, third=3)):
        with pytest.raises(TypeError, match="Pair has the fields first, second"):
            wrong()
    with pytest.raises(AttributeError, match="Pair is immutable, and 'first' is set"):
        Pair(1).first = 2
