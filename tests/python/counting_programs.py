"""Functions that lose counted values where they are not rewritten (``lost_``), and ones that do not (``kept_``).

They are read, and not called.
"""

# ruff: noqa: F821, F841, E731, UP031, UP032, C416, B009
import functools
import math
from bisect import insort
from builtins import int as whole
from collections import defaultdict
from contextlib import contextmanager
from functools import lru_cache, partial
from heapq import heappush
from math import isqrt

to_int = int
glue = str.join
glue_lines = "\n".join
hexed = partial(int, base=16)
MAKERS = {"whole": [int]}
FORM = "%03d"
BASE = 1
CHANGING = 1


def lost_built_in(x):
    return int(x)


def lost_imported_alias(x):
    return whole(x)


def lost_assigned_alias(x):
    return to_int(x)


def lost_assigned_method(x):
    return glue(",", x)


def lost_method_of_a_text(x):
    return glue_lines(x)


def lost_local_alias(x):
    make = int
    return make(x)


def lost_local_alias_of_a_method(x):
    make = str.join
    return make(",", x)


def lost_callback(xs):
    return list(map(int, xs))


def lost_key(xs):
    return sorted(xs, key=str)


def lost_default(x, make=int):
    return make(x)


def lost_default_by_name(x, *, make=int):
    return make(x)


def lost_in_a_table(x):
    return MAKERS["whole"][0](x)


def lost_partial(x):
    return hexed(x)


def lost_in_math(x):
    return math.sqrt(x) > 2


def lost_import_inside(x):
    from math import sqrt as root

    return root(x)


def lost_module_inside(x):
    import math as numbers

    return numbers.sqrt(x)


def lost_module_that_is_not_loaded(x):
    from a_module_that_is_not_there import something

    return something(x)


def _calls_bool(x):
    return bool(x)


def lost_in_another_function(x):
    return _calls_bool(x)


def lost_in_a_function_inside(x):
    def inside():
        return bool(x)

    return inside()


lost_lambda = lambda x: int(x)


def _with(make):
    def function(x):
        return make(x)

    return function


lost_closure = _with(int)


@lru_cache
def _cached(x):
    return int(x)


def lost_behind_a_cache(x):
    return _cached(x)


@contextmanager
def _context(x):
    yield int(x)


def lost_in_a_context(x):
    with _context(x) as y:
        return y


def _decorated(function):
    @functools.wraps(function)
    def call(x):
        return function(x)

    return call


@_decorated
def lost_behind_a_decorator(x):
    return int(x)


class Base:
    def whole(self, x):
        return int(x)


class Derived(Base):
    pass


class Lazy:
    x = 1

    @property
    def whole(self):
        return int(self.x)

    @functools.cached_property
    def again(self):
        return self.x


class Static:
    @staticmethod
    def whole(x):
        return int(x)


class True_:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        return self.x > 1


SHARED = Base()


def lost_in_a_method(x):
    return Base().whole(x)


def lost_in_an_inherited_method(x):
    return Derived().whole(x)


def lost_in_a_property(x):
    return Lazy().whole


def lost_in_a_static_method(x):
    return Static.whole(x)


def lost_in_a_shared_object(x):
    return SHARED.whole(x)


def lost_in_the_truth_of_an_object(x):
    return 1 if True_(x) else 0


def lost_identity(x):
    return (x > 1) is True


def lost_in_a_pattern(x):
    match x > 1:
        case True:
            return 1


def lost_type(x):
    return type(x) is int


def lost_in_an_f_string(x):
    return f"{x}"


def lost_in_a_template(x):
    return "%d" % x


def lost_in_a_template_elsewhere(x):
    form = FORM
    return form % x


def lost_in_a_format(x):
    return "{}".format(x)


def lost_in_bytes(x):
    return x in b"abc"


def lost_in_an_assertion(x):
    assert int(x) > 3, f"{x}"


def lost_in_an_error(x):
    raise KeyError(int(x))


def lost_by_a_computed_name(x):
    return getattr(x, "re" + "al")


def lost_in_a_text(x):
    return eval("int")(x)


def lost_among_all_names(x):
    return globals()["to_int"](x)


def lost_undefined(x):
    return not_defined_yet(x)


def lost_module_as_a_value(x):
    modules = [math]
    return modules[0].sqrt(x)


