import subprocess
import sys
from pathlib import Path

from app.storage.process_lock import ProcessLock, is_held, remove_lock

HOLDER = """
import sys
from pathlib import Path
from app.storage.process_lock import ProcessLock
lock = ProcessLock.take(Path(sys.argv[1]))
print("held" if lock else "refused", flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_once(tmp_path):
    path = tmp_path / "lock"
    lock = ProcessLock.take(path)
    assert ProcessLock.take(path) is None
    assert is_held(path)
    lock.release()
    assert not is_held(path)
    assert not path.exists()


def test_a_lock_can_leave_its_file_for_the_next(tmp_path):
    path = tmp_path / "lock"
    ProcessLock.take(path).release(is_file_kept=True)
    assert path.exists()
    again = ProcessLock.take(path)
    assert again is not None
    again.release()


def test_a_lock_that_never_was_is_not_held_and_stays_absent(tmp_path):
    assert not is_held(tmp_path / "none")
    remove_lock(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_death_of_its_process_releases_a_lock(tmp_path):
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        text=True,
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        assert is_held(path)
        assert ProcessLock.take(path) is None
        holder.kill()
    assert not is_held(path)
