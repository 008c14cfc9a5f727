import collections.abc as abc
import re
import types
import typing
from dataclasses import InitVar, dataclass, field
from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar

import pytest

from pessimal.errors import InputError
from pessimal.inputs import (
    Bool,
    Bytes,
    Choice,
    Const,
    Dict,
    Float,
    Function,
    Int,
    List,
    Record,
    Repeated,
    Set,
    Str,
    Tuple,
    Union,
    from_hint,
)


class Colour(Enum):
    RED = 1
    GREEN = 2


class Level(IntEnum):
    LOW = 1


@dataclass
class Point:
    x: int
    y: "float" = 0.0
    hidden: int = field(default=0, init=False)


@dataclass
class Scaled:
    factor: InitVar[int]
    points: list[Point]


class Pair(NamedTuple):
    left: int
    right: "str"


class Movie(TypedDict):
    year: int
    title: typing.NotRequired[str]


class Box:
    def __init__(self, width: int, colour=None, *rest: int, **more: int) -> None: ...


class Silent:
    def __init__(self, width) -> None: ...


class Nameless:
    def __init__(self, width: int, /) -> None: ...


class Node:
    def __init__(self, value: int, next: "Node | None" = None) -> None: ...


class Endless:
    def __init__(self, next: "Endless") -> None: ...


UserId = NewType("UserId", int)
Anything = TypeVar("Anything")
Text = TypeVar("Text", str, bytes)
Bounded = TypeVar("Bounded", bound=float)
Named = TypeVar("Named", bound="Point")
Unnamed = TypeVar("Unnamed", bound="NoSuchClass")  # noqa: F821
Weird = TypeVar("Weird", bound=abc.Callable)
POINT = Record(Point, {"x": Int(), "y": Float()})


