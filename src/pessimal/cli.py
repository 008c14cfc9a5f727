"""The command line: parse, call the same functions that a Python user calls, print.

Results go to stdout and nothing else does; progress, warnings and errors go to stderr. Exit codes: 0 done, 1 a cost is
above the budget line or the bound, a proof does not hold, or a condition stays unknown, 2 usage or internal error, 130
interrupted (what was found is printed all the same). A command imports what only it needs: all of it takes a second.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from pessimal import api, block_cover, hot_spots
from pessimal.config import defaults
from pessimal.errors import InternalError, UsageError
from pessimal.inputs import parse_inputs
from pessimal.report import text
from pessimal.report.progress import Display
from pessimal.search import saving
from pessimal.search.budget import seconds
from pessimal.target_spec import Limits

OVER_LIMIT = NOT_PROVED = NOT_SETTLED = 1
INTERRUPTED = 130
DEBUG = "PESSIMAL_DEBUG"
"""The environment variable with which internal errors are shown with their tracebacks."""


_TARGET = [
    click.argument("target"),
    click.option("--input", "inputs", multiple=True, metavar="NAME=SPEC", help="Give a parameter: 'xs=list[int]:N'."),
    click.option("--call", metavar="CALL", help="How a binary is called: 'parse(data, len)'; for a program '-v file'."),
    click.option("--cost", help="What to count; see docs/costs.md.  [default: work; for explore branches]"),
    click.option("--seed", default=0, show_default=True, help="The one source of randomness."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option("--quiet", "-q", is_flag=True, help="No progress."),
    click.option("--run-timeout", default="10s", show_default=True, help="Wall time of one run of the target."),
    click.option("--memory", default=4096, show_default=True, metavar="MIB", help="Memory of the target's process."),
    click.option("--allow-side-effects", is_flag=True, help="Let the target write files, connect, start processes."),
]
_SEARCH = [
    *_TARGET,
    click.option("--require", multiple=True, metavar="EXPR", help="A precondition: 'all(x >= 0 for x in xs)'."),
    click.option(
        "--black-box", "black_boxes", multiple=True, metavar="NAME", help="A pure function to call, not to look into."
    ),
    click.option("--dictionary", metavar="FILE", help="For binaries: words that inputs are made of, as for AFL."),
    click.option("--solver", default="portfolio", show_default=True, help="What settles conditions that are hard."),
    click.option("--set-solver", "solver_options", multiple=True, metavar="KEY=VALUE", help="An option of the solver."),
    click.option("--cc-flags", default="", metavar="FLAGS", help="For targets in C: flags, further files, libraries."),
    click.option("--set", "options", multiple=True, metavar="KEY=VALUE", help="An option of the strategy."),
    click.option("--budget", help="Wall time, such as 90s or 5m.  [default: 60s]"),
    click.option("--certificate", metavar="FILE", help="Write the proof of an exhausted tree, for pessimal check."),
    click.option("--out", metavar="DIR", help="Keep result and state here; the same command resumes from it."),
    click.option("--explain", is_flag=True, help="Report what was made concrete, and what that may have hidden."),
    click.option(
        "--pyse-compatible", is_flag=True, help="Read symbolic hashes as PySE does (unsound; for comparison)."
    ),
]


_MODEL = [
    click.option("--model", metavar="FILE", help="Flip branches in the order of this model's scores: see train."),
    click.option(
        "--reward", multiple=True, metavar="NAME=WEIGHT", help="What the model learns on; see docs/strategies.md."
    ),
]


def _with(options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """A decorator that adds options which several commands share."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pessimal")
def cli() -> None:
    """Pessimal finds the inputs that hurt."""


