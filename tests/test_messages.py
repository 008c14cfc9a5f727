"""Messages between worker and parent, and what of them is kept in the run directory: nothing is lost on the way."""

import copy
import json
from contextlib import suppress
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.coverage import CoverageGain, Jump
from pessimal.fatal_runs import FatalRun, RunStart
from pessimal.json_values import KIND, rebuilt
from pessimal.messages import (
    BestFound,
    Counters,
    CoverageMeasured,
    CoverageMessage,
    CoverageStarted,
    FailureFound,
    Finding,
    InputDescribed,
    PathFound,
    PathsChecked,
    ProgressMade,
    ReplayEnded,
    ReplayMessage,
    ReplayStarted,
    SearchEnded,
    SearchMessage,
    Snapshot,
    SnapshotTaken,
)
from pessimal.objective import EveryPath
from pessimal.pool import wire
from pessimal.runs import Avoid
from pessimal.search.budget import Budget
from pessimal.search.claimed_paths import ClaimedPaths
from pessimal.search.session import SearchSession
from pessimal.supervisor.state import SearchState
from pessimal.testing import InProcess
from pessimal.trace import Outcome, Trace

leaf = st.integers() | st.floats(allow_nan=False)
leaves = st.lists(leaf, max_size=5).map(tuple)
count = st.integers(0, 2**40)
seconds = st.floats(0, 1e6)
finding = st.builds(
    Finding,
    leaves=leaves,
    outcome=st.sampled_from(Outcome),
    cost=st.just(-inf) | count | seconds,
    branches=count,
    origin=st.sampled_from(["symbolic", "concrete"]),
    exception=st.none() | st.text(),
)
counters = st.builds(
    Counters,
    paths=count,
    runs=count,
    seconds=seconds,
    found_after=st.none() | seconds,
    found_run=st.none() | count,
    found_by=st.none() | st.text(),
    divergence=st.none() | st.text(),
    learning_seconds=seconds,
)
snapshot = st.builds(
    Snapshot,
    counters=counters,
    best=st.none() | finding,
    strategy=st.none() | st.dictionaries(st.text(), count),
    ledger=st.none(),
)
avoid = st.none() | st.builds(Avoid, count, st.lists(leaves, max_size=3).map(tuple))
fatal = st.builds(
    FatalRun, st.builds(RunStart, leaves, avoid, count), st.none() | st.binary(max_size=5), st.sampled_from(Outcome)
)
state = st.builds(
    SearchState,
    snapshot,
    st.lists(finding, max_size=3),
    st.lists(finding, max_size=3),
    st.lists(fatal, max_size=3),
)

FOUND = Finding((2, 1.5, 0), Outcome.RAISED, 7, 7, "symbolic", "ValueError: seven")
HUNG = Finding((1,), Outcome.TIMED_OUT, -inf, 3, "concrete")
CLAIMED = ClaimedPaths()
CLAIMED.note_cost(7, [2, 1.5, 0])
CLAIMED.add(Trace(leaves=[2, 1.5, 0], outcome=Outcome.RAISED))
STATE = SearchState(
    Snapshot(Counters(paths=3, found_after=0.5, found_by="climb"), FOUND, {"done": 3}, claimed_paths=CLAIMED.to_json()),
    [FOUND],
    [HUNG],
    [FatalRun(RunStart((1, 2), Avoid(4, ((5,), (6,))), 10), b"\1\0", Outcome.CRASHED)],
)


@given(state)
def test_a_state_is_the_same_after_it_was_kept_as_json(state):
    assert SearchState.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_a_run_that_did_not_end_has_no_cost_in_json():
    assert HUNG.to_json()["cost"] is None
    assert json.loads(json.dumps(FOUND.to_json())) == {
        "leaves": [2, 1.5, 0],
        "outcome": "raised",
        "cost": 7,
        "branches": 7,
        "origin": "symbolic",
        "exception": "ValueError: seven",
        "seconds": 0.0,
    }


