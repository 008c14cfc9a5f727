"""The programs of which ``cover`` is to reach every branch that can be: that all but the named arcs can be reached."""

import json
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from math import nan, pi
from pathlib import Path
from types import ModuleType

import pytest
from coverage import Coverage

FOLDER = Path(__file__).resolve().parent.parent / "bench" / "subjects" / "reachable"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())

WITNESSES = {
    "roman": ["", "MCMXCIV", "IVIV", "VV", "IIII", "?", "IX", "IVX", "XCX", "II"],
    "network": [
        *("1.2.3", "a.0.0.0", "01.0.0.0", "256.0.0.0", "127.0.0.1", "224.0.0.1", "10.1.1.1", "192.168.0.1", "8.8.8.8"),
        "255.255.255.255",
    ],
    "calculator": [
        *("1 + 23 - 2", "2*3/4", "1/0", "-2**3", "2**-1", "2**65", "(1)", "(1", "", "+", "1 1", "x", ")"),
    ],
}
NETWORKS = ["0.0.0.0/0", "1.1.1.1", "1.0.0.0/33", "10.0.0.0/255.0.0.0", "10.0.0.0/255.0.255.0", "10.0.0.1/8"]
MOMENTS = [
    *(
        (nan, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (1.0, 4.0, 0.0),
        (1.0, 0.0, 11.0),
        (1.0, pi / 3, pi / 6),
        (1.0, -pi / 3, 5 * pi / 6),
    ),
    *((1.0, -2 * pi / 3, pi / 6), (1.0, -0.6, 5 * pi / 6), (1.0, 0.0, pi / 6), (0.403, 2.154, 7.638), (1.0, -0.5, 0.0)),
    (1.0, 0.0, 9.0),
]


def use(module: ModuleType, name: str) -> None:
    """Run the witnesses of a program."""
    if name == "lru":
        use_cache(module)
        return
    calls = {"roman": "read", "calculator": "evaluate", "network": "kind", "waves": "classify"}
    inputs = [(text,) for text in WITNESSES[name]] if name in WITNESSES else MOMENTS
    for arguments in inputs:
        with suppress(ValueError):
            getattr(module, calls[name])(*arguments)
    for network in NETWORKS if name == "network" else ():
        with suppress(ValueError):
            module.matches("10.0.0.1", network)


def use_cache(module: ModuleType) -> None:
    for bad in (module.LruCache, module.LruCache(1).resize):
        with suppress(ValueError):
            bad(0)
    cache = module.LruCache(2)
    assert (cache.ratio(), cache.get("a")) == (0, 0)
    assert [cache.put(key, 1) for key in "aba"] == [None, None, None]
    assert [cache.get("b") for _ in range(4)] == [1] * 4
    assert (cache.ratio(), cache.put("c", 4)) == (0.8, "a")
    assert (cache.remove("x"), cache.remove("c"), len(cache)) == (False, True, 1)
    cache.put("d", 5)
    assert cache.resize(1) == 1
    cache.misses = 0
    assert cache.ratio() == 1
    cache.remove("d")
    cache.capacity = 0
    with pytest.raises(RuntimeError, match="nothing"):
        cache.put("e", 1)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_all_arcs_but_the_named_ones_can_be_reached(name: str, tmp_path: Path) -> None:
    file = FOLDER / f"{name}.py"
    coverage = Coverage(data_file=None, branch=True, include=[str(file)], config_file=False)
    coverage.start()
    try:
        spec = spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        use(module, name)
    finally:
        coverage.stop()
    report = tmp_path / "coverage.json"
    coverage.json_report(outfile=str(report))
    (told,) = json.loads(report.read_text())["files"].values()
    assert told["missing_branches"] == EXPECTED[name]
