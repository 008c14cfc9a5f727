"""Decisions are grouped by the frame that called the function which makes them."""

from sys import _getframe

from pessimal.python.callers import Callers


class Run:
    """Notes decisions by name, with the name of the one that each is linked to."""

    def __init__(self):
        self.callers = Callers()
        self.names = []
        self.links = {}
        self.last = {}

    def decide(self, name):
        caller = self.callers.number(_getframe())
        self.links[name] = self.last.get(caller)
        self.last[caller] = name
        self.names.append(name)


def decided(function):
    run = Run()
    function(run.decide)
    run.callers.forget()
    return run.links


# Below, the frame that decides is that of the method, so that its caller is the function that calls it.


def test_what_one_frame_calls_is_one_row():
    def target(decide):
        decide("a")
        decide("b")
        decide("c")

    assert decided(target) == {"a": None, "b": "a", "c": "b"}


def test_each_call_has_a_row_of_its_own_and_the_outer_goes_on_after_it():
    def inner(decide, name):
        decide(f"{name}1")
        decide(f"{name}2")

    def target(decide):
        decide("a")
        inner(decide, "x")
        decide("b")
        inner(decide, "y")
        decide("c")

    assert decided(target) == {"a": None, "x1": None, "x2": "x1", "b": "a", "y1": None, "y2": "y1", "c": "b"}


def test_recursion_does_not_mix():
    def target(decide, depth=2):
        decide(f"in{depth}")
        if depth:
            target(decide, depth - 1)
        decide(f"out{depth}")

    links = decided(target)
    assert {name: links[name] for name in links if name.startswith("out")} == {f"out{d}": f"in{d}" for d in range(3)}
    assert all(links[f"in{d}"] is None for d in range(3))


def test_frames_are_let_go_when_they_have_returned():
    gone = []

    class Witness:
        def __del__(self):
            gone.append(True)

    def inner(decide):
        witness = Witness()
        decide("x")
        return witness is None

    def target(decide):
        inner(decide)
        decide("a")
        assert gone == [True]

    decided(target)
