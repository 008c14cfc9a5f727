"""train and models: a model file is written, trained on, listed and used; the curve has all episodes."""

import json
import signal

import numpy as np
import pytest

import pessimal
from pessimal import training
from pessimal.errors import UsageError
from pessimal.learn.agent_file import Agent
from pessimal.learn.layers import new_layers
from pessimal.unfinished_training import UnfinishedTraining
from tests.commands import PAUSE, finish, kept, slowly, start, wait_for

TRIANGLE = "examples/triangle.py:classify"
QUICK = {"update_every": 8, "batches": 2, "batch": 16, "episode_runs": 6}


def test_a_model_is_trained_and_used(tmp_path):
    file = tmp_path / "model.json"
    result = pessimal.train(TRIANGLE, model=file, episodes=3, options=QUICK, budget=600)
    (curve,) = result.curves.values()
    assert len(curve) == 3
    assert result.experiences > 4
    assert "3 episodes" in str(result)
    listed = training.models(tmp_path)
    assert [item["file"] for item in listed.models] == ["model.json"]
    assert listed.models[0]["modules"] == ["examples/triangle.py"]
    assert listed.models[0]["experiences"] == result.experiences
    used = pessimal.explore(
        TRIANGLE, strategy="ranked", objective="branches", options={"load": str(file)}, budget=600, paths=10
    )
    assert "note" not in used.report
    assert used.report["experiences"] > result.experiences


SLOW = f"""
import os
import time

def steps(xs: list[int]) -> int:
    count = 0
    for x in xs:
        if x * x > 4:
            count += 1
        if x * x > 9:
            count += 1
    {PAUSE}
    return count
"""


def test_a_killed_and_an_interrupted_training_lose_no_experience(write, tmp_path):
    write(SLOW, "slow.py")
    settings = [f"{name}={value}" for name, value in {**QUICK, "episode_runs": 12}.items()]
    options = ["--episodes", 4, "--size", 4, "--quiet", *(part for item in settings for part in ("--set", item))]
    out = tmp_path / "killed.json.training" / "0"
    with slowly():
        process = start("train", "slow.py:steps", "--model", "killed.json", *options)
        wait_for(lambda: kept(out, "runs") >= 3, process)
        process.kill()
        process.communicate()
        before = kept(out, "runs")
        process = start("train", "slow.py:steps", "--model", "killed.json", *options)
        wait_for(lambda: kept(out, "runs") > before, process)
        process.send_signal(signal.SIGINT)
        finish(process)
        assert process.returncode == 130
        assert kept(out, "runs") > before
    for model in ("killed.json", "whole.json"):
        said = finish(start("train", "slow.py:steps", "--model", model, *options))
        assert "4 episodes" in said[0], said
    learned = [json.loads((tmp_path / model).read_text())["ranking"] for model in ("killed.json", "whole.json")]
    assert learned[0] == learned[1]
    assert learned[0]["models"][0]["added"] > 20
    assert not out.parent.exists()


def test_another_training_waits_for_an_unfinished_one(tmp_path):
    file = tmp_path / "model.json"
    request = UnfinishedTraining(file, {"targets": ["a"], "seed": 0})
    with pytest.raises(UsageError, match="an unfinished training with another seed: repeat the command"):
        UnfinishedTraining(file, {"targets": ["a"], "seed": 1})
    (tmp_path / "model.json.training" / "training.json").write_text("{")
    with pytest.raises(UsageError, match="holds a training that is damaged"):
        UnfinishedTraining(file, {"targets": ["a"], "seed": 0})
    request.remove()
    assert UnfinishedTraining(file, {"targets": ["b"], "seed": 1}).finished(0) is None


def test_targets_that_were_trained_on_are_not_trained_on_again(tmp_path):
    unfinished = UnfinishedTraining(tmp_path / "model.json", {"targets": ["a", "b"]})
    unfinished.part(0).mkdir()
    result = {"target": "a", "report": {"curve": [[3, 2, 1]]}, "interrupted": False}
    (unfinished.part(0) / "result.json").write_text(json.dumps(result))
    assert unfinished.finished(0).report == {"curve": [[3, 2, 1]]}
    assert unfinished.finished(1) is None
    (unfinished.part(0) / "state.json").write_text("{}")
    assert unfinished.finished(0) is None


def test_damaged_models_are_listed_as_such_and_other_files_are_not(tmp_path):
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "bad.json").write_text(json.dumps({"format": "pessimal ranking", "version": 2, "checksum": "x"}))
    assert "bad.json  cannot be used: " in str(training.models(tmp_path))
    assert "other.json" not in str(training.models(tmp_path))


def test_mistakes_are_told(tmp_path):
    (tmp_path / "notes.json").write_text("my notes")
    with pytest.raises(UsageError, match="is damaged: it is not JSON: give another file"):
        pessimal.train(TRIANGLE, model=tmp_path / "notes.json", episodes=2)
    with pytest.raises(UsageError, match="--episodes must be at least 2"):
        pessimal.train(TRIANGLE, model=tmp_path / "m.json", episodes=1)
    with pytest.raises(UsageError, match="is not a directory"):
        training.models(tmp_path / "none")


def test_agents_are_listed_with_what_they_were_trained_on(tmp_path):
    agent = Agent("moves", [30, 13], new_layers([30, 13], np.random.default_rng(0)), ["a.c"], episodes=7, seed=3)
    (tmp_path / "own.json").write_text(agent.packed())
    (tmp_path / "cut.json").write_text(agent.packed()[:-300])
    found = training.models(tmp_path)
    assert "own.json  agent moves  a.c  7 episodes, seed 3" in str(found)
    assert "cut.json  cannot be used: " in str(found)
    assert [item["file"] for item in found.models] == ["cut.json", "own.json"]
