"""atheris as a rival of bench-wild: libFuzzer, steered by the coverage of the target's module.

It does not maximise anything, but keeps inputs that execute some code more often than any before. The worst of what it
tries, by executed lines, is its answer.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import atheris

from bench.wild_plain import Rival
from pessimal.inputs import Domain

UNBOUNDED = 2**63
"""Numbers without a range are drawn below it."""


def value(data: Any, domain: Domain) -> Any:
    """The value of one leaf, from the bytes that libFuzzer made."""
    if domain.kind == "float":
        low, high = (-1e300 if domain.low is None else domain.low), (1e300 if domain.high is None else domain.high)
        return domain.clip(data.ConsumeFloatInRange(low, high))
    low = -UNBOUNDED if domain.low is None else int(domain.low)
    return data.ConsumeIntInRange(low, UNBOUNDED - 1 if domain.high is None else int(domain.high))


def main() -> None:
    """Search until the time is over."""
    with atheris.instrument_imports(include=[_module()]):
        rival = Rival()

    def run(data: bytes) -> None:
        if rival.is_over:
            rival.answer()
            os._exit(0)  # libFuzzer's own end prints and takes its time
        provider = atheris.FuzzedDataProvider(data)
        rival.judge([value(provider, domain) for domain in rival.inputs.domains])

    length = 9 * len(rival.inputs.domains)
    options = [f"-seed={rival.asked['seed'] + 1}", f"-max_len={length}", "-len_control=0", "-timeout=0", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options], run)
    atheris.Fuzz()


def _module() -> str:
    """The module of the target, which alone is instrumented."""
    return str(json.loads(sys.argv[1])["target"]).partition(":")[0]


if __name__ == "__main__":
    main()
