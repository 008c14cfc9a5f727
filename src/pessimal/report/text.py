"""Results as text for a terminal: the answer first, then why to believe it, then what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pessimal.growth import EXACT, FEWEST, Growth
from pessimal.report.explain import explanation, percent
from pessimal.result import Effort, ExploreResult, StressResult, Witness

LONGEST_CALL = 400
SHOWN_PATHS = 50


def stress(result: StressResult) -> str:
    """The worst input, its cost and its proof."""
    lines = [f"{result.target}  size {result.size}  strategy {result.strategy}", *_headline(result)]
    if result.witness is not None:
        lines += _worst(result, result.witness)
    elif not result.failures:
        lines.append("  nothing was run: no input was found before the search ended")
    lines += _failures(result.failures[1:])
    lines += _assumed(result.assumed)
    lines += _inferred(result.inferred)
    lines += _effort(result.effort, result.interrupted)
    lines[-1:-1] = _reported(result)
    if result.effort.found_after is not None:
        by = f" by {result.effort.found_by}" if result.effort.found_by not in (None, result.strategy) else ""
        lines[-1] += f"; the result was found{by} after {result.effort.found_after:.2f}s"
    if result.curve is not None:
        lines.append("  curve     size  cost")
        lines += [f"            {point['size']:>4}  {_number(point['cost'])}" for point in result.curve]
    lines += _growth(result.growth)
    lines += _over(result)
    lines += _generator(result)
    lines += explanation(result.explain)
    return "\n".join(lines)


def _headline(result: StressResult) -> list[str]:
    """The first failure, which matters more than the cost of inputs on which the target ends."""
    if result.headline is None:
        return []
    what, _, rest = result.headline.partition(" ")
    note = "" if result.failures[0].replayed else " (not replayed)"
    return [f"  {what.rstrip(':').upper():<9} {_shorten(rest)}{note}"]


def _assumed(assumed: Mapping[str, str]) -> list[str]:
    """The range of numbers that were given none, and how to give one."""
    if not assumed:
        return []
    name, spec = min(assumed.items(), key=lambda item: not item[0].isidentifier())
    kind, _, interval = spec.partition(":")
    how = f"--input {name}={kind}:0..1000" if name.isidentifier() else f"Annotated[{kind}, (0, 1000)]"
    return [f"  assumed   {', '.join(assumed)} in {interval}; {how} changes it"]


def _inferred(inferred: Mapping[str, str]) -> list[str]:
    """The inputs of parameters without hints, and how to give others."""
    if not inferred:
        return []
    shown = ", ".join(f"{name}={_shorten(spec)}" for name, spec in inferred.items())
    return [f"  inferred  {shown}; --input {next(iter(inferred))}=... changes it"]


def _worst(result: StressResult, witness: Witness) -> list[str]:
    return [
        f"  cost      {_number(result.cost['value'])} {result.cost['name']}",
        f"  input     {_shorten(witness.call)}",
        f"  outcome   {_outcome(witness)}",
        f"  proof     {result.proof or 'none: best found'}",
        *_attack(result.attack),
        *_replay(witness),
        *_wrong_bound(result),
    ]


def _counted(count: int, what: str) -> str:
    """A number with what it counts."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _attack(attack: Mapping[str, Any] | None) -> list[str]:
    """How the claim was attacked, or why it was withdrawn."""
    if attack is None:
        return []
    if attack["withdrawn"] is None:
        compared, others = _counted(attack["compared"], "path"), _counted(attack["runs"], "other input")
        return [f"  attacked  {compared} compared with native runs, {others} run"]
    shown = "" if attack["call"] is None else f": {_shorten(attack['call'])}"
    return [f"  withdrawn the proof does not hold: {attack['withdrawn']}{shown}"]


def _reported(result: StressResult | ExploreResult) -> list[str]:
    """The lines that the strategy wants to be shown, and those of the member of a portfolio that found the result."""
    report = result.report or {}
    member = report.get("details", {}).get(result.effort.found_by, {})
    rows = [["note", report["note"]]] if report.get("note") else []
    rows += [*report.get("lines", ()), *member.get("lines", ())]
    return [f"  {label:<9} {text}" for label, text in rows]


def _generator(result: StressResult) -> list[str]:
    """The code of the generator, or that the strategy found none."""
    if result.generator is not None:
        return ["  generator", *(f"    {line}".rstrip() for line in result.generator.splitlines())]
    return ["  generator none found"] if "generator" in (result.report or {}) else []


