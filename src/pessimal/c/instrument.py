"""Rewrites preprocessed C so that every test reports its outcome and distances, and every loop takes steps.

Types are left to the compiler: a comparison becomes a macro of ``runtime/pessimal.h`` which has the same value.
``a && b`` stays what it is; only ``a`` and ``b`` are rewritten, so that ``b`` is evaluated only where it was before.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from pessimal.c.casts import cast_types
from pessimal.c.literal_values import literal_value
from pessimal.c.preprocess import Preprocessed
from pessimal.c.sites import CTest, Instrumented, Span, Statement
from pessimal.c.switches import label_bounds, label_groups
from pessimal.c.syntax import (
    Node,
    aliases,
    callee,
    declared_lengths,
    dimensions,
    function_name,
    has_code,
    is_constant,
    is_evaluated,
    parsed,
    unwrapped,
)
from pessimal.comparison import Operand
from pessimal.trace import Site

COMPARISONS = {"==": "PESS_EQ", "!=": "PESS_NE", "<": "PESS_LT", "<=": "PESS_LE", ">": "PESS_GT", ">=": "PESS_GE"}
TEXT_COMPARISONS = {"strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp"}
EXPECTATIONS = {"__builtin_expect", "__builtin_expect_with_probability"}
_LOGICAL = ("&&", "||")
_SIMPLE_STATEMENTS = {
    "expression_statement", "return_statement", "break_statement", "continue_statement", "goto_statement",
    "if_statement", "while_statement", "do_statement", "for_statement", "switch_statement",
}  # fmt: skip
_LITERALS = {"number_literal", "char_literal", "string_literal"}
_LONGEST_TEXT = 80
_DEEPEST = 30_000


def instrument(
    source: Preprocessed, first_slot: int = 0, first_statement: int = 0, left_alone: Collection[str] = ()
) -> Instrumented:
    """The instrumented text of a preprocessed file; slots and statements are counted from the first ones given.

    Functions that are ``left_alone`` stay as they are, because the compiler refused what became of them.
    """
    rewriter = _Rewriter(source, first_slot, first_statement, left_alone)
    with _deep_recursion():
        text = rewriter.file(parsed(source.text))
    return Instrumented(
        text,
        tuple(rewriter.tests),
        tuple(rewriter.statements),
        tuple(rewriter.functions),
        {name: tuple(found) for name, found in rewriter.literals.items()},
        rewriter.words,
        tuple(_spans(text, rewriter.changed)),
        rewriter.declared,
        rewriter.dimensions,
        rewriter.casts,
        rewriter.aliases,
    )


def _spans(text: bytes, pieces: Sequence[tuple[str, bytes]]) -> Iterator[Span]:
    """Where the rewritten functions, which are in order, lie in the whole text."""
    line, at = 1, 0
    for name, piece in pieces:
        start = text.index(piece, at)
        line += text.count(b"\n", at, start)
        first, at = line, start + len(piece)
        line += piece.count(b"\n")
        yield Span(name, first, line)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Chains of else-if are as deep as they are long."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Rewriter:
    """One pass over the tree: each method returns the new text of a node."""

    def __init__(
        self, source: Preprocessed, first_slot: int, first_statement: int, left_alone: Collection[str]
    ) -> None:
        self._source = source
        self._first_statement = first_statement
        self._left_alone = left_alone
        self._function = ""
        self._texts: Counter[tuple[str, str]] = Counter()
        self._slot = first_slot
        self.tests: list[CTest] = []
        self.statements: list[Statement] = []
        self.functions: list[str] = []
        self.literals: dict[str, dict[Operand, None]] = defaultdict(dict)
        self.words: dict[str, frozenset[str]] = {}
        self.changed: list[tuple[str, bytes]] = []
        self.declared: dict[tuple[str, str], int] = {}
        self.dimensions: dict[str, dict[str, str]] = {}
        self.casts: dict[str, dict[str, str]] = {}
        self.aliases: dict[str, dict[str, str]] = {}
        self._handlers: dict[str, Callable[[Node], bytes]] = {
            "binary_expression": self._binary,
            "conditional_expression": self._conditional,
            "if_statement": self._condition_of,
            "while_statement": self._loop,
            "do_statement": self._loop,
            "for_statement": self._for,
            "switch_statement": self._switch,
            "goto_statement": lambda node: b"{ PESS_STEP(); %b }" % node.text,
            "compound_statement": self._block,
            "case_statement": self._case,
            "declaration": self._declaration,
        }

    def file(self, root: Node) -> bytes:
        """The whole file; only functions that are not of system headers change."""
        return self._joined(root, self._top)

    def _top(self, node: Node) -> bytes:
        if node.type == "function_definition":
            return self._definition(node)
        if node.type in ("linkage_specification", "declaration_list"):
            return self._joined(node, self._top)
        return bytes(node.text)

    def _definition(self, node: Node) -> bytes:
        body, line = node.child_by_field_name("body"), self._source.lines[node.start_point[0]]
        name = function_name(node)
        if line.is_system or body is None or body.type != "compound_statement" or name is None:
            return bytes(node.text)
        self.functions.append(name)
        self.words[name] = frozenset(re.findall(r"\w+", node.text.decode(errors="replace")))
        self.declared |= {(name, parameter): length for parameter, length in declared_lengths(node)}
        self.dimensions[name] = dict(dimensions(node))
        self.casts[name] = cast_types(node)
        self.aliases[name] = aliases(node)
        if name in self._left_alone:
            return bytes(node.text)
        self._function = name
        head = self._source.text[node.start_byte : body.start_byte]
        text = head + b"{ PESS_STEP();" + self._block(body)[1:]
        self.changed.append((name, text))
        return text

    def _joined(self, node: Node, rewrite: Callable[[Node], bytes]) -> bytes:
        """The text of a node with its children rewritten."""
        text, at, parts = self._source.text, node.start_byte, []
        for child in node.children:
            parts += [text[at : child.start_byte], rewrite(child)]
            at = child.end_byte
        return b"".join([*parts, text[at : node.end_byte]])

    def rewrite(self, node: Node) -> bytes:
        """A node in its place: an expression whose value is used, a statement, or anything else."""
        if node.type in _LITERALS:
            self._note_literal(node)
            return bytes(node.text)
        if node.child_count == 0 or not is_evaluated(node):
            return bytes(node.text)
        handler = self._handlers.get(node.type)
        return self._joined(node, self.rewrite) if handler is None else handler(node)

    def _note_literal(self, node: Node) -> None:
        value = literal_value(node.text.decode(errors="replace"))
        if value is not None:
            self.literals[self._function][value] = None

    # Tests

    def _binary(self, node: Node) -> bytes:
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type not in _LOGICAL:
            return self._joined(node, self.rewrite)
        return self._joined(node, lambda child: child.text if child == operator else self._test(child))

    def _conditional(self, node: Node) -> bytes:
        condition = node.child_by_field_name("condition")
        if node.child_by_field_name("consequence") is None:  # in ``a ?: b`` the value of a is used
            return self._joined(node, lambda child: self._value(child) if child == condition else self.rewrite(child))
        return self._joined(node, lambda child: self._test(child) if child == condition else self.rewrite(child))

    def _value(self, node: Node) -> bytes:
        """An expression of which the truth and the value matter."""
        if node.has_error or is_constant(node):
            return self.rewrite(node)
        return b"PESS_VALUE(%d, (%b))" % (self._new_test(node), self.rewrite(node))

    def _test(self, node: Node) -> bytes:
        """An expression of which only the truth matters."""
        if node.type == "comment" or not node.is_named:
            return bytes(node.text)
        if node.has_error or is_constant(node):
            return bytes(node.text) if node.has_error else self.rewrite(node)
        match node.type:
            case "parenthesized_expression":
                return self._joined(node, self._test)
            case "comma_expression":
                last = node.child_by_field_name("right")
                return self._joined(node, lambda child: self._test(child) if child == last else self.rewrite(child))
            case "unary_expression" if node.children[0].type == "!":
                return b"!" + self._test(node.child_by_field_name("argument"))
            case "binary_expression" if node.child_by_field_name("operator").type in _LOGICAL:
                return self._binary(node)
            case "call_expression" if callee(node) in EXPECTATIONS:
                return self._expectation(node)
            case "compound_statement":
                return self.rewrite(node)
        return self._atom(node)

    def _expectation(self, node: Node) -> bytes:
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0]
        inner = self._joined(arguments, lambda child: self._test(child) if child == first else self.rewrite(child))
        return self._source.text[node.start_byte : arguments.start_byte] + inner

    def _atom(self, node: Node) -> bytes:
        operator: Node = node.child_by_field_name("operator") if node.type == "binary_expression" else None
        name = "" if operator is None else COMPARISONS.get(operator.type, "")
        slot = self._new_test(node)
        if not name:
            if callee(node) in TEXT_COMPARISONS:
                return b"PESS_TEXT(%d, PESS_NE, !=, %b)" % (slot, self._text_call(node))
            name = "PESS_ANSWER" if callee(node) is not None else "PESS_TRUTH"
            return b"%b(%d, (%b))" % (name.encode(), slot, self.rewrite(node))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if callee(left) in TEXT_COMPARISONS and right.text == b"0" and name in ("PESS_EQ", "PESS_NE"):
            return b"PESS_TEXT(%d, %b, %b, %b)" % (slot, name.encode(), operator.text, self._text_call(left))
        operands = self.rewrite(left), self.rewrite(right)
        return b"PESS_COMPARE(%d, %b, %b, (%b), (%b))" % (slot, name.encode(), operator.text, *operands)

    def _text_call(self, node: Node) -> bytes:
        """A call of a function that compares texts, of the version that measures how far they are apart."""
        call = unwrapped(node)
        name: bytes = call.child_by_field_name("function").text
        return b"pess_" + name + self.rewrite(call.child_by_field_name("arguments"))

    def _new_test(self, node: Node, labels: tuple[str, ...] = ("false", "true")) -> int:
        slot = self._slot
        self._slot += len(labels)
        line, text = self._source.lines[node.start_point[0]], " ".join(node.text.decode(errors="replace").split())
        text = text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
        counter = self._texts[self._function, text]
        self._texts[self._function, text] += 1
        site = Site(line.file, self._function, line.number, node.start_point[1], text, counter)
        self.tests.append(CTest(site, slot, labels))
        return slot

    # Statements

    def _condition_of(self, node: Node) -> bytes:
        condition = node.child_by_field_name("condition")
        return self._joined(node, lambda child: self._test(child) if child == condition else self._body(child))

    def _loop(self, node: Node) -> bytes:
        condition = node.child_by_field_name("condition")

        def part(child: Node) -> bytes:
            if child == condition:
                return b"((PESS_STEP(), %b))" % self._test(child)
            return self._body(child)

        return self._joined(node, part)

    def _for(self, node: Node) -> bytes:
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("body")
        if condition is not None:

            def part(child: Node) -> bytes:
                if child == condition:
                    return b"(PESS_STEP(), %b)" % self._test(child)
                return self._body(child) if child == body else self.rewrite(child)

            return self._joined(node, part)
        last = [child for child in node.children if child.type == ";" and child.end_byte <= body.start_byte][-1]
        return self._joined(
            node,
            lambda child: (
                b"(PESS_STEP(), 1);" if child == last else (self._body(child) if child == body else self.rewrite(child))
            ),
        )

    def _switch(self, node: Node) -> bytes:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        groups = label_groups(body)
        cases = [group for group in groups if group != [None]]
        if condition.has_error or not any(label for group in groups for label in group if label):
            return self._joined(node, self._body)
        for label in (label for group in groups for label in group if label):
            value = literal_value(label)
            if value is not None:
                self.literals[self._function][value] = None
        explicit = [group for group in cases if None not in group]
        labels = (*(", ".join(f"case {label}" for label in group if label) for group in explicit), "default")
        slot = self._new_test(condition, labels)
        shared = [label for group in cases if None in group for label in group if label]
        rows = [(label, number) for number, group in enumerate(explicit) for label in group if label]
        rows += [(label, len(explicit)) for label in shared]
        table = ", ".join(f"{{{label_bounds(label)}, {number}}}" for label, number in rows).encode()
        value = self.rewrite(condition)
        head = b"switch (PESS_SWITCH(%d, %b, %d, %b))" % (slot, value, len(labels), table)
        return head + self._source.text[condition.end_byte : body.start_byte] + self._body(body)

    def _block(self, node: Node) -> bytes:
        return self._joined(node, self._noted)

    def _case(self, node: Node) -> bytes:
        """A label, whose value must stay constant, and the statements after it."""
        colon = next((child for child in node.children if child.type == ":"), None)
        if colon is None:
            return bytes(node.text)
        return self._joined(node, lambda child: child.text if child.end_byte <= colon.end_byte else self._noted(child))

    def _noted(self, node: Node) -> bytes:
        """A statement in a list of statements: it is noted that it was executed."""
        if node.prev_sibling is not None and node.prev_sibling.type == "ERROR":
            return bytes(node.text)  # the rest of something that was not understood
        if node.type == "labeled_statement":
            return self._labelled(node)
        text = self.rewrite(node)
        if node.type in _SIMPLE_STATEMENTS or (node.type == "declaration" and has_code(node)):
            return b"PESS_AT(%d); %b" % (self._new_statement(node), text)
        return text

    def _body(self, node: Node) -> bytes:
        """What follows a condition, which may be a single statement."""
        if node.type == "else_clause":
            return self._joined(node, self._body)
        if node.type == "labeled_statement":
            return self._labelled(node)
        if node.type in _SIMPLE_STATEMENTS and node.is_named:
            return b"{ PESS_AT(%d); %b }" % (self._new_statement(node), self.rewrite(node))
        return self.rewrite(node)

    def _labelled(self, node: Node) -> bytes:
        label = node.child_by_field_name("label")
        return self._joined(node, lambda child: child.text if child == label else self._body(child))

    def _declaration(self, node: Node) -> bytes:
        return self._joined(node, self.rewrite) if has_code(node) else bytes(node.text)

    def _new_statement(self, node: Node) -> int:
        line = self._source.lines[node.start_point[0]]
        self.statements.append(Statement(line.file, self._function, line.number))
        return self._first_statement + len(self.statements) - 1
