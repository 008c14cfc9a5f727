"""The imports of a test file: names are asked for while tests are written, and the lines are made in the end."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from pessimal.testfile.layout import Code, bracket, lines_of
from pessimal.testfile.loading import Loading

_WHOLE = {"asyncio", "itertools", "math", "operator", "pytest", "re"}
"""Modules that are imported as a whole, as people do."""
_LOADERS = ("importlib.util", "sys")


class Imports:
    """Which names the tests use, and what they are called in the file.

    ``known`` are the names that an existing file imports, with what they mean; ``taken`` are all that it defines.
    """

    def __init__(
        self, loadings: Sequence[Loading] = (), known: Mapping[str, str] | None = None, taken: Iterable[str] = ()
    ) -> None:
        self._loadings = {item.module: item for item in loadings}
        self._known = dict(known or {})
        self._bound: dict[str, str] = dict(self._known)
        self._taken = set(taken)
        self._whole: set[str] = set()
        self._members: dict[str, set[str]] = {}
        self._files: list[Loading] = []

    @property
    def names(self) -> set[str]:
        """The names that tests must not give to anything else."""
        return {name.partition(".")[0] for name in (*self._bound, *_WHOLE)} | self._taken

    @property
    def meanings(self) -> dict[str, str]:
        """What each imported name means."""
        return dict(self._bound)

    def module(self, module: str) -> str:
        """The text by which a module is written in a test."""
        loading = self._loadings.get(module)
        if loading is not None and loading.way == "file":
            return self._by_file(loading)
        return self._import(module if loading is None else loading.name)

    def reference(self, module: str, qualname: str) -> str:
        """The text by which a name in a module is written in a test."""
        loading = self._loadings.get(module)
        if loading is not None and loading.way == "file":
            return f"{self._by_file(loading)}.{qualname}"
        module = module if loading is None else loading.name
        top, dot, rest = qualname.partition(".")
        if module == "builtins" and top not in self._bound and top not in self._taken:
            return qualname
        for meant, written in ((f"{module}.{top}", dot + rest), (module, f".{qualname}")):
            for name, meaning in self._bound.items():
                if meaning == meant:
                    return name + written
        is_taken = top in self.names or hasattr(builtins, top) or not top.isidentifier()
        if module in _WHOLE or is_taken or top.lower().startswith("test"):  # pytest would take it for a test
            return f"{self._import(module)}.{qualname}"
        self._bound[top] = f"{module}.{top}"
        self._members.setdefault(module, set()).add(top)
        return qualname

    def lines(self, width: int) -> list[str]:
        """The lines that import what is used and not yet imported, in sections."""
        for module in _LOADERS if self._files else ("sys",) if self._paths() else ():
            self._import(module)
        if self._files or self._paths():
            self.reference("pathlib", "Path")
        late = {item.name for item in self._paths()}
        sections = [self._section(number, width, lambda name: name not in late) for number in (0, 1, 2)]
        preamble = self._preamble()
        last = self._section(None, width, lambda name: name in late)
        return _joined([*sections, preamble, last])

    def _import(self, module: str) -> str:
        if module not in self._bound:
            self._whole.add(module)
            self._bound[module] = module
        return module

    def _by_file(self, loading: Loading) -> str:
        if loading.name not in self._bound:
            self._bound[loading.name] = f"file {loading.module}"
            if loading.name not in self._taken:
                self._files.append(loading)
        return loading.name

    def _used(self) -> set[str]:
        return self._whole | set(self._members)

    def _paths(self) -> list[Loading]:
        """The modules that are not found without an entry in the path, if none of them was imported before."""
        before = {meaning.partition(".")[0] for meaning in self._known.values()}
        used = self._used()
        found = [item for item in self._loadings.values() if item.way == "path" and item.name in used]
        return [item for item in found if item.name.partition(".")[0] not in before]

    def _section(self, number: int | None, width: int, wanted: Callable[[str], bool]) -> list[str]:
        own = {item.name.partition(".")[0] for item in self._loadings.values() if item.is_own}
        names = [
            name
            for name in sorted(self._used())
            if wanted(name) and (number is None or _section_of(name, own) == number)
        ]
        whole = [f"import {name}" for name in names if name in self._whole]
        members = [line for name in names for line in self._from(name, width)]
        return [*whole, *members]

    def _from(self, module: str, width: int) -> list[str]:
        members = sorted(self._members.get(module, ()), key=_member_order)
        if not members:
            return []
        line = f"from {module} import {', '.join(members)}"
        if len(line) <= width:
            return [line]
        return lines_of(bracket(f"from {module} import (", [Code(name) for name in members], ")"), width)

    def _preamble(self) -> list[str]:
        directories = dict.fromkeys(item.directory for item in self._paths())
        lines = [f"sys.path.insert(0, str({directory}))" for directory in directories]
        for item in self._files:
            lines += [
                f"sys.path.append(str({item.directory}))",
                f'_file = {item.directory} / "{item.file}"',
                f'_spec = importlib.util.spec_from_file_location("{item.name}", _file)',
                f"{item.name} = importlib.util.module_from_spec(_spec)",
                f'sys.modules["{item.name}"] = {item.name}',
                f"_spec.loader.exec_module({item.name})",
            ]
        return lines


def _section_of(module: str, own: set[str]) -> int:
    top = module.partition(".")[0]
    return 0 if top in sys.stdlib_module_names else 2 if top in own else 1


def _member_order(name: str) -> tuple[int, str, str]:
    """Constants, then classes, then the rest, as import sorters have it."""
    group = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return group, re.sub(r"\d+", lambda digits: digits.group().zfill(6), name.lower()), name


def _joined(sections: Sequence[Sequence[str]]) -> list[str]:
    """Sections with an empty line between them."""
    lines: list[str] = []
    for section in sections:
        lines += [*([""] if lines and section else []), *section]
    return lines
