"""train and models: a model file is written, trained on, listed and used; the curve has all episodes."""

import json

import pytest

import pessimal
from pessimal import training
from pessimal.errors import UsageError

TRIANGLE = "examples/triangle.py:classify"
QUICK = {"update_every": 8, "batches": 2, "batch": 16, "episode_runs": 6}


def test_a_model_is_trained_and_used(tmp_path):
    file = tmp_path / "model.json"
    result = pessimal.train(TRIANGLE, model=file, episodes=3, options=QUICK, budget=60)
    (curve,) = result.curves.values()
    assert len(curve) == 3
    assert result.experiences > 4
    assert "3 episodes" in str(result)
    listed = training.models(tmp_path)
    assert [item["file"] for item in listed.models] == ["model.json"]
    assert listed.models[0]["modules"] == ["examples/triangle.py"]
    assert listed.models[0]["experiences"] == result.experiences
    used = pessimal.explore(
        TRIANGLE, strategy="ranked", objective="branches", options={"load": str(file)}, budget=20, paths=10
    )
    assert "note" not in used.report
    assert used.report["experiences"] > result.experiences


def test_damaged_models_are_listed_as_such_and_other_files_are_not(tmp_path):
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "bad.json").write_text(json.dumps({"format": "pessimal ranking", "version": 1, "checksum": "x"}))
    assert "bad.json  cannot be used: " in str(training.models(tmp_path))
    assert "other.json" not in str(training.models(tmp_path))


def test_mistakes_are_told(tmp_path):
    with pytest.raises(UsageError, match="--episodes must be at least 2"):
        pessimal.train(TRIANGLE, model=tmp_path / "m.json", episodes=1)
    with pytest.raises(UsageError, match="is not a directory"):
        training.models(tmp_path / "none")
