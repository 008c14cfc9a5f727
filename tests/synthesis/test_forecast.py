import json

from pessimal.synthesis.forecast import Forecast


def test_costs_that_are_the_branches_need_no_law():
    costs = {n: n * n for n in range(1, 8)}
    forecast = Forecast.of(costs, costs)
    assert forecast.is_counted
    assert forecast.cost(100, 17) == 17
    assert forecast.cost(100) == 10_000


def test_other_costs_follow_their_law():
    forecast = Forecast.of({n: 3 * n for n in range(1, 8)}, dict.fromkeys(range(1, 8), 1))
    assert not forecast.is_counted
    assert forecast.cost(100, 17) == 300


def test_small_sizes_may_be_exceptions_but_not_many():
    def of(exceptions: int) -> float | None:
        costs = {n: 0 if n <= exceptions else n for n in range(1, 11)}
        return Forecast.of(costs, dict.fromkeys(costs, -1)).cost(50)

    assert [of(exceptions) for exceptions in range(5)] == [50, 50, 50, 50, None]


def test_few_sizes_and_broken_numbers_foretell_nothing():
    assert Forecast.of({1: 1, 2: 2, 3: 3, 4: 4}, {}).cost(9) is None
    assert Forecast.of({n: n + 0.5 for n in range(9)}, {}).cost(9) is None
    assert Forecast.of({}, {}).cost(9) is None


def test_through_json():
    forecast = Forecast.of({n: n * (n - 1) // 2 for n in range(1, 9)}, {1: 5})
    assert Forecast.from_json(json.loads(json.dumps(forecast.to_json()))) == forecast