@cli.command()
@_with([*_SEARCH, *_MODEL])
@click.option("--size", metavar="N", help="How many elements the input has.  [default: 10]")
@click.option("--sizes", metavar="N,N,...", help="Several sizes: gives the curve of cost over size.")
@click.option("--strategy", default="auto", show_default=True, help="How to search.")
@click.option("--objective", default="cost", show_default=True, help="What to search for.")
@click.option("--paper", is_flag=True, help="Exactly the published rules of the strategy (qlearn: PySE's).")
@click.option("--site", metavar="FILE:LINE", help="The hot loop that synthesis makes a model of.  [default: all]")
@click.option("--generator", metavar="FILE", help="Write worst_case(n) here, if synthesis finds it.")
@click.option("--paths", type=int, metavar="K", help="Stop after K paths.")
@click.option("--workers", type=int, metavar="W", help="Processes of auto.  [default: one per core; 1 with --paths]")
@click.option("--stop-after", help="Stop after so long without improvement.  [default: none with --budget]")
@click.option("--stop-at", type=float, metavar="COST", help="Stop when an input costs so much.")
@click.option(
    "--bound", metavar="EXPR", help="Trust this as the largest cost: stop and call it proved there: 'n*(n-1)/2'."
)
@click.option("--budget-line", metavar="EXPR", help="Exit with 1 where the cost is above this: '40*n*log(n)'.")
def stress(size: str | None, sizes: str | None, site: str | None, generator: str | None, **given: Any) -> None:
    """Find the worst input of TARGET (package.module:function or file.py:function)."""
    given["size"] = None if size is None else _whole(size, "--size")
    _use_model(given)
    if given.pop("paper"):
        if given["strategy"] != "qlearn":
            raise UsageError(f"--paper only applies to --strategy qlearn, not to {given['strategy']}: leave it out")
        given["more"] |= {"paper": True}
    for option, value in (("--site", site), ("--generator", generator)):
        if value is not None and given["strategy"] not in ("synthesis", "auto"):
            raise UsageError(
                f"{option} only applies to --strategy synthesis or auto, not to {given['strategy']}: leave it out"
            )
    if site is not None:
        given["more"] |= {"site": site}
    if generator is not None:
        saving.check_writable(Path(generator), "generator")
    given["sizes"] = None if sizes is None else [_whole(part, "--sizes") for part in sizes.split(",")]
    result = _answer(api.stress, text.stress, given)
    if generator is not None:
        _write(result.generator, Path(generator))
    if result.over_budget or result.over_bound:
        sys.exit(OVER_LIMIT)


@cli.command()
@_with([*_SEARCH, *_MODEL])
@click.option("--size", metavar="N", help="How many elements the input has.  [default: all lengths up to 10]")
@click.option("--up-to", type=int, metavar="N", help="All lengths up to this one.")
@click.option("--strategy", help="How to search.  [default: sweep; for C flips]")
@click.option("--objective", default="paths", show_default=True, help="What to search for.")
@click.option("--paths", type=int, metavar="K", help="Stop after K paths.  [default: 1000; for C 20000 runs]")
@click.option("--stop-after", help="Stop after so long without improvement.")
def explore(size: str | None, **given: Any) -> None:
    """List the paths of TARGET, each with an input that takes it, its outcome and its cost."""
    given["size"] = None if size is None else _whole(size, "--size")
    _use_model(given)
    chosen = {name: value for name, value in given.items() if value is not None or name not in ("strategy", "paths")}
    _answer(api.explore, text.explore, chosen)


