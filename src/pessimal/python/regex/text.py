"""The codes that a pattern meets, and what is asked of them: as conditions, or decided one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from pessimal.expr import App, Compare, Expr, Offset, Term, conjunction, disjunction
from pessimal.python import current
from pessimal.python.deciding import between, decide
from pessimal.python.execution import PythonExecution
from pessimal.python.regex.classes import ASCII, CHARACTERS, Ranges, intersect, member, subtract, whole, within
from pessimal.python.regex.formula import Formulas
from pessimal.python.tables import table
from pessimal.python.values import SymStr

SIMPLE: Ranges = ((0, 0x24F),)
"""Latin letters and all before them, where tables are short."""

MAX_RANGES = 2000
"""So many ranges, over all characters, are still put into conditions."""

_CASE = ord("a") - ord("A")
_answers: WeakKeyDictionary[PythonExecution, dict[tuple[int, int], tuple[Term, bool]]] = WeakKeyDictionary()


class Text:
    """A row of codes; once ``decided`` is set, every question about a symbolic code is answered by a choice."""

    def __init__(self, codes: Sequence[Term], of_bytes: bool, tables: int, folds: bool = False) -> None:
        self.codes = codes
        self.decided = False
        known = whole(of_bytes)
        if tables or folds:
            known = self._narrowed(tables, folds)
        self._known: list[Ranges] = [known] * len(codes)
        self._asked: dict[tuple[int, Ranges], Expr] = {}
        self._formulas = Formulas()

    def _narrowed(self, tables: int, folds: bool) -> Ranges:
        """What symbolic codes are known to lie in, decided so that tables are short; else they become concrete."""
        if all_below(ASCII[0][1], self.codes):
            return ASCII
        if not folds and tables * len(self.codes) <= MAX_RANGES:
            return CHARACTERS
        if not folds and all_below(SIMPLE[0][1], self.codes):
            return SIMPLE
        self.codes = SymStr.codes_of(SymStr(self.codes).concrete("rare characters in re")) or ()
        return CHARACTERS

    def __len__(self) -> int:
        return len(self.codes)

    def lies_in(self, at: int, ranges: Ranges) -> Expr:
        """Whether the code at a position lies in ranges."""
        code = self.codes[at]
        if type(code) is int:
            return member(code, ranges)
        if self.decided:
            return self._settle(at, ranges)
        condition = self._asked.get((at, ranges))
        if condition is None:
            condition = self._formulas.shared(within(code, ranges, self._known[at]))
            self._asked[at, ranges] = condition
        return condition

    def _settle(self, at: int, ranges: Ranges) -> bool:
        """Decide a question unless earlier answers imply it, and remember what the answer leaves."""
        known = self._known[at]
        inside = intersect(known, ranges)
        if not inside or inside == known:
            return bool(inside)
        taken = decide(within(self.codes[at], ranges, known))
        self._known[at] = inside if taken else subtract(known, inside)
        return taken

    def same(self, left: int, right: int, fold: Callable[[int], int] | None) -> Expr:
        """Whether the codes at two positions are the same, or the same but for case."""
        a, b = self.codes[left], self.codes[right]
        if a is b:
            return True
        if fold is None:
            condition: Expr = a == b if type(a) is int and type(b) is int else Compare("==", a, b)
        elif type(a) is int or type(b) is int:
            known, at = (a, right) if type(a) is int else (b, left)
            return self.lies_in(at, _alike(fold, fold(known), self._known[at][-1][1]))  # type: ignore[arg-type]
        else:
            condition = _same_letter(a, b)
        return decide(condition) if self.decided else condition


@table
def _alike(fold: Callable[[int], int], folded: int, last: int) -> Ranges:
    """The codes that a rule of case makes the same."""
    return tuple((code, code) for code in range(last + 1) if fold(code) == folded)


def all_below(last: int, codes: Sequence[Term]) -> bool:
    """Whether no symbolic code lies beyond a bound, decided at once and once per run for the same codes."""
    known = _answers.setdefault(current.execution, {})
    symbolic = [code for code in codes if type(code) is not int and not known.get((last, id(code)), (code, False))[1]]
    if not symbolic:
        return True
    if all((last, id(code)) in known for code in symbolic):
        return False
    answer = decide(conjunction([Compare("<=", code, last) for code in symbolic]))
    known.update({(last, id(code)): (code, answer) for code in symbolic})
    return answer


def _same_letter(a: Term, b: Term) -> Expr:
    """The condition that two ASCII codes are the same but for case."""
    return disjunction([Compare("==", a, b), _lower_of(a, b), _lower_of(b, a)])


def _lower_of(upper: Term, lower: Term) -> Expr:
    return conjunction([between(upper, ord("A"), ord("Z")), Compare("==", _shifted(upper, _CASE), lower)])


def _shifted(code: Term, by: int) -> Term:
    if isinstance(code, Offset):
        return Offset(code.var, code.const + by)
    return code + by if isinstance(code, int | float) else App("+", (code, by), "int")
