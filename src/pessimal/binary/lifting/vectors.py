"""Vector instructions of SSE2 as compilers use them for bytes: moves, shuffles, logic and comparisons."""

from __future__ import annotations

from collections.abc import Callable

from pessimal.binary import terms
from pessimal.binary.lifting.operands import Operands, Run, address_mask
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.terms import Value, apply, concat, extract

Bytes = list[Value]
ZEROS: Bytes = [0] * 16


def _reader(given: Operands, index: int, size: int) -> Callable[[Run], Bytes] | None:
    """Reads the lowest bytes of an operand: a vector register, a general one, or memory."""
    if given.is_vector(index):
        number = given.vector(index)
        return lambda run: run.state.vector(number)[:size]
    if given.is_register(index):
        part = given.part(index)
        return lambda run: _split(run.state.register(part), size)
    if not given.is_memory(index):
        return None
    access = given.access(index)
    mask = address_mask(given.accesses[access])

    def read(run: Run) -> Bytes:
        run.pin_registers(mask, "the address of a read")
        return run.state.load_bytes(run.state.counters.addresses[access], size)

    return read


def _split(value: Value, size: int) -> Bytes:
    return [extract(8 * i + 7, 8 * i, value) for i in range(size)]


def _joined(content: Bytes) -> Value:
    value = content[0]
    for i, byte in enumerate(content[1:], 1):
        value = concat(byte, 8, value, 8 * i)
    return value


_WHOLE = ("movdqa", "movdqu", "movaps", "movups", "movapd", "movupd", "movntdq", "movntps", "lddqu")
_SIZES = {"movd": 4, "movq": 8, "movss": 4, "movsd": 8, "movlps": 8, "movlpd": 8}


@rule(*_WHOLE, "movd", "movq")
def _move(given: Operands) -> Lifted | None:
    if any(operand.size > 16 for operand in given.operands):
        return None
    size = _SIZES.get(given.name, 16)
    if size == 4 and 8 in (given.operands[0].size, given.operands[1].size):
        size = 8
    read = _reader(given, 1, size)
    if read is None:
        return None
    if given.is_vector(0):
        to = given.vector(0)
        return lambda run: run.state.set_vector(to, [*read(run), *ZEROS[size:]])
    if given.is_register(0):
        part = given.part(0)
        return lambda run: run.state.set_register(part, _joined(read(run)))
    access = given.access(0)
    mask = address_mask(given.accesses[access])

    def store(run: Run) -> None:
        run.pin_registers(mask, "the address of a write")
        run.state.store_bytes(run.state.counters.addresses[access], read(run))

    return store


@rule("movss")
def scalar_move(given: Operands) -> Lifted | None:
    """A move of one float, whatever its bits mean: between registers the rest of the target stays as it is."""
    size = _SIZES[given.name]
    read = _reader(given, 1, size)
    if read is None:
        return None
    if given.is_vector(0):
        to, keeps_rest = given.vector(0), given.is_vector(1)

        def load(run: Run) -> None:
            rest = run.state.vector(to) if keeps_rest else ZEROS
            run.state.set_vector(to, [*read(run), *rest[size:]])

        return load
    mask = address_mask(given.accesses[0])

    def store(run: Run) -> None:
        run.pin_registers(mask, "the address of a write")
        run.state.store_bytes(run.state.counters.addresses[0], read(run))

    return store


@rule("movhps", "movhpd", "movlps", "movlpd")
def _move_half(given: Operands) -> Lifted | None:
    is_high = given.name.startswith("movh")
    if given.is_vector(0) and given.is_memory(1):
        read, to = _reader(given, 1, 8), given.vector(0)
        assert read is not None

        def load(run: Run) -> None:
            half, whole = read(run), run.state.vector(to)
            run.state.set_vector(to, [*whole[:8], *half] if is_high else [*half, *whole[8:]])

        return load
    if not given.is_memory(0):
        return None
    source, mask = given.vector(1), address_mask(given.accesses[0])

    def store(run: Run) -> None:
        run.pin_registers(mask, "the address of a write")
        whole = run.state.vector(source)
        run.state.store_bytes(run.state.counters.addresses[0], whole[8:] if is_high else whole[:8])

    return store


def _pairwise(given: Operands, result: Callable[[Run, Bytes, Bytes], Bytes]) -> Lifted | None:
    """An instruction that makes a vector of two, and writes it over the first."""
    if not given.is_vector(0):
        return None
    first, second, to = _reader(given, 0, 16), _reader(given, 1, 16), given.vector(0)
    if first is None or second is None:
        return None
    return lambda run: run.state.set_vector(to, result(run, first(run), second(run)))


_LOGIC = {"xor": "bvxor", "or": "bvor", "and": "bvand"}


