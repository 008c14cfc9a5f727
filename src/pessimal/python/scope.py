"""Which modules belong to a target's side, and so are copied and rewritten for it.

Pure-Python modules outside the standard library are rewritten, and those modules of the library that compute on what
they are given; of these the Python version is taken where there is one in C as well.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Set

LEFT_ALONE = frozenset(("pessimal", "z3", "cloudpickle", "pytest", "_pytest", "hypothesis", "coverage")) | frozenset(
    ("numpy", "scipy", "pandas", "jax", "jaxlib", "optax", "opt_einsum", "ml_dtypes", "absl", "torch", "matplotlib")
)
"""Top-level packages that are never rewritten: our own, and those too large or too compiled to gain from it."""

LIBRARY = frozenset(
    (
        *("argparse", "base64", "calendar", "colorsys", "configparser", "csv", "difflib", "fnmatch", "fractions"),
        *("getopt", "graphlib", "html", "ipaddress", "json", "ntpath", "posixpath", "pprint", "quopri", "reprlib"),
        *("shlex", "statistics", "string", "textwrap", "tokenize", "urllib.parse", "email.utils", "email.quoprimime"),
        *("decimal", "_pydecimal", "datetime", "_pydatetime", "html.entities", "html.parser", "json.decoder"),
        *("json.encoder", "json.scanner", "_markupbase", "sched", "cmd", "stringprep", "uuid", "zoneinfo"),
        *("email._parseaddr", "http.cookies", "mimetypes", "pathlib", "pathlib._abc", "pathlib._local"),
    )
)
"""Modules of the standard library that symbolic values pass through: rewritten like the target's own."""

ACCELERATORS = {
    "decimal": "_decimal",
    "_pydecimal": "_decimal",
    "datetime": "_datetime",
    "_pydatetime": "_datetime",
    **dict.fromkeys(("json.decoder", "json.encoder", "json.scanner"), "_json"),
}
"""Compiled versions that the rewritten copy must not import, so that it uses the Python versions."""

CORE = frozenset(
    (
        *(
            "abc",
            "ast",
            "collections",
            "collections.abc",
            "codecs",
            "contextlib",
            "copyreg",
            "dis",
            "enum",
            "functools",
        ),
        *("importlib", "inspect", "io", "keyword", "linecache", "opcode", "operator", "os", "re", "runpy", "signal"),
        *("site", "sysconfig", "threading", "token", "traceback", "types", "typing", "warnings", "weakref"),
    )
)
"""Modules that the rewrite itself and every process need: never rewritten, also not as targets."""

TYPE_STRICT = frozenset(("fractions", "statistics"))
"""Modules that test for exact types and so behave differently on counted values: their tests are not counted."""

_STANDARD = tuple(sysconfig.get_paths()[name] + "/" for name in ("stdlib", "platstdlib"))
_SITE = tuple(sysconfig.get_paths()[name] + "/" for name in ("purelib", "platlib"))


def is_standard(file: str | None) -> bool:
    """Whether a file belongs to the standard library."""
    return file is not None and file.startswith(_STANDARD) and not file.startswith(_SITE)


class Scope:
    """The modules on one target's side."""

    def __init__(self) -> None:
        self._target_modules: set[str] = set()
        self._target_packages: set[str] = set()
        self.left_alone: dict[str, str] = {}
        """Modules that could not be rewritten, and why: symbolic runs use them as they are."""
        self.uncounted_files: set[str] = set()
        """Files that replace compiled code in the rewritten copy: their tests are not branches of the program."""

    def add_target(self, module: str, file: str | None) -> None:
        """Let the module that the target lives in belong to its side, even if it is one of the standard library.

        If it is a package, so do the modules in it, which may need each other.
        """
        if is_standard(file) and module not in CORE and module not in self.left_alone:
            self._target_modules.add(module)
            if str(file).endswith("/__init__.py"):
                self._target_packages.add(module)

    def leave_alone(self, module: str, reason: str) -> None:
        """Do not rewrite a module, because it cannot be imported then."""
        self.left_alone[module] = reason
        self._target_modules.discard(module)
        self._target_packages.discard(module)

    def includes(self, name: str, file: str | None) -> bool:
        """Whether a module belongs to the target's side and so is rewritten."""
        if file is None or not file.endswith(".py") or name.partition(".")[0] in LEFT_ALONE or name in self.left_alone:
            return False
        return not is_standard(file) or self.is_library(name)

    @property
    def library_names(self) -> Set[str]:
        """The modules of the standard library that belong to the target's side."""
        inside = {name for name in sys.modules if self._is_inside_target(name)} if self._target_packages else set()
        return (LIBRARY | self._target_modules | inside) - self.left_alone.keys()

    def is_library(self, name: str) -> bool:
        """Whether a module of the standard library belongs to the target's side."""
        if name in self.left_alone:
            return False
        return name in LIBRARY or name in self._target_modules or self._is_inside_target(name)

    def _is_inside_target(self, name: str) -> bool:
        if not self._target_packages:  # most often, and every loaded module is asked about
            return False
        package = name.rpartition(".")[0]
        return package in self._target_packages or (bool(package) and self._is_inside_target(package))

    def counts(self, name: str, file: str | None) -> bool:
        """Whether the truth tests in a module are those of the program, also when it is rewritten."""
        return self.includes(name, file) and not self._replaces_compiled(name)

    def note_loading(self, name: str, file: str) -> None:
        """Note that a module is loaded as rewritten code, in case it replaces compiled code."""
        if self._replaces_compiled(name):
            self.uncounted_files.add(file)

    def _replaces_compiled(self, name: str) -> bool:
        return name not in self._target_modules and (name in ACCELERATORS or name in TYPE_STRICT)