def places(data, way=()):
    """The ways to all values inside JSON data, but not into what a strategy keeps for itself."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*way, key)
        if key != "strategy":
            yield from places(value, (*way, key))


KEPT = json.loads(json.dumps(STATE.to_json()))


def outer(data, way):
    """What holds the value at the end of a way."""
    for key in way[:-1]:
        data = data[key]
    return data


@pytest.mark.parametrize("way", list(places(KEPT)), ids=lambda way: ".".join(map(str, way)))
def test_a_state_with_a_wrong_value_anywhere_is_refused(way):
    data = copy.deepcopy(KEPT)
    outer(data, way)[way[-1]] = [["damaged"]]
    with pytest.raises(ValueError):
        SearchState.from_json(data)


@pytest.mark.parametrize(
    "way", [way for way in places(KEPT) if isinstance(way[-1], str)], ids=lambda way: ".".join(map(str, way))
)
def test_a_state_without_one_of_its_fields_is_refused(way):
    data = copy.deepcopy(KEPT)
    del outer(data, way)[way[-1]]
    with pytest.raises(ValueError):
        SearchState.from_json(data)


MESSAGES = [
    ProgressMade(Counters(paths=2)),
    BestFound(FOUND),
    PathFound(FOUND),
    FailureFound(HUNG),
    SnapshotTaken(STATE.snapshot),
    SearchEnded("nothing left to try", "tree exhausted", Counters(), FOUND, None, {"note": "x"}, ("Thread-1",)),
    SearchEnded("-", None, Counters(), FOUND, None, None, (), described=InputDescribed({"xs": [1]}, "f([1])")),
    ReplayStarted(0, InputDescribed({"xs": [1]}, "f([1])")),
    ReplayEnded(0, Outcome.RETURNED, None, "1", 3, 3),
    CoverageStarted(1),
    CoverageMeasured(1, CoverageGain((Jump("f.py", "f", 1, 2, "if x:"),), ((("f.py", "f", 1), ()),))),
    PathsChecked(1, 2),
]


KINDS = SearchMessage | SearchEnded | ReplayMessage | CoverageMessage | PathsChecked


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_the_same_in_another_process_and_cannot_be_changed(message):
    assert rebuilt(KINDS, wire.decode(wire.encode(message))) == message
    name = type(message).__slots__[0]
    with pytest.raises(AttributeError):
        setattr(message, name, getattr(message, name))


@given(leaves, st.none() | st.builds(Avoid, st.integers(0, 9), st.lists(leaves, max_size=3).map(tuple)), count)
def test_the_start_of_a_run_is_the_same_after_the_flight_recorder(start, avoid, size):
    run = RunStart(start, avoid, size)
    again = RunStart.unpack(run.pack())
    assert again == run
    assert [*map(type, again.leaves)] == [*map(type, start)]


def test_numbers_of_any_length_and_beyond_all_numbers_travel():
    message = BestFound(Finding((10**5000, inf, -0.0, 2**70), Outcome.RETURNED, -inf, 0, "concrete", "\udcff"))
    again = rebuilt(SearchMessage, wire.decode(wire.encode(message)))
    assert again == message
    assert repr(again.finding.leaves[2]) == "-0.0"
    assert RunStart.unpack(RunStart((10**5000,), None, 1).pack()).leaves == (10**5000,)


@given(st.sampled_from(MESSAGES), st.data())
def test_what_is_no_message_is_refused_by_an_exception_that_the_pool_expects(message, data):
    sent = wire.decode(wire.encode(message))
    name = data.draw(st.sampled_from([*sent]))
    sent[name] = data.draw(st.sampled_from([{}, {KIND: "Finding"}, [[]], "x", object]))
    if data.draw(st.booleans()):
        del sent[data.draw(st.sampled_from([*sent]))]
    with suppress(LookupError, TypeError, ValueError):
        assert type(rebuilt(KINDS, sent)) is type(message)


def test_a_finding_has_what_its_trace_says():
    trace = Trace(leaves=[3, 1], outcome=Outcome.RAISED, exception="KeyError: 3", decisions=bytearray(b"\1\0\1"))
    assert Finding.of(trace, 5.0, "concrete") == Finding((3, 1), Outcome.RAISED, 5.0, 3, "concrete", "KeyError: 3")


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_what_returned_or_raised_has_ended(outcome):
    finding = Finding((), outcome, 0, 0, "concrete")
    assert finding.ended is (outcome.value in ("returned", "raised"))


def positives(xs: list[int]) -> int:
    return sum(1 for x in xs if x > 0)


class Twice:
    """Runs an input that costs something, a better one, and the first again."""

    name = "twice"

    def search(self, session):
        for start in ([0, 0], [0, 1], [0, 0]):
            session.run(start=start)


def test_a_session_sends_each_best_each_path_and_its_progress_as_they_were_then():
    sent = []
    session = SearchSession(
        InProcess(positives, 2),
        Budget(seconds=None),
        seed=0,
        run_seconds=10.0,
        send=sent.append,
        objective=EveryPath(),
    )
    session.conduct(Twice())
    best = [message.finding for message in sent if isinstance(message, BestFound)]
    paths = [message.finding for message in sent if isinstance(message, PathFound)]
    assert best == [session.best] == paths[:1]
    assert [finding.leaves for finding in paths] == [(0, 0), (0, 1)]  # the third takes the first path again
    assert {(finding.cost, finding.origin, finding.outcome) for finding in paths} == {(2, "symbolic", Outcome.RETURNED)}
    progress = [message.counters.paths for message in sent if isinstance(message, ProgressMade)]
    assert progress[0] == 1
    assert session.counters.paths == 3