@rule("pxor", "por", "pand", "pandn", "xorps", "xorpd", "orps", "orpd", "andps", "andpd", "andnps", "andnpd")
def _logic(given: Operands) -> Lifted | None:
    name = given.name.removeprefix("p").removesuffix("ps").removesuffix("pd")
    is_same = given.operands[0].reg == given.operands[1].reg and given.is_vector(1)

    def result(run: Run, a: Bytes, b: Bytes) -> Bytes:
        if is_same and name in ("xor", "andn"):
            return ZEROS
        if name == "andn":
            a = [terms.unary("bvnot", 8, byte) for byte in a]
        op = _LOGIC["and" if name == "andn" else name]
        return [apply(op, 8, x, y) for x, y in zip(a, b, strict=True)]

    return _pairwise(given, result)


_LANES = {"b": 1, "w": 2, "d": 4, "q": 8}


@rule("pcmpeqb", "pcmpeqw", "pcmpeqd", "pcmpgtb", "pcmpgtw", "pcmpgtd")
def _compare(given: Operands) -> Lifted | None:
    lane, is_equal = _LANES[given.name[-1]], given.name.startswith("pcmpeq")

    def result(run: Run, a: Bytes, b: Bytes) -> Bytes:
        found: Bytes = []
        for i in range(0, 16, lane):
            x, y = _joined(a[i : i + lane]), _joined(b[i : i + lane])
            test = run.state.conditions.compare("==" if is_equal else ">", 8 * lane, x, y, not is_equal)
            found += [terms.ite(test, 255, 0, 8)] * lane
        return found

    return _pairwise(given, result)


@rule("pminub", "pmaxub")
def _extreme(given: Operands) -> Lifted | None:
    op = "<" if given.name == "pminub" else ">"

    def result(run: Run, a: Bytes, b: Bytes) -> Bytes:
        compare = run.state.conditions.compare
        return [terms.ite(compare(op, 8, x, y), x, y, 8) for x, y in zip(a, b, strict=True)]

    return _pairwise(given, result)


_SUMS = {"padd": "bvadd", "psub": "bvsub"}


@rule(*(f"{name}{lane}" for name in _SUMS for lane in _LANES))
def _sum(given: Operands) -> Lifted | None:
    lane, op = _LANES[given.name[-1]], _SUMS[given.name[:-1]]

    def result(run: Run, a: Bytes, b: Bytes) -> Bytes:
        found: Bytes = []
        for i in range(0, 16, lane):
            total = apply(op, 8 * lane, _joined(a[i : i + lane]), _joined(b[i : i + lane]))
            found += _split(total, lane)
        return found

    return _pairwise(given, result)


@rule("pmovmskb")
def _mask(given: Operands) -> Lifted | None:
    if not given.is_vector(1):
        return None
    source, part = given.vector(1), given.part(0)

    def run_it(run: Run) -> None:
        value: Value = 0
        for i, byte in enumerate(run.state.vector(source)):
            bit = extract(7, 7, byte)
            value = concat(bit, 1, value, i) if i else bit
        run.state.set_register(part, terms.zero_extend(part.width, value, 16))

    return run_it


@rule(*(f"punpck{half}{lanes}" for half in "lh" for lanes in ("bw", "wd", "dq", "qdq")), "unpcklps", "unpcklpd")
def _unpack(given: Operands) -> Lifted | None:
    name = given.name
    if name.startswith("unpck"):
        lane, start = (4 if name.endswith("ps") else 8), 0
    else:
        lane, start = _LANES[name[7]], 0 if name[6] == "l" else 8

    def result(run: Run, a: Bytes, b: Bytes) -> Bytes:
        found: Bytes = []
        for i in range(start, start + 8, lane):
            found += [*a[i : i + lane], *b[i : i + lane]]
        return found

    return _pairwise(given, result)


@rule("pshufd", "pshuflw", "pshufhw")
def _shuffle(given: Operands) -> Lifted | None:
    if not given.is_vector(0):
        return None
    read, to, order = _reader(given, 1, 16), given.vector(0), given.constant(2)
    if read is None or order is None:
        return None
    lane, start = {"pshufd": (4, 0), "pshuflw": (2, 0), "pshufhw": (2, 8)}[given.name]

    def run_it(run: Run) -> None:
        before = read(run)
        found = list(before)
        for i in range(4):
            source, target = start + lane * (order >> 2 * i & 3), start + lane * i
            found[target : target + lane] = before[source : source + lane]
        run.state.set_vector(to, found)

    return run_it


@rule("psrldq", "pslldq")
def _shift_bytes(given: Operands) -> Lifted | None:
    count = given.constant(1)
    if count is None:
        return None
    to, count, is_right = given.vector(0), min(count & 255, 16), given.name == "psrldq"

    def run_it(run: Run) -> None:
        before = run.state.vector(to)
        found = [*before[count:], *ZEROS[:count]] if is_right else [*ZEROS[:count], *before[: 16 - count]]
        run.state.set_vector(to, found)

    return run_it
