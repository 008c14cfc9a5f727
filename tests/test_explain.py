"""What ``--explain`` tells: what was made concrete where, how often, and what that may have hidden."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import pessimal as package
from pessimal.coverage import Coverage, CoverageGain, Jump
from pessimal.ledger import (
    ENOUGH_INPUTS,
    MAX_INPUTS,
    MAX_REFUSAL_LENGTH,
    MAX_REFUSALS,
    MAX_VALUES,
    OTHER_REFUSALS,
    Ledger,
)
from pessimal.python.coverage import LineCoverage
from pessimal.python.scope import Scope
from pessimal.report.explain import SHOWN_ROWS, explanation, percent
from pessimal.runs import Avoid, Request
from pessimal.trace import Concretisation, Outcome, Side, Site, Trace
from tests.commands import PAUSE, kept, slowly, start, wait_for

LOOK = """
def look(x: int, y: int) -> int:
    i = x.__index__()
    if i > 50:
        return 3
    if y > 7:
        return i
    return 0

def pair(a: int, y: int) -> int:
    i = [10, 20][a.__index__()]
    if i == 10:
        return 1
    return 2 if y > 3 else 0

def plain(x: int) -> int:
    if x > 3:
        return 1
    return 0

def deadly(x: int) -> int:
    import os
    i = x.__index__()
    if i == 2:
        os._exit(3)
    if i > 50:
        return 1
    return 0
"""


@pytest.fixture
def target(write):
    return write(LOOK)


@pytest.fixture(scope="module")
def looked(tmp_path_factory):
    file = tmp_path_factory.mktemp("looked") / "targets.py"
    file.write_text(LOOK)
    return package.explore(f"{file}:look", paths=6, explain=True)


# The public functions


def test_the_construct_its_line_and_what_it_hid_are_told(looked):
    (row,) = looked.explain["concretisations"]
    site = row["site"]
    assert (Path(site["file"]).name, site["function"], site["line"], site["text"]) == (
        "targets.py",
        "look",
        3,
        "x.__index__()",
    )
    assert row["reason"] == "__index__"
    assert (row["times"], row["runs"]) == (6, 6)
    assert row["times"] == looked.effort.concretisations
    assert row["values"] == len(row["sample"]) >= 2
    assert all(len(parts) == 1 for parts in row["sample"])
    assert row["untried"] >= 1
    (missing,) = row["missing"]
    assert row["missed"] == 1
    assert (missing["line"], missing["to"], missing["text"]) == (4, 5, "if i > 50:")
    assert looked.explain["runs"] == looked.explain["measured"] == 6
    assert looked.explain["unseen"] == 0


def test_values_that_were_all_tried_leave_nothing(target):
    result = package.explore(f"{target}:pair", require="0 <= a <= 1", explain=True)
    rows = [row for row in result.explain["concretisations"] if row["site"]["function"] == "pair"]
    assert result.exhausted
    assert [(row["values"], row["untried"], row["missed"]) for row in rows] == [(2, 0, 0)]


def test_nothing_is_told_unless_asked_and_the_search_is_the_same(target, looked):
    plain = package.explore(f"{target}:look", paths=6)
    assert plain.explain is None
    assert "explain" not in plain.to_json()
    assert [path.call for path in plain.paths] == [path.call for path in looked.paths]
    assert plain.effort.concretisations == looked.effort.concretisations


def test_a_strategy_that_settles_no_other_values_does_not_know_what_is_untried(target):
    result = package.stress(f"{target}:look", strategy="random", paths=5, explain=True)
    (row,) = result.explain["concretisations"]
    assert row["untried"] is None
    assert row["missed"] >= 1


def test_an_input_that_kills_its_process_is_no_obstacle(target):
    result = package.explore(f"{target}:deadly", paths=4, allow_side_effects=True, explain=True)
    assert result.failures
    (row,) = result.explain["concretisations"]
    assert {(item["line"], item["to"]) for item in row["missing"]} >= {(24, 25)}


# The command line


def test_the_json_has_the_same_fields(pessimal, target):
    data = pessimal("explore", f"{target}:look", "--paths", 6, "--explain", "--json").json
    report = data["explain"]
    assert set(report) == {"runs", "unseen", "measured", "concretisations", "refusals", "unknown"}
    (row,) = report["concretisations"]
    assert set(row) == {"site", "reason", "times", "runs", "values", "sample", "untried", "missed", "missing"}
    assert set(row["site"]) == {"file", "function", "line", "column", "text"}
    assert set(row["missing"][0]) == {"file", "function", "line", "to", "text"}


def test_the_report_is_a_table_with_advice(pessimal, target):
    lines = pessimal("explore", f"{target}:look", "--paths", 6, "--explain").out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["made", "concrete"])
    assert lines[head].split()[2:] == ["times", "values", "untried", "missed"]
    assert lines[head + 1].startswith("  targets.py:3  in look  `x.__index__()`  __index__ ")
    assert lines[head + 1].split()[-1] == "1"
    assert lines[head + 2] == "    never to line 5 from targets.py:4  in look  `if i > 50:`"
    assert "docs/extending.md" in lines[head + 3]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["explore"], "nothing was made concrete"),
        (["stress", "--strategy", "climb", "--paths", 5], "nothing was made concrete: no run was symbolic"),
    ],
)
def test_where_nothing_was_made_concrete_one_line_says_so(pessimal, target, command, said):
    answer = pessimal(command[0], f"{target}:plain", *command[1:], "--explain")
    assert answer.out.splitlines()[-1] == f"  {said}"


SLOW = f"""
import os
import time

