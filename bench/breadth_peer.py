"""Explore one function with CrossHair and print as a line of JSON which of its two outcomes were reached, and when.

This runs in CrossHair's own environment, made by :mod:`bench.peers`; it must not import Pessimal. The paths come from
``explore_paths``, which ``crosshair cover`` is built on, without the coverage that ``cover`` traces besides. The
returned value is compared with 1 while it may still be symbolic, as a postcondition would do, so that one search looks
for both outcomes. An outcome counts when a native run of the path's input returns it.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from crosshair.core import ExceptionFilter, deep_realize, explore_paths
from crosshair.core_and_libs import NoTracing  # importing it registers what CrossHair knows of the library
from crosshair.fnutil import FunctionInfo
from crosshair.options import DEFAULT_OPTIONS
from crosshair.statespace import RootNode, StateSpace

BOTH = {0, 1}


class Search:
    """One search for both outcomes, and what it has seen so far."""

    def __init__(self, function: Callable[..., int]) -> None:
        self.function = function
        self.returned: set[Any] = set()
        self.paths = 0
        self.missing: str | None = None

    def run(self, arguments: inspect.BoundArguments) -> int:
        """One symbolic run, with a branch on what it returns."""
        return 1 if self.function(*arguments.args, **arguments.kwargs) == 1 else 0

    def ended(
        self,
        space: StateSpace,
        before: inspect.BoundArguments,
        after: inspect.BoundArguments,
        value: object,
        error: BaseException | None,
        stack: traceback.StackSummary | None,
    ) -> bool:
        """Run the path's input natively; True ends the search."""
        self.paths += 1
        if isinstance(error, ImportError):
            self.missing = str(error)  # our environment's fault, which must not pass for the tool's
        with ExceptionFilter():
            space.detach_path()
            inputs = deep_realize(before)
            untraced: Callable[[], Any] = NoTracing
            with untraced():
                self.returned.add(self.function(*inputs.args, **inputs.kwargs))
        return self.returned >= BOTH


def explore(function: Callable[..., int], paths: int, seconds: float) -> dict[str, Any]:
    """Search until both outcomes were returned, no path is left or a limit is met."""
    _, signature = FunctionInfo.from_fn(function).callable()
    options = DEFAULT_OPTIONS.overlay(max_iterations=paths, per_condition_timeout=seconds)
    search = Search(function)
    start = time.process_time()
    explore_paths(search.run, signature, options, RootNode(), search.ended, on_nondeterminism=lambda: None)
    return {
        "both": search.returned >= BOTH,
        "seconds": time.process_time() - start,
        "paths": search.paths,
        "stopped": search.missing,
    }


def load(path: Path) -> ModuleType:
    """The module at a path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Read the command line, explore, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("function")
    parser.add_argument("--paths", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True, help="CPU seconds")
    options = parser.parse_args()
    function = getattr(load(options.file), options.function)
    print(json.dumps(explore(function, options.paths, options.seconds)))


if __name__ == "__main__":
    main()
