"""The front-end for binaries: what is emulated is what the processor does, and strategies search it unchanged."""

import pytest

pytest.importorskip("unicorn")

from pessimal.errors import InputError, TargetError, UsageError
from pessimal.messages import FailureFound
from pessimal.runs import Follow, Request
from pessimal.testing import check_front_end
from pessimal.trace import Outcome
from tests.binary.building import built, library
from tests.binary.searching import SECONDS, endings, front_end, searched


def test_a_library_keeps_the_contract():
    check_front_end(lambda: front_end(f"{library('sage', '-O0')}:parse", cost="instructions"))


def test_a_program_keeps_the_contract():
    check_front_end(lambda: front_end(built("sage", "-O0"), cost="blocks", given={"stdin": "bytes:4"}))


@pytest.mark.parametrize("options", [("-O0",), ("-O0", "-no-pie"), ("-O0", "-static"), ("-O0", "-s")])
def test_all_sixteen_paths_and_the_abort_of_a_program(options):
    session, messages = searched(front_end(built("sage", *options), given={"stdin": "bytes:4"}), "exhaustive")
    assert session.proof == "tree exhausted"
    assert len(endings(messages)) == 16 and endings(messages).count("SIGABRT") == 1
    (failure,) = [message.finding for message in messages if isinstance(message, FailureFound)]
    assert bytes(failure.leaves) == b"bad!"


@pytest.mark.parametrize(
    ("strategy", "options"), [("generational", {}), ("ranked", {}), ("sweep", {}), ("auto", {}), ("fixed", {})]
)
def test_strategies_run_on_binaries(strategy, options):
    front = front_end(f"{library('sage', '-O0')}:parse")
    _, messages = searched(front, strategy, options=options, paths=100)
    found = endings(messages)
    assert found and (strategy == "fixed" or "SIGABRT" in found)


def test_the_input_as_a_file():
    front = front_end(built("sage", "-O0"), given={"file": "bytes:4"})
    assert front.describe_call([98, 97, 39, 33]).startswith("printf 'ba\\047!' > FILE; ")
    for content, returned in ((b"bad?", "exit 0"), (b"bad!", None)):
        for trace in (front.evaluate(list(content), SECONDS), front.native(list(content), SECONDS)):
            assert trace.returned == returned
    assert "SIGABRT" in endings(searched(front, "exhaustive")[1])


def test_a_magic_number_a_length_and_a_checksum():
    front = front_end(f"{library('nested')}:parse", size=12)
    _, messages = searched(front, "generational", paths=300)
    assert "SIGSEGV" in endings(messages)
    failure = next(message.finding for message in messages if isinstance(message, FailureFound))
    data = bytes(failure.leaves)
    assert data[:5] == b"EMPL\x06" and data[5:8] == b"key"
    assert front.native(failure.leaves, SECONDS).exception == "SIGSEGV"
    assert "nested" in failure.exception and "(parse)" in failure.exception


def test_a_computed_jump_is_one_branch_with_as_many_outcomes():
    front = front_end(f"{library('tables', '-O1', '-fno-tree-switch-conversion')}:parse", size=2)
    session, messages = searched(front, "exhaustive")
    assert session.proof == "tree exhausted"
    returned = {
        front.native(list(m.finding.leaves), SECONDS).returned for m in messages if type(m).__name__ == "PathFound"
    }
    assert returned == {"10", "7", "99", "1", "14", "2", "100", "200"}


def test_a_division_by_zero_is_found():
    front = front_end(f"{library('tables')}:divide", given={"a": "int:-9..9", "b": "int:-9..9"})
    _, messages = searched(front, "exhaustive", paths=50)
    assert "SIGFPE" in endings(messages)
    assert front.describe_call([1, 2]) == "divide(1, 2)"


def test_costs():
    target = f"{library('tables')}:loop"
    worst, least = [7] * 3, [0] * 3
    for cost in ("instructions", "blocks", "branches"):
        front = front_end(target, size=3, cost=cost)
        costs = [front.cost(front.evaluate(leaves, SECONDS), SECONDS) for leaves in (worst, least)]
        assert costs[0] > costs[1]
        symbolic = front.run(Request(start=worst), SECONDS)
        assert front.cost(symbolic, SECONDS) == costs[0]
    front = front_end(target, size=3, cost="address:loop")
    assert front.cost(front.evaluate(worst, SECONDS), SECONDS) == 1