def lost_width(x):
    return "a".ljust(x)


def lost_in_a_sometimes_plain_variable(xs):
    n = len(xs)
    n = xs[0]
    return int(n)


def lost_in_a_variable_changed_inside(xs):
    n = 1

    def change():
        nonlocal n
        n = xs[0]

    change()
    return int(n)


def _change(x):
    global CHANGING
    CHANGING = x


def lost_in_a_changing_global(x):
    _change(x)
    return int(CHANGING)


def lost_in_a_filled_list(x):
    xs = [1]
    xs.append(x)
    return float(sum(xs))


def _halved(n):
    return int(n / 2)


def lost_in_a_sometimes_plain_parameter(xs):
    return _halved(len(xs)) + _halved(xs[0])


def lost_in_a_function_handed_on(xs):
    return _halved(len(xs)) + sum(map(_halved, xs))


def lost_by_starred_arguments(xs):
    return _halved(*xs)


def lost_beside_a_variable_of_that_name(xs):
    return int(xs[0]) + len([int for int in xs])


def lost_beside_a_function_with_that_variable(xs):
    def inside(int):
        return int

    return int(xs[0]) + inside(2)


def kept_sort(xs):
    for i in range(1, len(xs)):
        j = i
        while j and xs[j - 1] > xs[j]:
            xs[j - 1], xs[j] = xs[j], xs[j - 1]
            j -= 1
    return sorted(xs), min(xs), abs(xs[0]), sum(xs), divmod(xs[0], 2)


def join(a, b):
    return a + b


def kept_function_of_such_a_name(x):
    return join(x, x)


def kept_variable_called_index(xs):
    index = 0
    while xs[index] > 0:
        index += 1
    return index


def kept_variable_called_type(x):
    type = x
    return type + 1


def kept_parameter_called_str(str):
    return [str + 1 for str in range(str)]


class Pieces:
    def join(self, x):
        return self.split(x)

    def split(self, x):
        return x


PIECES = Pieces()


def kept_methods_of_such_names(x):
    pieces = Pieces()
    return pieces.join(x) + Pieces().join(x) + PIECES.join(x)


def kept_lists(x):
    xs = [1, x]
    return xs.index(x) + xs.count(x) + [x].index(x)


def kept_types_asked_for(x):
    return isinstance(x, int | float | str)


def kept_types_in_patterns(x):
    match x:
        case int(y):
            return y


def kept_annotations(x: int) -> str:
    y: float = x

    def inside(z: int) -> str:
        return z

    return inside(y)


def kept_types_of_types(x):
    kind = dict[str, list[int]]
    return x


def kept_messages(x):
    if x > 1:
        raise ValueError(f"{x}" + str(x) + "%d" % x + "{}".format(x) + ", ".join(x))
    assert x, f"{x}"


def kept_docstring(x):
    """Not "%d"."""
    return x % 2


def kept_constants(x):
    return int("3") < x < float("inf") and x != math.pi


def kept_lengths(xs):
    n = len(xs)
    return isqrt(1 + 4 * n) + int(n / 2)


def kept_ranges(xs):
    return [xs[int(i / 2)] for i in range(len(xs))]


def _nodes(n, more=2):
    return isqrt(BASE + 4 * n + more)


def kept_plain_parameters(xs):
    return _nodes(len(xs)) + _nodes(n=3, more=0)


def kept_default_table(x):
    return defaultdict(int)[x]


def kept_members(x):
    return x in {1, 2} or x not in [3]


class Shown:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Shown({self.x})"


def kept_class_that_can_be_shown(x):
    return Shown(x).x


def kept_attribute_by_its_name(x):
    return getattr(x, "real")


def kept_compiled_functions(x):
    heap = []
    heappush(heap, x)
    insort(heap, x)


def kept_recursion(x):
    return kept_recursion(x - 1) if x else 0


def lost_text_by_membership(s):
    return "a" in s


def lost_text_as_an_argument(s, t):
    return s.startswith(t)


def lost_text_of_codes(s):
    return list(map(ord, s))


def lost_text_joined(s):
    return "".join([s])


def kept_text_that_answers_itself(s):
    return s[0] == s[-1] and s.startswith("ab") and s.find(s[0]) and s.lower().strip()


def kept_text_of_characters(s):
    return sum(c == "a" for c in s)
