"""Files that appear complete or not at all."""
from __future__ import annotations

import contextlib
import os
import stat
import threading


@contextlib.contextmanager
def written_whole(path):
    """`with written_whole(path) as temporary:` what the body writes to `temporary` is at `path` behind it, where it did not fail.

    What a link leads to is written; what is no file (a device, a pipe) is written to as it is: one in its place would be no such thing."""
    place = os.path.realpath(path)
    if _is_no_file(place):
        yield place
        return
    _remove_interrupted(place)
    temporary = f"{place}.tmp{os.getpid()}-{threading.get_native_id()}"
    try:
        yield temporary
        os.replace(temporary, place)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _is_no_file(path):
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _remove_interrupted(path):
    """Processes that were killed while they wrote this file have left theirs, named by their number, beside it."""
    import glob
    for left in glob.glob(glob.escape(path) + ".tmp*"):
        number = left.rpartition(".tmp")[2].partition("-")[0]
        if number.isdigit() and not _is_alive(int(number)):
            with contextlib.suppress(FileNotFoundError):    # another has removed it
                os.unlink(left)


def _is_alive(process):
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
