"""The tasks of bench-river in a process of their own, in which one version of one parser is imported.

Started by :mod:`bench.river` with tasks as lines of JSON on stdin; each is answered by a line on stdout.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from bench.river_strategy import Eager, Noted
from bench.river_subjects import SIZE
from pessimal.frontend import FrontEnd, make_front_end
from pessimal.inputs import encode
from pessimal.learn.branches import ROWS
from pessimal.learn.known import Known, Led
from pessimal.learn.outlook import Outlook
from pessimal.learn.ranking import Ranking
from pessimal.learn.ranking_rules import RankingRules
from pessimal.registry import OBJECTIVES, STRATEGIES
from pessimal.search.budget import Budget
from pessimal.search.ranked import Ranked
from pessimal.search.session import SearchSession
from pessimal.strategy import SearchOver
from pessimal.target import Reference
from pessimal.target_spec import Limits, TargetSpec

RUN_SECONDS = 30.0
EXPERIENCES, EPOCHS = 5000, 9


def answered(task: dict[str, Any], fronts: dict[str, FrontEnd]) -> dict[str, Any]:
    """What a task gives."""
    if task["kind"] == "epoch":
        return epoch(task["options"])
    if task["target"] not in fronts:
        spec = TargetSpec(Reference.parse(task["target"]), SIZE, limits=Limits(run_seconds=RUN_SECONDS))
        fronts[task["target"]] = make_front_end(spec)
        fronts[task["target"]].prepare()
    front_end = fronts[task["target"]]
    return trained(task, front_end) if task["kind"] == "train" else searched(task, front_end)


def session_on(front_end: FrontEnd, seed: int, paths: int | None) -> SearchSession:
    """A session on outcomes of branches, in this process."""
    return SearchSession(
        front_end,
        Budget(seconds=None, paths=paths),
        seed=seed,
        run_seconds=RUN_SECONDS,
        send=lambda message: None,
        objective=OBJECTIVES.make("branches", {"stop_at": None}),
    )


def trained(task: dict[str, Any], front_end: FrontEnd) -> dict[str, Any]:
    """Train a model from random inputs, or train an older one on."""
    file, began = Path(task["model"]), perf_counter()
    file.unlink(missing_ok=True)
    base = {} if task["base"] is None else {"load": task["base"], "transfer": True}
    episodes = {"episodes": task["episodes"], "episode_runs": task["runs"], "epsilon_episodes": task["episodes"]}
    strategy = Ranked(save=str(file), **episodes, **base, **task["options"])
    session = session_on(front_end, task["seed"], None)
    session.conduct(strategy)
    report = strategy.report()
    return {
        "seconds": round(perf_counter() - began, 2),
        "bytes": file.stat().st_size,
        "curve": report["curve"],
        **{name: report[name] for name in ("experiences", "updates", "flips")},
    }


def searched(task: dict[str, Any], front_end: FrontEnd) -> dict[str, Any]:
    """Search from a text, and note after which flips outcomes were reached."""
    strategy: Any = Eager() if task["strategy"] == "eager" else STRATEGIES.make(task["strategy"], task["options"])
    session = session_on(front_end, task["seed"], task["paths"])
    strategy.adopt(encode(front_end.inputs, {"text": task["text"]}), 0.0)
    noted = Noted(session)
    with suppress(SearchOver):
        strategy.search(noted)
    report = strategy.report() if hasattr(strategy, "report") else {}
    kept = {name: report[name] for name in ("note", "worth") if name in report}
    return {**noted.noted(), "learning": round(session.counters.learning_seconds, 3), **kept}


def epoch(options: dict[str, Any]) -> dict[str, Any]:
    """How many milliseconds of processor time an epoch over 5,000 experiences takes, and the scores of 60 flips."""
    if options.get("model", "outlook") == "outlook":
        return outlook_epoch()
    batch = RankingRules(**options).batch
    rules = RankingRules(**options, memory=EXPERIENCES, batches=-(-EXPERIENCES // batch), update_every=EXPERIENCES)
    ranking, rng = Ranking(rules, 0), np.random.default_rng(0)
    known = Known(is_reached=True, is_wanted=True, tries=1, infeasible=0, value=1.0, position=3, idle=2)
    paths = rng.integers(0, ROWS, (EXPERIENCES, 12, 4)).astype(np.int16)
    questions = [ranking.question(path, 0, 11, 1, known) for path in paths]
    for question in questions:
        assert question is not None
        ranking.learn(question, Led(float(rng.random())))
    model = ranking._models[questions[0].model if questions[0] is not None else 0]
    learning = [_milliseconds(lambda: model.update(rng)) for _ in range(EPOCHS)]
    scoring = [_milliseconds(lambda: ranking.scores(questions[:60])) for _ in range(EPOCHS)]
    return {"epoch_ms": min(learning), "median_ms": sorted(learning)[EPOCHS // 2], "scores_ms": min(scoring)}


def outlook_epoch() -> dict[str, Any]:
    """The same for a model that counts: 5,000 flips of 300 sites, each of which has reached 40 outcomes behind it."""
    rng = np.random.default_rng(0)
    known = Known(is_reached=True, is_wanted=True, tries=1, infeasible=0, value=1.0, position=3, idle=2)
    paths = [Outlook.read([f"a.py:f:{site}" for site in sites], bytes(60)) for sites in rng.integers(0, 300, (500, 60))]
    asked = [(paths[number % 500], int(place)) for number, place in enumerate(rng.integers(8, 20, EXPERIENCES))]
    questions = [Outlook.question(path, 0, place, 1, known) for path, place in asked]
    led = [Led(1.0, reached=set(path.names[place : place + 40])) for path, place in asked]
    models = [Outlook(RankingRules()) for _ in range(EPOCHS)]
    learning = [_milliseconds(partial(_learn_all, model, questions, led)) for model in models]
    scoring = [_milliseconds(lambda: models[0].scores(questions[:60], set(paths[0].names))) for _ in range(EPOCHS)]
    return {"epoch_ms": min(learning), "median_ms": sorted(learning)[EPOCHS // 2], "scores_ms": min(scoring)}


def _learn_all(model: Outlook, questions: list[Any], led: list[Led]) -> None:
    for question, result in zip(questions, led, strict=True):
        model.learn(question, result)


def _milliseconds(action: Any) -> float:
    began = process_time()
    action()
    return round(1000 * (process_time() - began), 2)


def main() -> None:
    fronts: dict[str, FrontEnd] = {}
    for line in sys.stdin:
        print(json.dumps(answered(json.loads(line), fronts)), flush=True)


if __name__ == "__main__":
    main()
