import json

from pessimal.synthesis.cost_prediction import CostPrediction


def test_costs_that_are_the_branches_need_no_law():
    costs = {n: n * n for n in range(1, 8)}
    prediction = CostPrediction.of(costs, costs)
    assert prediction.counts_branches
    assert prediction.cost(100, 17) == 17
    assert prediction.cost(100) == 10_000


def test_other_costs_follow_their_law():
    prediction = CostPrediction.of({n: 3 * n for n in range(1, 8)}, dict.fromkeys(range(1, 8), 1))
    assert not prediction.counts_branches
    assert prediction.cost(100, 17) == 300


def test_small_sizes_may_be_exceptions_but_not_many():
    def of(exceptions: int) -> float | None:
        costs = {n: 0 if n <= exceptions else n for n in range(1, 11)}
        return CostPrediction.of(costs, dict.fromkeys(costs, -1)).cost(50)

    assert [of(exceptions) for exceptions in range(5)] == [50, 50, 50, 50, None]


def test_few_sizes_and_fractions_predict_nothing():
    assert CostPrediction.of({1: 1, 2: 2, 3: 3, 4: 4}, {}).cost(9) is None
    assert CostPrediction.of({n: n + 0.5 for n in range(9)}, {}).cost(9) is None
    assert CostPrediction.of({}, {}).cost(9) is None


def test_through_json():
    prediction = CostPrediction.of({n: n * (n - 1) // 2 for n in range(1, 9)}, {1: 5})
    assert CostPrediction.from_json(json.loads(json.dumps(prediction.to_json()))) == prediction
