"""The code of a target, instruction by instruction: decoded and lifted once, and named as sites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from capstone import CsInsn

from pessimal.binary.decoding import Decoder, Undecodable, described
from pessimal.binary.elf import ElfFile
from pessimal.binary.image import Image, Module
from pessimal.binary.lifting import Lifted, lifted
from pessimal.binary.tracer import ALWAYS, WATCHED, Decoded
from pessimal.errors import TargetError
from pessimal.trace import Site

_LONGEST = 15


class Code:
    """The instructions that runs have met, by address."""

    def __init__(
        self,
        image: Image,
        elf: ElfFile,
        *,
        watched: frozenset[int] = frozenset(),
        modelled: frozenset[int] = frozenset(),
    ) -> None:
        self._image = image
        self._decoder = Decoder()
        self._files = {str(elf.path.resolve()): elf}
        self._flags = {**dict.fromkeys(modelled, ALWAYS), **dict.fromkeys(watched, WATCHED)}
        self._instructions: dict[int, CsInsn | None] = {}
        self._decoded: dict[int, Decoded] = {}
        self._lifted: dict[int, Lifted | None] = {}
        self._sites: dict[int, Site] = {}

    @property
    def special(self) -> list[int]:
        """The addresses of instructions that the tracer must stop at or count."""
        return list(self._flags)

    def decoded(self, address: int) -> Decoded:
        """What the tracer must know of the instruction at an address."""
        found = self._decoded.get(address)
        if found is None:
            instruction = self._instruction(address)
            found = Decoded(address, 0, 0, (), 0) if instruction is None else described(instruction)
            if address in self._flags:
                found = replace(found, flags=found.flags | self._flags[address])
            self._decoded[address] = found
        return found

    def lifted(self, address: int) -> Lifted | None:
        """What the instruction at an address does to terms; None if it is not lifted."""
        if address not in self._lifted:
            instruction = self._instruction(address)
            self._lifted[address] = None if instruction is None else lifted(instruction)
        return self._lifted[address]

    def name(self, address: int) -> str:
        """The name of the instruction at an address."""
        instruction = self._instruction(address)
        return "an unknown instruction" if instruction is None else str(instruction.mnemonic)

    def _instruction(self, address: int) -> CsInsn | None:
        if address not in self._instructions:
            try:
                found = self._decoder.instruction(self._image.read(address, _LONGEST), address)
            except Undecodable:
                found = None
            self._instructions[address] = found
        return self._instructions[address]

    def site(self, address: int) -> Site:
        """The place of the instruction at an address: its module and its offset there."""
        found = self._sites.get(address)
        if found is None:
            module = self._image.module_at(address)
            path, offset = ("?", address) if module is None else (module.path, address - module.base)
            instruction = self._instruction(address)
            text = f"+{offset:#x}" + ("" if instruction is None else f" {instruction.mnemonic}")
            found = self._sites[address] = Site(path, self.function(address) or "?", offset, 0, text)
        return found

    def function(self, address: int) -> str:
        """The name of the function that has an address; empty if no symbol says that."""
        module = self._image.module_at(address)
        elf = None if module is None else self.elf_of(module)
        return "" if elf is None or module is None else elf.function_at(address - module.base)

    def elf_of(self, module: Module) -> ElfFile | None:
        """The file of a module; None if it cannot be read."""
        if module.path not in self._files:
            try:
                self._files[module.path] = ElfFile.read(Path(module.path))
            except TargetError:
                return None
        return self._files[module.path]

    def place(self, address: int) -> str:
        """An address as its users would write it: module, function and offset."""
        module = self._image.module_at(address)
        if module is None:
            return f"{address:#x}"
        name = self.function(address)
        return f"{Path(module.path).name}+{address - module.base:#x}" + (f" ({name})" if name else "")
