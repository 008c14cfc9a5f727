import pytest

from pessimal.inputs import Inputs, Native
from pessimal.inputs.method import MethodCall


class Stack:
    def __init__(self, limit: int, items: "list[int]", *, name: str = "s") -> None:
        self.limit, self.items, self.name = limit, items, name

    def push(self, value: int, limit: int = 3, *more: int, **options: int) -> list[object]:
        return [self.limit, self.items, self.name, value, limit, more, options]


class Plain:
    def size(self, /) -> int:
        return 0


class Strict:
    def __init__(self, start: int, /, *rest: int) -> None:
        self.values = (start, *rest)

    def total(self, factor: int, /) -> int:
        return factor * sum(self.values)


def test_a_method_takes_its_constructors_parameters_too():
    call = MethodCall(Stack, "push")
    inputs = Inputs.of(call, 2)
    assert list(inputs.specs) == ["self_limit", "items", "name", "value", "limit"]
    assert (call.__name__, call.__qualname__, call.__module__) == ("push", "Stack.push", __name__)
    leaves = [1, 2, 3, ord("a"), ord("b"), 4, 5]
    args, kwargs = inputs.decode(Native(leaves))
    assert call(*args, **kwargs) == [1, [2, 3], "ab", 4, 5, (), {}]
    assert call.describe(inputs.described(leaves)) == "Stack(1, [2, 3], name='ab').push(4, 5)"


def test_variadic_parameters_of_both_may_be_given():
    inputs = Inputs.of(MethodCall(Stack, "push"), 1, {"more": "list[const:7]:2", "options": "const:{'a': 1}"})
    args, kwargs = inputs.decode(Native(inputs.initial()))
    assert MethodCall(Stack, "push")(*args, **kwargs) == [0, [0], "a", 0, 0, (7, 7), {"a": 1}]


def test_parameters_that_have_no_name_are_handed_by_position():
    call = MethodCall(Strict, "total")
    assert call(start=2, rest=[3], factor=10) == 50
    assert call.describe({"start": 2, "rest": [3], "factor": 10}) == "Strict(2, 3).total(10)"


def test_a_class_without_constructor():
    assert MethodCall(Plain, "size")() == 0
    assert MethodCall(Plain, "size").describe({}) == "Plain().size()"


def test_a_class_that_does_not_tell_its_parameters():
    with pytest.raises((ValueError, TypeError)):
        MethodCall(dict, "get")
