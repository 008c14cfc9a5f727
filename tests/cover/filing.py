"""Code that looks at files and writes some."""

from pathlib import Path


def kind(path: str) -> str:
    if not Path(path).exists():
        return "missing"
    if Path(path).is_dir():
        return "directory"
    return "text" if Path(path).read_bytes() else "empty"


def save(path: str, text: str) -> int:
    if len(text) > 3:
        Path(path).write_text(text)
        return len(Path(path).read_text())
    return 0
