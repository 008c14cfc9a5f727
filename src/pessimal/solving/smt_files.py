"""SMT-LIB 2 files: Bitwuzla, if it is there and can read it, and Z3 on the file itself; what they do not settle by
samples. Z3 judges every model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

import z3

from pessimal.conditions import Condition
from pessimal.conditions.condition import ConditionError
from pessimal.conditions.smt_operations import SortError
from pessimal.conditions.smt_script import last_question
from pessimal.conditions.smtlib import Unsupported, read_smtlib
from pessimal.solve import Status
from pessimal.solve.extras import has_bitwuzla
from pessimal.solve.z3 import plain_number
from pessimal.solving.question import Question, SolveResult
from pessimal.solving.settle import settle

UNKNOWN_FUNCTION = "unknown"
"""What Z3 says of a function that it does not know."""
SHARE, SHARE_OF_REALS = 0.4, 0.8
"""The part of the time that Z3 gets for the file as it is, at first: over Real it settles most of what is settled."""


def settle_file(question: Question, seconds: float) -> SolveResult:
    """The answer for the text of a file."""
    started = monotonic()
    asked = last_question(question.text)
    condition, refusal = _condition(asked.text)
    result = SolveResult("", Status.UNKNOWN, solver=question.solver)
    assertions = _assertions(asked.text, refusal)
    if assertions is not None and question.solver in ("portfolio", "bitwuzla") and has_bitwuzla():
        _by_bitwuzla(result, assertions, seconds * SHARE / 2)
    if assertions is not None and result.status == Status.UNKNOWN and question.solver in ("portfolio", "z3"):
        _by_z3(result, assertions, seconds * (SHARE_OF_REALS if condition and condition.is_over_reals else SHARE))
    if result.status == Status.UNKNOWN and condition is not None:
        judge = condition.judge if assertions is None else _judge(assertions, condition.judge)
        left = seconds - (monotonic() - started)
        result = settle(question, replace(condition, judge=judge), max(left, 0.0))
    elif result.status == Status.UNKNOWN:
        result.notes.append(f"only Z3 was asked, since {refusal}")
    left = seconds - (monotonic() - started)
    if assertions is not None and result.status == Status.UNKNOWN and question.solver == "portfolio" and left > 0:
        _by_z3(result, assertions, left)
    if asked.questions > 1:
        result.notes.append(f"the file asks {asked.questions} questions: this is the answer to the last")
    result.condition = ""
    return result


def _condition(text: str) -> tuple[Condition | None, ConditionError | Unsupported | None]:
    """The condition as we read it, or why we do not; whether the file is well-formed is for Z3 to say.

    Z3 takes truth values for numbers, which SMT-LIB does not.
    """
    try:
        return read_smtlib(text), None
    except SortError:
        raise
    except (ConditionError, Unsupported) as error:
        return None, error


def _assertions(text: str, refusal: ConditionError | Unsupported | None) -> Any:
    """The file as Z3 reads it; None where we read functions that Z3 does not know."""
    try:
        return z3.parse_smt2_string(text, ctx=z3.Context())  # a shared one would know the names of other files
    except z3.Z3Exception as error:
        message = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error.args[0])
        if refusal is None and UNKNOWN_FUNCTION in message:
            return None
        if isinstance(refusal, ConditionError):
            raise refusal from None
        raise ConditionError(f"the file is not SMT-LIB 2: {message.strip().splitlines()[0]}") from None


def _by_bitwuzla(result: SolveResult, assertions: Any, seconds: float) -> None:
    """Ask Bitwuzla, which is given the assertions as Z3 has read them: without those that were taken back."""
    from pessimal.solve.bitwuzla import settled

    plain = z3.Solver(ctx=assertions.ctx)
    plain.add(assertions)
    found = settled(plain.to_smt2(), max(int(seconds * 1000), 1))
    if found is None or found.status is Status.UNKNOWN:
        return
    if found.status is Status.UNSAT:
        result.status, result.solver = Status.UNSAT, "bitwuzla"
        return
    constants = _constants(assertions)
    bits = {name.strip("|"): digits for name, digits in found.bits.items()}
    if not constants.keys() <= bits.keys():
        return
    values = {name: _of_bits(constant, bits[name]) for name, constant in constants.items()}
    pairs = [(constants[name], value) for name, value in values.items()]
    if all(z3.is_true(z3.simplify(z3.substitute(part, *pairs))) for part in assertions):
        result.status, result.solver = Status.SAT, "bitwuzla"
        result.model = {name: _plain(value) for name, value in values.items()}


def _of_bits(constant: Any, bits: str) -> Any:
    """The value of a constant whose bits are known."""
    if z3.is_bool(constant):
        return z3.BoolVal(bits == "1", constant.ctx)
    vector = z3.BitVecVal(int(bits, 2), len(bits), constant.ctx)
    return z3.simplify(z3.fpBVToFP(vector, constant.sort(), constant.ctx)) if z3.is_fp(constant) else vector


def _by_z3(result: SolveResult, assertions: Any, seconds: float) -> None:
    solver = z3.Solver(ctx=assertions.ctx)
    solver.set("timeout", max(int(seconds * 1000), 1))
    solver.add(assertions)
    status = solver.check()
    if status == z3.unsat:
        result.status, result.solver, result.confidence = Status.UNSAT, "z3", None
    if status != z3.sat:
        return
    model = solver.model()
    if all(z3.is_true(model.eval(part, model_completion=True)) for part in assertions):
        result.status, result.solver, result.confidence = Status.SAT, "z3", None
        known = {str(name) for name in model.decls()}
        result.model = {
            name: _plain(model.eval(constant)) for name, constant in _constants(assertions).items() if name in known
        }


def _plain(value: Any) -> Any:
    """A value of Z3 as a number where there is one, otherwise as Z3 writes it."""
    if z3.is_bool(value):
        return z3.is_true(value)
    if z3.is_int_value(value) or z3.is_bv_value(value):
        return value.as_long()
    if z3.is_rational_value(value):
        fraction = Fraction(value.numerator_as_long(), value.denominator_as_long())
        number = float(fraction) if abs(fraction) < Fraction(10) ** 300 else 0.0
        return number if Fraction(number) == fraction else str(fraction)
    if z3.is_fp_value(value) and value.sort() == z3.Float64() and not (value.isInf() or value.isNaN()):
        return plain_number(value)
    return str(value)


def _judge(assertions: Any, otherwise: Callable[[Mapping[str, Any]], bool]) -> Callable[[Mapping[str, Any]], bool]:
    """Whether Z3, which computes exactly, agrees; where it cannot compute, evaluation in doubles decides."""
    constants = _constants(assertions)

    def judge(values: Mapping[str, Any]) -> bool:
        pairs = [
            (constants[name], _term(constants[name], value)) for name, value in values.items() if name in constants
        ]
        found = [z3.simplify(z3.substitute(part, *pairs)) for part in assertions]
        if any(z3.is_false(part) for part in found):
            return False
        return all(z3.is_true(part) for part in found) or otherwise(values)

    return judge


def _constants(assertions: Any) -> dict[str, Any]:
    """The constants that assertions are about, by name."""
    found, stack, seen = {}, list(assertions), set()
    while stack:
        node = stack.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[str(node)] = node
        stack.extend(node.children())
    return found


def _term(constant: Any, value: Any) -> Any:
    context = constant.ctx
    if z3.is_bool(constant):
        return z3.BoolVal(bool(value), context)
    if z3.is_bv(constant):
        return z3.BitVecVal(value, constant.size(), context)
    if z3.is_fp(constant):
        return z3.FPVal(value, constant.sort(), context)
    return z3.Q(*float(value).as_integer_ratio(), context) if z3.is_real(constant) else z3.IntVal(value, context)
