import json

import pytest

from pessimal.errors import UsageError
from pessimal.expr import Compare, Junction, Offset, Var
from pessimal.synthesis import saved
from pessimal.synthesis.cost_prediction import CostPrediction
from pessimal.synthesis.proposal import proposals
from pessimal.trace import Site, Trace

SITE = Site("f.py", "f", 1, 0, "x < y")
PREDICTION = CostPrediction.of({n: n for n in range(1, 9)}, {})


def chain(n: int) -> Trace:
    """A path with an order, a float, a choice between conditions and a constant that is no number."""
    trace = Trace()
    for i in range(n):
        either = Junction("or", (Compare("==", Offset(i, 2), 7), Compare("<", Var(i), 0.5)))
        for condition, taken in ((Compare("<", Offset(i), Offset(i + 1)), 1), (either, 0)):
            trace.sites.append(SITE)
            trace.conditions.append(condition)
            trace.decisions.append(taken)
    return trace


@pytest.fixture
def proposal():
    return next(proposals({n: [chain(n)] for n in range(3, 9)}, 40))


def test_a_model_comes_back_as_it_was(tmp_path, proposal):
    file = tmp_path / "model.json"
    file.write_text(saved.text(proposal, PREDICTION))
    assert saved.load(file) == (proposal, PREDICTION, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "pessimal model 1"},
        {"program": [{"symbol": "x", "forms": []}]},
        {"program": [{"symbol": ["branch", "f", 1], "forms": []}]},
        {"modulus": "two"},
        {"prediction": None},
        {"fitted": 3},
    ],
)
def test_what_is_no_model_is_one_line(tmp_path, proposal, change):
    file = tmp_path / "model.json"
    file.write_text(json.dumps({**json.loads(saved.text(proposal, PREDICTION)), **change}))
    with pytest.raises(UsageError, match=r"model.json is not a model of synthesis: give a file that save wrote"):
        saved.load(file)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "\0"])
def test_nor_is_anything_else(tmp_path, text):
    file = tmp_path / "model.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="is not a model of synthesis"):
        saved.load(file)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        saved.load(tmp_path / "none")
