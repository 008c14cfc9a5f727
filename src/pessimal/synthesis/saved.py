"""Models as files: made once from small sizes, saved, and solved at any large size."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError
from pessimal.json_values import read, sealed, unsealed
from pessimal.synthesis.cost_prediction import CostPrediction
from pessimal.synthesis.family import Model
from pessimal.synthesis.laws import Law
from pessimal.synthesis.points import Constant, Point, Shape
from pessimal.synthesis.program import Program
from pessimal.synthesis.proposal import Proposal
from pessimal.synthesis.terms import Atom, Loop, Term

FORMAT = "pessimal synthesis 3"


def text(proposal: Proposal, prediction: CostPrediction) -> str:
    """A model and its cost prediction as the text of a file."""
    model = proposal.model
    data = {
        "format": FORMAT,
        "view": proposal.view,
        "covers_path": proposal.covers_path,
        "absolute": proposal.is_absolute,
        "modulus": model.modulus,
        "remainder": model.fitted[0] % model.modulus,
        "fitted": model.fitted,
        "explained": model.explained,
        "unexplained": model.unexplained,
        "prediction": prediction.to_json(),
        "program": model.program.to_json(),
    }
    return sealed(data)


def load(file: Path) -> tuple[Proposal, CostPrediction, int]:
    """The model of a file, its cost prediction, and the remainder that sizes must have modulo its modulus."""
    try:
        data = unsealed(read(file))
        if data["format"] != FORMAT:
            raise ValueError(data["format"])
        sizes = (tuple(map(int, data[name])) for name in ("fitted", "explained", "unexplained"))
        program = Program(tuple(_with_points(term) for term in Program.from_json(data["program"]).terms))
        model = Model(program, int(data["modulus"]), *sizes)
        proposal = Proposal(model, str(data["view"]), bool(data["covers_path"]), bool(data["absolute"]))
        return proposal, CostPrediction.from_json(data["prediction"]), int(data["remainder"])
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", slug="model") from None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        raise UsageError(f"{file} is not a model of synthesis: give a file that save wrote", slug="model") from None


def _with_points(term: Term[Law]) -> Term[Law]:
    """The term with its symbols turned back into points."""
    if isinstance(term, Loop):
        return Loop(term.trip, tuple(_with_points(inner) for inner in term.body))
    return Atom(_point(term.symbol), term.forms)


def _point(symbol: Hashable) -> Point:
    if not isinstance(symbol, tuple):
        raise ValueError(f"{symbol!r} is not a point")
    kind, place, taken, shape = symbol
    return Point(str(kind), str(place), int(taken), _shape(shape))


def _shape(shape: Any) -> Shape:
    """The shape that was saved; a tuple of one element is a constant."""
    if not isinstance(shape, tuple):
        return shape
    return Constant(shape[0]) if len(shape) == 1 else tuple(_shape(part) for part in shape)
