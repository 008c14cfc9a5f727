"""Native runs of targets that try to do harm: nothing is changed, and nobody else is reached."""

import pytest

pytest.importorskip("unicorn")

from pessimal.pool import landlock, seccomp
from tests.binary.building import built, library
from tests.binary.searching import SECONDS, front_end

pytestmark = pytest.mark.skipif(
    not (landlock.version() and seccomp.is_available()), reason="this kernel confines nothing"
)


@pytest.fixture
def kept(tmp_path):
    file = tmp_path / "kept"
    file.write_text("as it was")
    file.chmod(0o640)
    yield file
    assert file.read_text() == "as it was" and file.stat().st_mode & 0o777 == 0o640


def test_a_function(kept):
    call = f'harm("{kept}", data)'
    front = front_end(f"{library('harm')}:harm", 1, call=call, given={"data": "bytes:N"})
    assert front.native([0], SECONDS).returned == "0"


def test_a_program(kept):
    front = front_end(built("harm"), 1, call=str(kept))
    assert front.native([0], SECONDS).returned == "exit 0"