def look(x: int) -> int:
    i = x.__index__()
    {PAUSE}
    return i
"""
SIXTY = ["explore", "slow.py:look", "--paths", "60", "--budget", "10m", "--out", "out", "--json"]


def killed(out, *options):
    """How many runs the state tells of after the command was killed."""
    with slowly():
        process = start(*SIXTY, *options)
        wait_for(lambda: kept(out, "runs") > 0, process)
        process.kill()
        process.communicate()
    return kept(out, "runs")


def test_a_resumed_search_keeps_its_counts(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    killed(tmp_path / "out", "--explain")
    answer = pessimal(*SIXTY, "--explain")
    assert "resuming after" in answer.err
    data = answer.json
    (row,) = data["explain"]["concretisations"]
    assert row["times"] == row["runs"] == row["values"] == data["concretisations"] == 60
    assert data["explain"]["unseen"] == 0


def test_a_resumed_search_tells_how_many_runs_it_did_not_see(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    seen = killed(tmp_path / "out")
    data = pessimal(*SIXTY, "--explain").json
    (row,) = data["explain"]["concretisations"]
    assert data["explain"]["unseen"] == seen
    assert row["times"] == 60 - seen
    assert any(f"the first {seen} runs" in line for line in explanation(data["explain"]))


def test_a_damaged_ledger_is_told_in_one_line(write, tmp_path, pessimal):
    write(SLOW, "slow.py")
    killed(tmp_path / "out", "--explain")
    state = json.loads((tmp_path / "out" / "state.json").read_text())
    for ledger in ({}, {"runs": 1}, [1]):
        state["lanes"][0]["snapshot"]["ledger"] = ledger
        (tmp_path / "out" / "state.json").write_text(json.dumps(state))
        answer = pessimal(*SIXTY, "--explain")
        assert answer.code == 2
        assert "is not the state of a search" in answer.err


# The ledger

HERE = Site("/app/app.py", "parse", 12, 4, "d[key]")
THERE = Site("/app/app.py", "parse", 14, 4, "key > 5")


def trace_of(*values, others=Side.FEASIBLE, **fields):
    """A run that makes one thing concrete after the other."""
    trace = Trace(**fields)
    for position, value in enumerate(values):
        trace.sites.append(HERE)
        trace.decisions.append(1)
        trace.others.append(others)
        trace.choices.add(position)
        trace.concretisations.append(Concretisation(HERE, "hash()", (value,), position))
    return trace


def row_of(ledger):
    (row,) = ledger.report(None)["concretisations"]
    return row


def test_distinct_values_are_counted_up_to_a_bound():
    ledger = Ledger()
    ledger.add(trace_of(*range(MAX_VALUES + 5), *range(3)), Request())
    assert (row_of(ledger)["times"], row_of(ledger)["values"]) == (MAX_VALUES + 8, MAX_VALUES)
    assert row_of(ledger)["sample"] == [[0], [1], [2], [3], [4]]
    assert f" {MAX_VALUES}+ " in "\n".join(explanation(ledger.report(None)))


@pytest.mark.parametrize("values", [(-1, -2), (1, 1 << 9000), (0.5, float("inf"))])
def test_any_value_is_told_from_another(values):
    ledger = Ledger()
    ledger.add(trace_of(*values, *values), Request())
    assert row_of(ledger)["values"] == 2
    json.dumps(ledger.report(None), allow_nan=False)


def test_a_truth_value_counts_by_what_was_decided():
    ledger = Ledger()
    for taken in (0, 1, 1):
        trace = Trace(sites=[HERE], decisions=bytearray([taken]), others=bytearray(1), choices={0})
        trace.concretisations.append(Concretisation(HERE, "bool()", (), 0))
        ledger.add(trace, Request(probe_other=True))
    assert (row_of(ledger)["values"], row_of(ledger)["sample"]) == (2, [[False], [True]])
    assert row_of(ledger)["untried"] is None


def test_a_place_has_values_left_until_the_last_one_was_taken():
    ledger = Ledger()
    ledger.add(trace_of(1), Request(probe_other=True))
    assert row_of(ledger)["untried"] == 1
    ledger.add(trace_of(2), Request(probe_other=True, avoid=Avoid(0, ())))
    assert row_of(ledger)["untried"] == 1
    ledger.add(trace_of(3, others=Side.INFEASIBLE), Request(probe_other=True, avoid=Avoid(0, ())))
    assert row_of(ledger)["untried"] == 0


def test_what_was_seen_before_is_not_asked_again():
    ledger = Ledger()
    ledger.add(trace_of(1, 1), Request(probe_other=True))
    ledger.add(trace_of(1, 2), Request(probe_other=True, known_prefix=1, avoid=Avoid(1, ())))
    assert row_of(ledger)["untried"] == 2


def test_refusals_and_unknown_directions_are_counted():
    ledger = Ledger()
    unknown = Trace(sites=[THERE, THERE], decisions=bytearray(2), others=bytearray([Side.UNKNOWN] * 2))
    ledger.add(unknown, Request())
    ledger.add(unknown, Request(known_prefix=1))
    ledger.add(Trace(refused="a symbolic value was refused: \x1b[31m" + "x" * 1000), Request())
    report = ledger.report(None)
    assert [(item["site"]["line"], item["times"]) for item in report["unknown"]] == [(14, 3)]
    assert [(len(item["reason"]), item["times"]) for item in report["refusals"]] == [(MAX_REFUSAL_LENGTH, 1)]
    text = "\n".join(explanation(report))
    assert "unknown   3 times: app.py:14  in parse  `key > 5`" in text
    assert "refused   1 times: a symbolic value was refused: \\x1b[31mxxx" in text
    assert max(map(len, text.splitlines())) < 200


def test_the_ledgers_of_two_processes_are_one():
    """As if one process had made all runs, but for what both left untried."""
    unknown = Trace(sites=[THERE], decisions=bytearray(1), others=bytearray([Side.UNKNOWN]), confidences={0: 0.25})
    runs = [trace_of(1, 2, leaves=[1]), unknown, Trace(refused="no"), trace_of(2, 3, leaves=[2]), unknown]
    whole, parts = Ledger(), [Ledger(), Ledger()]
    for number, trace in enumerate(runs):
        whole.add(trace, Request())
        parts[number > 2].add(trace, Request())
    united = Ledger()
    for part in parts:
        united.include(Ledger.from_json(json.loads(json.dumps(part.to_json()))))
    assert united.report(None) == whole.report(None)
    assert united.inputs == whole.inputs


def test_refusals_that_are_all_different_do_not_pile_up():
    ledger = Ledger()
    for i in range(MAX_REFUSALS + 7):
        ledger.add(Trace(refused=f"no {i}"), Request())
    report = ledger.report(None)["refusals"]
    assert len(report) == MAX_REFUSALS + 1
    assert report[0] == {"reason": OTHER_REFUSALS, "times": 7}


def test_the_ledger_survives_json():
    ledger = Ledger(unseen=3)
    ledger.add(trace_of(1, 2, refused="no"), Request(probe_other=True))
    ledger.add(Trace(sites=[THERE], decisions=bytearray(1), others=bytearray([Side.UNKNOWN])), Request())
    again = Ledger.from_json(json.loads(json.dumps(ledger.to_json())))
    assert again.to_json() == ledger.to_json()
    for item in (ledger, again):
        item.add(trace_of(2, 3), Request())
    assert again.report(None) == ledger.report(None)


def test_the_costliest_come_first():
    ledger = Ledger()
    for line, times in ((1, 2), (2, 5), (3, 1)):
        site = Site("/app/app.py", "parse", line, 0, f"d[{line}]")
        trace = trace_of(*range(times))
        trace.concretisations = [Concretisation(site, "hash()", (0,), i) for i in range(times)]
        ledger.add(trace, Request())
    coverage = Coverage()
    coverage.add(CoverageGain([], [(("/app/app.py", "parse", 3), [Jump("/app/app.py", "parse", 3, 4, "if x:")])]))
    rows = ledger.report(coverage)["concretisations"]
    assert [(row["site"]["line"], row["missed"]) for row in rows] == [(3, 1), (2, 0), (1, 0)]


def test_a_direction_that_is_known_to_be_feasible_is_not_missed():
    ledger = Ledger()
    trace = trace_of(1)
    trace.sites.append(THERE)
    trace.decisions.append(0)
    trace.others.append(Side.FEASIBLE)
    ledger.add(trace, Request())
    coverage = Coverage()
    place = (HERE.file, HERE.function, HERE.line)
    jumps = [Jump(THERE.file, THERE.function, THERE.line, to, "if key > 5:") for to in (15, 17)]
    coverage.add(CoverageGain(jumps[1:], [(place, jumps)]))
    assert ledger.report(coverage)["concretisations"][0]["missed"] == 0


def test_a_bounded_number_of_inputs_is_kept_to_measure_with():
    ledger = Ledger()
    for _ in range(ENOUGH_INPUTS + 5):
        ledger.add(trace_of(0), Request())
    assert len(ledger.inputs) == ENOUGH_INPUTS
    ledger.add(trace_of(1, outcome=Outcome.TIMED_OUT), Request())
    assert len(ledger.inputs) == ENOUGH_INPUTS
    for value in range(2, MAX_INPUTS):
        ledger.add(trace_of(value), Request())
    assert len(ledger.inputs) == MAX_INPUTS


def test_a_long_list_is_cut():
    ledger = Ledger()
    for line in range(SHOWN_ROWS + 2):
        trace = trace_of(0)
        trace.concretisations = [Concretisation(Site("/a.py", "f", line, 0, "t" * 80), "r" * 80, (0,), 0)]
        ledger.add(trace, Request())
    lines = explanation(ledger.report(None))
    assert len(lines) == 1 + SHOWN_ROWS + 2
    assert "... and 2 more" in lines[-2]
    assert max(map(len, lines)) < 160


# Coverage by lines


def loops(x):
    for i in range(x):
        if i == 2:
            continue
        if i == 4:
            break
    else:
        x = -x
    while x > 0:
        x -= 2
        if x == 1:
            return 0
    return x


def nested(x):
    try:
        if x == 0:
            raise KeyError(x)
        if (
            x == 1
            or x == 2
        ):  # fmt: skip
            raise ValueError(x)
    except KeyError:
        x = 5
    except ValueError:
        x = 6
    finally:
        if x == 6:
            x = 7
    return x


def blocks(x):
    with suppress(ValueError):
        if x == 1:
            raise ValueError
        x += 1
    match x:
        case 1:
            return "one"
        case int() if x > 3:
            return "many"
        case _:
            pass
    return [
        item
        for item in range(x)
        if item % 2
    ]  # fmt: skip


@pytest.mark.parametrize(("function", "inputs"), [(loops, range(8)), (nested, range(5)), (blocks, range(6))])
def test_inputs_that_go_every_way_miss_nothing(function, inputs):
    first = function.__code__.co_firstlineno + 1
    place = (function.__code__.co_filename, function.__name__, first)
    meter, coverage = LineCoverage(lambda leaves, seconds: function(*leaves), [place], Scope().includes), Coverage()
    for x in inputs:
        coverage.add(meter.run([x], 1.0))
        if x == inputs[0]:
            assert coverage.missing(place)
    assert coverage.missing(place) == set()


def test_only_what_comes_after_the_place_is_missed():
    line = loops.__code__.co_firstlineno
    late, early = ((loops.__code__.co_filename, "loops", line + n) for n in (8, 1))
    meter, coverage = LineCoverage(lambda leaves, seconds: loops(*leaves), [late, early], Scope().includes), Coverage()
    coverage.add(meter.run([1], 1.0))
    assert {jump.line - line for jump in coverage.missing(early)} >= {2, 4}
    assert {jump.line - line for jump in coverage.missing(late)} == {8}


def test_the_highest_confidence_of_a_place_is_shown_first():
    ledger = Ledger()
    others = bytearray([Side.UNKNOWN] * 3)
    there = replace(THERE, line=20)
    trace = Trace(sites=[THERE, there, there], decisions=bytearray(3), others=others, confidences={1: 0.25, 2: 0.004})
    ledger.add(trace, Request())
    report = Ledger.from_json(json.loads(json.dumps(ledger.to_json()))).report(None)
    rows = [(item["site"]["line"], item["times"], item["confidence"]) for item in report["unknown"]]
    assert rows == [(20, 2, 0.25), (14, 1, None)]
    text = "\n".join(explanation(report))
    assert "unknown   2 times: app.py:20  in parse  `key > 5`, confidence 25 %" in text


@pytest.mark.parametrize(("confidence", "text"), [(0.0, "0 %"), (1e-6, "< 0.01 %"), (0.48, "48 %"), (1.0, "100 %")])
def test_a_confidence_is_a_percentage(confidence, text):
    assert percent(confidence) == text


def test_the_confidence_of_what_stays_unknown_reaches_the_result(write):
    target = write("import zlib\n\ndef never(data: bytes) -> int:\n    return 1 if zlib.crc32(data) > 1 << 40 else 0\n")
    result = package.explore(f"{target}:never", size=2, explain=True)
    assert result.effort.unknown == 1 and 0 <= result.effort.confidence <= 1
    assert result.to_json()["confidence"] == result.effort.confidence
    assert [item["confidence"] for item in result.explain["unknown"]] == [result.effort.confidence]
