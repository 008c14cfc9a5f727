"""Files behind symbolic links: coverage.py resolves these, Python does not."""

from pathlib import Path

import pessimal

HERE = Path(__file__).parent


def test_a_module_behind_a_link_is_covered(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "linked_programs.py").write_text((HERE / "unreachable.py").read_text())
    (tmp_path / "link").symlink_to(tmp_path / "real")
    result = pessimal.cover(str(tmp_path / "link" / "linked_programs.py"), budget=120.0, workers=1, runs=300)
    assert result.branches.covered == result.branches.total - 2