def test_climbing_finds_the_longest_loop():
    session, _ = searched(front_end(f"{library('tables')}:loop", size=3, cost="instructions"), "climb", paths=400)
    best = session.best
    assert [leaf % 8 for leaf in best.leaves] == [7, 7, 7]


def test_models_of_string_functions():
    front = front_end(f"{library('strings')}:command", size=5, call="command(text)", given={"text": "bytes:N"})
    _, messages = searched(front, "exhaustive", paths=400)
    leaves = [m.finding.leaves for m in messages if type(m).__name__ == "PathFound"]
    results = {front.native(list(item), SECONDS).returned for item in leaves}
    assert results == {"0", "1", "2", "3"}
    for item in leaves[:20]:
        assert front.evaluate(item, SECONDS).returned == front.native(item, SECONDS).returned


def test_copies_keep_what_they_hold():
    front = front_end(f"{library('strings')}:copied", size=6)
    trace = front.run(Request(Follow([1] * 4)), SECONDS)
    assert bytes(trace.leaves)[:4] == b"word" and trace.returned == "1"


def test_runs_cost_the_same_in_every_process():
    target = f"{library('strings')}:copied"
    first, second = (front_end(target, size=6, cost="instructions").evaluate(b"word..", SECONDS) for _ in range(2))
    assert first.costs == second.costs


def test_lengths_up_to_the_size():
    front = front_end(f"{library('sage', '-O0')}:parse", size=5, growing=True)
    session, messages = searched(front, "exhaustive")
    assert session.proof == "tree exhausted"
    lengths = {m.finding.leaves[0] for m in messages if type(m).__name__ == "PathFound"}
    assert lengths == {0, 1, 2, 3, 4, 5}


def test_memory_behind_the_input_cannot_be_read():
    front = front_end(f"{library('strings')}:length", size=4, call="length(data)")
    assert front.evaluate([1, 2, 3, 4], SECONDS).returned == "4"
    front = front_end(f"{library('tables')}:parse", size=1, call="parse(data, 1)", given={"data": "bytes:N"})
    assert front.native([0], SECONDS).returned == "200"
    assert front.evaluate([0], SECONDS).outcome is front.native([0], SECONDS).outcome is Outcome.RETURNED


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("parse(", "is not a call"),
        ("other(data)", "but the target is parse"),
        ("parse(data + 1)", "is no input"),
        ("parse(data, zeros(0))", "is no input"),
        ("parse(a, b, c, d, e, f, g)", "more than six"),
    ],
)
def test_calls_that_cannot_be_made(call, what):
    with pytest.raises(InputError, match=what):
        front_end(f"{library('sage', '-O0')}:parse", call=call)


def test_texts_and_room_for_results():
    call = 'joined(data, "no", zeros(4))'
    front = front_end(f"{library('strings')}:joined", size=2, call=call, given={"data": "bytes:N"})
    for content, returned in ((b"no", "1"), (b"on", "0")):
        assert front.evaluate(content, SECONDS).returned == front.native(content, SECONDS).returned == returned
    assert front.describe_call(b"no") == "joined(\"no\", 'no', zeros(4))"


def test_targets_that_cannot_be_named():
    path = library("sage", "-O0")
    with pytest.raises(TargetError, match="is a library: name a function"):
        front_end(path)
    with pytest.raises(TargetError, match=r"no function 'parze': did you mean parse\?"):
        front_end(f"{path}:parze")
    with pytest.raises(TargetError, match="is a program"):
        front_end(f"{built('sage', '-O0')}:main")
    with pytest.raises(InputError, match="must be bytes or int"):
        front_end(f"{path}:parse", given={"data": "list[int]:3"})
    with pytest.raises(UsageError, match="names no address"):
        front_end(f"{path}:parse", cost="address:")


def test_arguments_that_are_not_given_are_zero():
    made = front_end(f"{library('numbers')}:others", 1)
    assert made.evaluate([1], SECONDS).returned == made.native([1], SECONDS).returned == "0"


def test_buffers_of_other_sizes_in_turn():
    front = front_end(f"{library('sage', '-O0')}:parse")
    sizes = (4, 5000, 4, 4096, 4097, 5000, 5000, 3, 4)
    outcomes = [front.resized(size).evaluate(list(b"bad!".ljust(size, b"x"))[:size], SECONDS).outcome for size in sizes]
    assert outcomes == [Outcome.RAISED if size > 3 else Outcome.RETURNED for size in sizes]