@pytest.mark.parametrize(
    ("hint", "spec"),
    [
        (int, Int()),
        (bool, Bool()),
        (float, Float()),
        (str, Str("N")),
        (bytes, Bytes("N")),
        (None, Const(None)),
        (list[int], List(Int(), "N")),
        (list, List(Int(), "N")),
        (typing.List[bool], List(Bool())),  # noqa: UP006
        (typing.Sequence[str], List(Str())),
        (abc.Sequence[int], List(Int())),
        (abc.Iterable[int], List(Int())),
        (typing.Collection[int], List(Int())),
        (abc.MutableSequence[int], List(Int())),
        (list[list[int]], List(List(Int(), "N"), "N")),
        (tuple[int, bool], Tuple((Int(), Bool()))),
        (tuple[int, ...], Repeated(Int())),
        (tuple[()], Tuple(())),
        (tuple, Repeated(Int())),
        (dict[str, int], Dict(Str(), Int())),
        (typing.Mapping[int, bool], Dict(Int(), Bool())),
        (abc.MutableMapping[int, bool], Dict(Int(), Bool())),
        (dict, Dict(Int(), Int())),
        (set[int], Set(Int())),
        (abc.Set[int], Set(Int())),
        (frozenset[str], Set(Str(), frozen=True)),
        (Optional[int], Union((Int(), Const(None)))),  # noqa: UP045
        (None | int, Union((Int(), Const(None)))),
        (int | str, Union((Int(), Str()))),
        (typing.Union[int, None, bool], Union((Int(), Bool(), Const(None)))),  # noqa: UP007
        (Literal["a", 3, None], Choice(("a", 3, None))),
        (Colour, Choice((Colour.RED, Colour.GREEN))),
        (Level, Choice((Level.LOW,))),
        (UserId, Int()),
        (Anything, Int()),
        (list[Text], List(Str())),
        (Bounded, Float()),
        (Named, POINT),
        (Unnamed, Int()),
        (Weird, Function(Int())),
        (Point, POINT),
        (list[Point], List(POINT)),
        (Scaled, Record(Scaled, {"factor": Int(), "points": List(POINT)})),
        (Pair, Record(Pair, {"left": Int(), "right": Str()})),
        (Movie, Record(Movie, {"year": Int(), "title": Str()}, optional={"title"})),
        (Box, Record(Box, {"width": Int()})),
        (Nameless, Record(Nameless, {}, (Int(),))),
        (
            Node,
            Record(
                Node,
                {
                    "value": Int(),
                    "next": Union(
                        (
                            Const(None),
                            Record(
                                Node,
                                {
                                    "value": Int(),
                                    "next": Union(
                                        (Const(None), Record(Node, {"value": Int(), "next": Union((Const(None),))}))
                                    ),
                                },
                            ),
                        )
                    ),
                },
            ),
        ),
        (Annotated[int, range(10)], Int(0, 9)),
        (Annotated[int, (0, 9)], Int(0, 9)),
        (Annotated[int, (None, 9)], Int(None, 9)),
        (Annotated[int, SimpleNamespace(ge=1)], Int(1, None)),
        (Annotated[int, SimpleNamespace(gt=1, lt=5, ge=None)], Int(2, 4)),
        (Annotated[int, SimpleNamespace(ge=0.5), SimpleNamespace(lt=2.5)], Int(1, 2)),
        (Annotated[int, SimpleNamespace(ge=float("-inf"), le=3)], Int(None, 3)),
        (Annotated[Annotated[int, (0, 9)], (5, 20)], Int(5, 9)),
        (Annotated[float, (0, 1)], Float(0, 1)),
        (Annotated[float, SimpleNamespace(gt=0)], Float(5e-324, None)),
        (Annotated[float, SimpleNamespace(lt=1, le=None)], Float(None, 0.9999999999999999)),
        (Annotated[int | None, (0, 9)], Union((Int(0, 9), Const(None)))),
        (list[Annotated[int, range(2)]], List(Int(0, 1))),
        (Annotated[int, "note", ["unhashable"]], Int()),
        (Annotated[Any, List(Int(), 3)], List(Int(), 3)),
    ],
)
def test_hints_become_specifications(hint, spec):
    assert from_hint(hint) == spec


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (typing.Never, "no inputs can be made from the hint typing.Never"),
        (abc.AsyncIterator[int], "no inputs can be made from the hint AsyncIterator"),
        (Silent, "no inputs can be made from the hint Silent"),
        (Enum, "no inputs can be made from the hint Enum"),
        (types.GenericAlias, "no inputs can be made from the hint GenericAlias"),
        (typing.Union, "no inputs can be made from the hint typing.Union"),
        (types.UnionType, "no inputs can be made from the hint typing.Union"),
        (3, "no inputs can be made from the hint 3"),
        ([int], "no inputs can be made from the hint [<class 'int'>]"),
        ("Lost", "its hint 'Lost' names something that cannot be found"),
        (Endless, "the class Endless contains itself, so no input of it would end"),
        (
            dict[list[int], int],
            "list[int]:N cannot be hashed, as a dict demands: use int, str or a tuple of such",
        ),
        (
            Annotated[int, range(0)],
            "range(0, 0) is not a range of inputs: give a range that is not empty and has step 1",
        ),
        (Annotated[int, range(0, 9, 2)], "range(0, 9, 2) is not a range of inputs"),
        (
            Annotated[str, (0, 9)],
            "the range (0, 9) does not fit str:N: put it on the int or float that it bounds",
        ),
        (Annotated[str | None, (0, 9)], "the range (0, 9) does not fit str:N|None"),
    ],
)
def test_hints_that_say_too_little_are_refused(hint, message):
    with pytest.raises(InputError) as caught:
        from_hint(hint)
    assert message in str(caught.value)


def test_classes_that_contain_each_other_in_many_ways_are_read_in_time():
    count = 12
    names = " | ".join(f"C{number}" for number in range(count))
    source = "\n".join(f"class C{number}:\n    def __init__(self, inner: 'Tree'): ..." for number in range(count))
    space = {"__name__": __name__}
    exec(f"{source}\nclass Leaf: ...\nTree = Leaf | {names}", space)
    spec = from_hint(space["Tree"], module=None)
    assert isinstance(spec, Union)
    assert len(str(spec)) < 100_000


@pytest.mark.parametrize(("hint", "empty"), [(re.Match, ""), (re.Match[str], ""), (re.Match[bytes], b"")])
def test_a_match_is_that_of_a_whole_text(hint, empty):
    spec = from_hint(hint)
    assert spec.builder is re.match
    pattern, text = spec.args
    assert re.match(pattern.value, empty).groups() == (empty,)
    assert type(text) is (Bytes if isinstance(empty, bytes) else Str)
