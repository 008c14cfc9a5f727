"""A function that is called on samples: pure by assumption, which is checked while it is used.

The answers are remembered, so that the parts of one result cost one call. Where the program itself calls the function,
it is really called again, and must give the answer that it gave before. A function that does not, that changes its
arguments or tries to have a side effect is given up: from then on its arguments are made concrete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pessimal.expr import App, BlackBox, Compare, Expr, Leaf
from pessimal.pool import audit
from pessimal.pool.alarm import DeadlineExceeded, Sooner
from pessimal.python.handlers.black_boxes.answers import INT, SLOW, Answer, Shape, answer_of, raised, same
from pessimal.python.handlers.black_boxes.arguments import Arguments
from pessimal.python.handlers.black_boxes.watch import SampleWatch

MAX_ANSWERS = 1 << 16
"""So many answers are remembered for one way of calling a function, then they are forgotten."""
FIRST_SECONDS, LATER_SECONDS = 1.0, 0.05
"""How long a function may take for one sample, until the first took too long and from then on."""

DIFFERS = "answers differently to the same arguments"


class NoValue(ValueError):
    """A call has no value of the shape that a term is about."""


class Box:
    """One function, and what is known of it; ``given_up`` says why it is not used as a black box any more.

    ``always`` is the shape of all its results, where that is known. A function that is ``trusted`` is known to be pure
    and fast, and is not watched.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        always: Shape | None = None,
        trusted: bool = False,
        watch: SampleWatch | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.always = always
        self._watch = watch or SampleWatch()
        self.given_up: str | None = "kills its process" if self._watch.is_fatal(name) else None
        self._is_trusted = trusted
        self._forms: dict[Any, Form] = {}
        self.shapes: list[Shape] = []
        self._numbers: dict[Shape, int] = {}
        self._seconds = FIRST_SECONDS

    def form(self, arguments: Arguments) -> Form:
        """The way of calling the function that some arguments have."""
        known = self._forms.get(arguments.key)
        if known is None:
            known = self._forms[arguments.key] = Form(self, arguments)
        return known

    def number(self, shape: Shape) -> int:
        """The number that stands for a shape in conditions: shapes are numbered as they are met."""
        known = self._numbers.get(shape)
        if known is None:
            known = self._numbers[shape] = len(self.shapes)
            self.shapes.append(shape)
        return known

    def give_up(self, reason: str) -> None:
        """Use the function as a black box no more; the first reason counts."""
        self.given_up = self.given_up or reason

    def call(self, args: list[Any], kwargs: dict[str, Any], *, is_sample: bool) -> Answer:
        """What the function makes of plain arguments; it may take long only if this is no sample."""
        if self._is_trusted:
            return self._outcome(args, kwargs)
        given, blocked = repr((args, kwargs)), len(audit.guard.blocked)
        answer = self._watched(args, kwargs, given) if is_sample else self._outcome(args, kwargs)
        if repr((args, kwargs)) != given:
            self.give_up("changes its arguments")
        if len(audit.guard.blocked) > blocked:
            self.give_up("has side effects")
        return answer

    def _outcome(self, args: list[Any], kwargs: dict[str, Any]) -> Answer:
        try:
            return answer_of(self.function(*args, **kwargs))
        except (DeadlineExceeded, KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            return raised(error)

    def _watched(self, args: list[Any], kwargs: dict[str, Any], given: str) -> Answer:
        """A call on a sample, unless it is known to end the process."""
        if not self._watch.begin(self.name, given):
            return Answer((SLOW,))
        try:
            return self._soon(args, kwargs)
        finally:
            self._watch.end()

    def _soon(self, args: list[Any], kwargs: dict[str, Any]) -> Answer:
        alarm = Sooner(self._seconds)
        try:
            with alarm:
                return self._outcome(args, kwargs)
        except DeadlineExceeded:
            if alarm.is_last:
                raise
            self._seconds = LATER_SECONDS
            return Answer((SLOW,))


class Form:
    """One way of calling a function, such as with one number and three bytes: its answers and its terms."""

    def __init__(self, box: Box, arguments: Arguments) -> None:
        self._box = box
        self._arguments = arguments
        self._answers: dict[str, Answer] = {}
        self._parts: dict[Any, BlackBox] = {}

    def checked(self, values: Sequence[Leaf]) -> Answer:
        """What the function makes of values, found by calling it now; it is given up if it answered otherwise before.

        If the values are new, it is called twice.
        """
        box = self._box
        before = self._answers.get(repr(tuple(values)))
        now = box.call(*self._arguments.filled(values), is_sample=False)
        if before is None:
            before = self.sample(*values)
        if not same(before, now) and before.shape[0] != SLOW:
            box.give_up(DIFFERS)
        box.number(now.shape)
        return now

    def sample(self, *values: Leaf) -> Answer:
        """What the function makes of values, remembered."""
        key = repr(values)
        known = self._answers.get(key)
        if known is None:
            if len(self._answers) >= MAX_ANSWERS:
                self._answers.clear()
            known = self._answers[key] = self._box.call(*self._arguments.filled(values), is_sample=True)
        return known

    def has_shape(self, shape: Shape, arguments: Arguments) -> Expr:
        """The condition that a call has a shape."""
        number = self._term("shape", lambda *values: self._box.number(self.sample(*values).shape), arguments, INT)
        return Compare("==", number, self._box.number(shape))

    def part(self, place: int, shape: Shape, arguments: Arguments, sort: str) -> App:
        """The term for one number of a result that has a shape."""

        def value(*values: Leaf) -> Any:
            answer = self.sample(*values)
            if answer.shape != shape:
                raise NoValue(f"{self._box.name} has no such value")
            return answer.parts[place]

        return self._term((place, shape), value, arguments, sort)

    def _term(self, part: Any, function: Callable[..., Any], arguments: Arguments, sort: str) -> App:
        known = self._parts.get(part)
        if known is None:
            known = self._parts[part] = BlackBox(self._box.name, function)
        return known(*arguments.terms, sort=sort)