@cli.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--input", "inputs", multiple=True, metavar="NAME=SPEC", help="Of C or a binary: 'stdin=bytes:N'.")
@click.option("--size", metavar="N", help="Of C or a binary: how many elements.  [default: up to 8 or 10]")
@click.option("--up-to", type=int, metavar="N", help="Of a binary: all lengths up to this one.")
@click.option("--dictionary", metavar="FILE", help="Of a binary: words that inputs are made of, as for AFL.")
@click.option("--cc-flags", default="", metavar="FLAGS", help="For targets in C: flags, further files, libraries.")
@click.option("--call", metavar="CALL", help="How a binary is called: 'parse(data, len)'; for a program '-v file'.")
@click.option("--out", metavar="DIR", help="Write inputs of a binary as files: a corpus, and failures.")
@click.option("--budget", default="60s", show_default=True, help="Wall time, such as 90s or 5m.")
@click.option("--seeds", metavar="DIR", help="Start from these: files of text or bytes, results of cover --json.")
@click.option("--existing-tests", multiple=True, metavar="PATH", help="Tests to start from.  [default: those beside]")
@click.option("--no-existing-tests", is_flag=True, help="Do not look for tests to start from.")
@click.option("--property", "properties", multiple=True, metavar="MODULE:FUNC", help="What every call must satisfy.")
@click.option("--runs", type=int, metavar="K", help="Stop after K runs.")
@click.option("--tests", metavar="FILE", help="Write a pytest file; an existing one is added to.")
@click.option(
    "--strategy",
    default="auto",
    show_default=True,
    help="How branches are taken: auto, generational, ranked, avm, dynamosa, agent, ...",
)
@_with(_MODEL)
@click.option("--save-model", is_flag=True, help="Write what the model has learned back to its file.")
@click.option("--normalise", metavar="NAME", help="For targets in C: ratio, exponential or logarithmic distances.")
@click.option("--fitness", metavar="MODULE:FUNC", help="For targets in C: what is minimised, a function of the trace.")
@click.option("--solver", default="portfolio", show_default=True, help="What settles conditions that are hard.")
@click.option("--seed", default=0, show_default=True, help="The one source of randomness.")
@click.option("--workers", type=int, metavar="K", help="How many processes search.  [default: one for each core]")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@click.option("--run-timeout", default="10s", show_default=True, help="Wall time of one run of the target.")
@click.option("--memory", default=4096, show_default=True, metavar="MIB", help="Memory of the target's process.")
@click.option("--allow-side-effects", is_flag=True, help="Let the target write files, connect, start processes.")
def cover(as_json: bool, quiet: bool, run_timeout: str, memory: int, size: str | None, **given: Any) -> None:
    """Find inputs that reach every branch of each TARGET: a module, package, file, class or function."""
    given["size"] = None if size is None else _whole(size, "--size")
    given["inputs"] = parse_inputs(given["inputs"])
    limits = Limits(seconds(run_timeout, "run-timeout"), memory << 20)
    looks_for_tests = not given.pop("no_existing_tests")
    if block_cover.is_binary(given["targets"]):
        _cover_binary(given, limits, as_json, quiet)
        return
    given["existing_tests"] = given["existing_tests"] or looks_for_tests
    from pessimal.covering import command, text

    for option in _ONLY_BINARIES:
        if given.pop(option) is not None:
            raise UsageError(f"--{option.replace('_', '-')} only applies to binaries: leave it out")
    _forget_unused(given, ("model",), ("auto", "ranked", "agent"))
    _forget_unused(given, ("reward", "save_model"), ("auto", "ranked"))
    with Display(quiet) as display:
        result = command.cover(limits=limits, progress=display.covered, warn=display.warn, **given)
    _print(result, text.cover, as_json)


_ONLY_BINARIES = ("call", "out", "dictionary", "up_to")
_ONLY_SOURCE = (*("properties", "tests", "existing_tests", "cc_flags", "normalise", "fitness"),)


def _cover_binary(given: dict[str, Any], limits: Limits, as_json: bool, quiet: bool) -> None:
    for option in _ONLY_SOURCE:
        if given.pop(option):
            raise UsageError(f"--{option.replace('_', '-')} does not apply to binaries: leave it out")
    (target,) = given.pop("targets")
    with Display(quiet) as display:
        result = block_cover.cover_blocks(target, limits=limits, progress=display.update, warn=display.warn, **given)
    _print(result, str, as_json)


