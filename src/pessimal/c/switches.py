"""The labels of a switch: which of them lead to the same statement, and the values that they stand for."""

from __future__ import annotations

from pessimal.c.syntax import Node


def label_groups(body: Node) -> list[list[str | None]]:
    """The labels of a switch, those together that lead to the same statement; None stands for default."""
    groups: list[list[str | None]] = []
    waiting: list[str | None] = []

    def visit(node: Node) -> None:
        nonlocal waiting
        for child in node.children:
            if child.type == "switch_statement":
                continue
            if child.type == "case_statement":
                waiting.append(_label(child))
                colon = next(part for part in child.children if part.type == ":")
                inside = [part for part in child.named_children if part.start_byte >= colon.end_byte]
                if any(part.type not in ("comment", "case_statement") for part in inside):
                    groups.append(waiting)
                    waiting = []
            visit(child)

    visit(body)
    return [*groups, waiting] if waiting else groups


def _label(case: Node) -> str | None:
    """The text of a label between ``case`` and the colon."""
    first = case.children[0]
    if first.type != "case":
        return None
    colon = next(child for child in case.children if child.type == ":")
    start, end = first.end_byte - case.start_byte, colon.start_byte - case.start_byte
    return " ".join(case.text[start:end].decode(errors="replace").split())


def label_bounds(label: str) -> str:
    """The smallest and the largest value of a label, as C."""
    low, dots, high = label.partition("...")
    return f"({low}), ({high if dots else low})"
