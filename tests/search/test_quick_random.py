"""QuickRandom draws what Random draws."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pessimal.search.quick_random import QuickRandom


@given(st.integers(0, 2**64), st.integers(-(2**70), 2**70), st.integers(0, 2**70), st.integers(1, 50))
def test_it_draws_the_same(seed, low, width, length):
    one, other = Random(seed), QuickRandom(seed)
    for _ in range(3):
        assert one.randint(low, low + width) == other.randint(low, low + width)
        assert one.choice(range(length)) == other.choice(range(length))
        assert one.randrange(length) == other.randrange(length)
        assert one.randrange(low, low + 3 * length, 3) == other.randrange(low, low + 3 * length, 3)
        assert one.uniform(-1.5, 2) == other.uniform(-1.5, 2)
        assert one.sample(range(length), 1) == other.sample(range(length), 1)
    assert one.getstate() == other.getstate()