@cli.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--model", required=True, metavar="FILE", help="The file for the model; one that exists is trained on.")
@click.option(
    "--agent", metavar="KIND", help="Train an agent for --strategy agent on C or Python functions: moves or qtip."
)
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=SPEC", help="A parameter: 'a=int:-9..9', 'data=bytes:N'."
)
@click.option("--call", metavar="CALL", help="How a binary is called: 'parse(data, len)'; for a program '-v file'.")
@click.option("--episodes", type=int, metavar="K", help="Of each target; of agents in all.  [default: 100; 20000]")
@click.option("--size", metavar="N", help="How many elements the input has.  [default: up to 10]")
@click.option("--reward", multiple=True, metavar="NAME=WEIGHT", help="What is learned on.  [default: new=1]")
@click.option("--hot-spots", metavar="FILE", help="A table of past issues, for the reward hot.")
@click.option("--set", "options", multiple=True, metavar="KEY=VALUE", help="An option of the strategy ranked.")
@click.option("--budget", default="10m", show_default=True, help="Wall time, such as 90s or 5m.")
@click.option("--seed", default=0, show_default=True, help="The one source of randomness.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@click.option("--run-timeout", default="10s", show_default=True, help="Wall time of one run of the target.")
@click.option("--memory", default=4096, show_default=True, metavar="MIB", help="Memory of the target's process.")
@click.option("--allow-side-effects", is_flag=True, help="Let the target write files, connect, start processes.")
def train(size: str | None, as_json: bool, quiet: bool, run_timeout: str, memory: int, **given: Any) -> None:
    """Train a model for --strategy ranked, or an agent, on each TARGET, and show the learning curve."""
    from pessimal import training

    given["size"] = None if size is None else _whole(size, "--size")
    limits = Limits(seconds(run_timeout, "run-timeout"), memory << 20)
    if given["agent"] is not None:
        _train_agent(given, limits, as_json, quiet)
        return
    del given["agent"]
    given["inputs"] = parse_inputs(given["inputs"])
    given["options"] = dict(_option(item) for item in given["options"])
    given["reward"] = given["reward"] or ("new=1",)
    given["episodes"] = 100 if given["episodes"] is None else given["episodes"]
    with Display(quiet) as display:
        result = training.train(limits=limits, progress=display.update, warn=display.warn, **given)
    _print(result, str, as_json)


def _train_agent(given: dict[str, Any], limits: Limits, as_json: bool, quiet: bool) -> None:
    from pessimal import agent_training

    for option in ("reward", "hot_spots", "options", "call"):
        if given.pop(option):
            name = {"options": "set"}.get(option, option.replace("_", "-"))
            raise UsageError(f"--{name} does not apply to --agent: leave it out")
    given["inputs"] = parse_inputs(given["inputs"])
    with Display(quiet) as display:
        result = agent_training.train_agent(limits=limits, progress=display.show, **given)
    _print(result, str, as_json)


@cli.command()
@click.argument("directory", default=".", metavar="[DIR]")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def models(directory: str, as_json: bool) -> None:
    """List the models of --strategy ranked and the agents in DIR, with what they were learned from."""
    from pessimal import training

    _print(training.models(directory), str, as_json)


@cli.command("hot-spots")
@click.argument("directory", default=".", metavar="[DIR]")
@click.option("--pattern", default=hot_spots.FIX, help="What messages of fixes say.  [default: fix, bug, crash, ...]")
def mine(directory: str, pattern: str) -> None:
    """Print the lines that fixes have changed in the git history of DIR, as JSON for the reward hot."""
    _print(hot_spots.mined(directory, pattern), str, as_json=True)


@cli.command()
@_with(_TARGET)
@click.argument("certificate")
@click.option("--size", metavar="N", help="How many elements the input has.  [default: 10]")
@click.option("--sample", type=int, metavar="K", help="Run K paths drawn at random, not all.")
@click.option("--budget", help="Wall time, such as 90s or 5m; a check that needs more proves nothing.")
def check(size: str | None, **given: Any) -> None:
    """Check the proof in CERTIFICATE that no input of TARGET costs more; exit with 1 if it does not hold."""
    given["size"] = None if size is None else _whole(size, "--size")
    as_json = _prepare(given)
    with Display(given.pop("quiet")) as display:
        verdict = api.check(progress=display.checked, **given)
    _print(verdict, str, as_json)
    if not verdict.holds:
        sys.exit(NOT_PROVED)


@cli.command()
@click.argument("condition")
@click.option("--var", "variables", multiple=True, metavar="NAME=SPEC", help="Declare a variable: 'x=float:-1..1'.")
@click.option("--black-box", "black_boxes", multiple=True, metavar="MODULE.FUNC", help="A function to call on samples.")
@click.option("--samples", default=3000, show_default=True, metavar="K", help="How many samples are tried.")
@click.option("--solver", default="portfolio", show_default=True, help="What settles the condition.")
@click.option("--budget", default="10s", show_default=True, help="Wall time, such as 90s or 5m.")
@click.option("--seed", default=0, show_default=True, help="The one source of randomness.")
@click.option("--rule", default="even", show_default=True, help="How far from a solution: even, paper or tool.")
@click.option("--confidence", default="calibrated", show_default=True, help="Estimate: calibrated or published.")
@click.option("--guided", is_flag=True, help="Double the samples while the confidence stays above 10 %.")
@click.option("--experience", metavar="FILE", help="Keep here which solver settles what, from run to run.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def solve(variables: Sequence[str], as_json: bool, **given: Any) -> None:
    """Find values that make CONDITION true: a Python expression, or an SMT-LIB 2 file (*.smt2)."""
    from pessimal import solving

    result = solving.solve(variables=parse_inputs(variables), **given)
    _print(result, str, as_json)
    if result.status == "unknown":
        sys.exit(NOT_SETTLED)


def _use_model(given: dict[str, Any]) -> None:
    """Turn --model and --reward into options of the strategy."""
    _forget_unused(given, ("model", "reward"), ("ranked",))
    model, reward = given.pop("model"), given.pop("reward")
    named = {} if model is None else {"load": str(Path(model).absolute())}
    given["more"] = {**named, **({"reward": ",".join(reward)} if reward else {})}


def _forget_unused(given: dict[str, Any], names: Sequence[str], strategies: Sequence[str]) -> None:
    """Options of some strategies: for others they are a mistake, unless they only come from the configuration."""
    if given["strategy"] in strategies:
        return
    context = click.get_current_context()
    for name in names:
        if not given[name]:
            continue
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(
                f"--{name.replace('_', '-')} only applies to --strategy {' or '.join(strategies)}, "
                f"not to {given['strategy']}: leave it out"
            )
        given[name] = () if name == "reward" else None if name == "model" else False


def _write(code: str | None, file: Path) -> None:
    if code is None:
        click.echo(f"pessimal: no generator was found: {file} was not written", err=True)
        return
    try:
        saving.write(file, code)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}", slug="generator") from None


def _answer(ask: Callable[..., Any], show: Callable[[Any], str], given: dict[str, Any]) -> Any:
    as_json = _prepare(given)
    given["options"] = dict(_option(item) for item in given["options"]) | given.pop("more", {})
    given["solver_options"] = dict(_option(item) for item in given["solver_options"])
    if given["budget"] is None:
        del given["budget"]
    with Display(given.pop("quiet")) as display:
        result = ask(progress=display.update, warn=display.warn, **given)
    _print(result, show, as_json)
    return result


def _prepare(given: dict[str, Any]) -> bool:
    """Convert the text of options to what the functions take; returns whether JSON is wanted."""
    given["inputs"] = parse_inputs(given["inputs"])
    given["limits"] = Limits(seconds(given.pop("run_timeout"), "run-timeout"), given.pop("memory") << 20)
    return bool(given.pop("as_json"))


def _print(result: Any, show: Callable[[Any], str], as_json: bool) -> None:
    try:
        click.echo(json.dumps(result.to_json()) if as_json else show(result))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"the result cannot be printed: {error.strerror}") from None
    if result.interrupted:
        sys.exit(INTERRUPTED)


def _whole(value: str, option: str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number < 0:
        raise UsageError(f"{option} must be a whole number of elements, but is {value!r}", slug="size")
    return number


def _option(item: str) -> tuple[str, Any]:
    key, equals, value = item.rpartition("=")
    if not equals:
        raise UsageError(f"--set {item!r} is not an option: write KEY=VALUE")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return key, value


def _options() -> dict[str, dict[str, str]]:
    """The options of each command as they are written, here and in the file, and the parameter behind each."""
    return {
        name: {
            option.opts[0].lstrip("-").replace("-", "_"): str(option.name)
            for option in command.params
            if isinstance(option, click.Option)
        }
        for name, command in cli.commands.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every usage error is one line and exit code 2."""
    try:
        cli.main(args=arguments, standalone_mode=False, default_map=defaults(_options(), Path.cwd()))
    except UsageError as error:
        _fail(f"{error} [{error.slug}]")
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("pessimal: interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except InternalError as error:
        _fail(str(error) if os.environ.get(DEBUG) else f"{error.summary}; {DEBUG}=1 shows its traceback")


def _fail(message: str) -> None:
    click.echo(f"pessimal: {message}", err=True)
    sys.exit(2)