def explore(result: ExploreResult) -> str:
    """The paths, the cheapest to read first."""
    lines = [f"{result.target}  size {result.size}  strategy {result.strategy}"]
    for path in result.paths[:SHOWN_PATHS]:
        lines.append(f"  {_shorten(path.call)}  {_outcome(path)}  cost {_number(path.cost)}")
        lines += [f"  {line}" for line in _replay(path) if "difference" in line]
    if len(result.paths) > SHOWN_PATHS:
        lines.append(f"  ... and {len(result.paths) - SHOWN_PATHS} more; --json lists them all")
    lines += _failures(result.failures)
    kept = "" if result.objective == "paths" else f" kept for {result.objective}"
    whole = "all of them: the tree is exhausted" if not kept else "of all there are: the tree is exhausted"
    lines.append(f"  {len(result.paths)} paths{kept}, {whole if result.exhausted else 'there may be more'}")
    lines += _attack(result.attack)
    lines += _inferred(result.inferred)
    lines += _effort(result.effort, result.interrupted)
    lines[-1:-1] = _reported(result)
    lines += explanation(result.explain)
    return "\n".join(lines)


def _replay(witness: Witness) -> list[str]:
    if not witness.replayed:
        return [f"  replayed  no: {(witness.unfinished or '').partition(': ')[2]}"]
    lines = ["  replayed  yes, as predicted"]
    if witness.difference is not None:
        lines = [f"  replayed  yes, with a difference: {witness.difference}"]
    elif witness.is_uncompared:
        lines = ["  replayed  yes"]
    return lines + ([] if witness.unfinished is None else [f"  note      {witness.unfinished}"])


def _growth(growth: Growth | None) -> list[str]:
    if growth is None:
        return []
    if growth.error is None:
        return [f"  growth    too few sizes to tell: give {FEWEST} or more"]
    lines = [f"  growth    {growth.law}: {growth.formula}, {_error(growth.error)}"]
    next_best = growth.runner_up
    if next_best is not None:
        lines.append(f"            then {next_best.law}: {next_best.formula}, {_error(next_best.error)}")
    return lines


def _wrong_bound(result: StressResult) -> list[str]:
    return [
        f"  BOUND     WRONG at size {item['size']}: it is {_number(item['limit'])}, "
        f"but an input costs {_number(item['cost'])}"
        for item in result.over_bound or []
    ]


def _over(result: StressResult) -> list[str]:
    if result.over_budget is None:
        return []
    lines = [
        f"  over      size {item['size']}: {_number(item['cost'])}, but the budget line is at {_number(item['limit'])}"
        for item in result.over_budget
    ]
    return lines or ["  over      nowhere: no cost is above the budget line"]


def _failures(failures: Sequence[Witness]) -> list[str]:
    return [
        f"  failure   {_outcome(failure)}: {_shorten(failure.call)}{'' if failure.replayed else ' (not replayed)'}"
        for failure in failures
    ]


def _effort(effort: Effort, interrupted: bool) -> list[str]:
    lines = []
    if effort.nondeterministic:
        lines.append(f"  warning   the target is not deterministic: {effort.nondeterministic}")
    confidence = "" if effort.confidence is None else f" (confidence up to {percent(effort.confidence)})"
    settled = f"{effort.paths} paths, {effort.infeasible} infeasible, {effort.unknown} unknown{confidence}"
    solver = f"{effort.solver['calls']} solver calls ({effort.solver['seconds']:.2f}s)"
    lines.append(f"  effort    {settled}, {effort.concretisations} concretisations, {solver}, {effort.seconds:.2f}s")
    if effort.practised or effort.learning_seconds:
        share = 100 * effort.learning_seconds / effort.seconds if effort.seconds else 0.0
        lines.append(f"  learning  {effort.learning_seconds:.2f}s ({share:.0f} %), {effort.practised} runs of practice")
    lines.append(f"  stopped   {'interrupted' if interrupted else effort.stopped}")
    return lines


def _outcome(witness: Witness) -> str:
    if witness.outcome == "returned":
        return f"returned {_shorten(witness.returned or '', 80)}".rstrip()  # what it returned, only a replay knows
    return f"{witness.outcome}{': ' + witness.exception if witness.exception else ''}"


def _number(value: float | None) -> str:
    if value is None:
        return "unknown"
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"


def _error(error: float) -> str:
    return "exact" if error <= EXACT else f"error {100 * error:.1f}%"


def _shorten(text: str, limit: int = LONGEST_CALL) -> str:
    return text if len(text) <= limit else f"{text[: limit - 12]} … {text[-9:]}"
