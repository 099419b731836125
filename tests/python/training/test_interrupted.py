"""A training that is killed, at any moment and again and again, ends as one that is not: to the bit."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from thorough import many

import lantern as lt

SCRIPT = pathlib.Path(__file__).with_name("interrupted.py")
EPOCHS = 15
KILLS = many(12)    # a hundred take a minute and a half


def start(folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LANTERN_THREADS": "1"}
    return subprocess.Popen([sys.executable, SCRIPT, folder, str(EPOCHS)], env=environment, stderr=subprocess.PIPE)


def finished(process):
    _, said = process.communicate(timeout=120)
    assert process.returncode in (0, -signal.SIGKILL), said.decode()
    return process.returncode == 0


def outcome(folder):
    """All that a training leaves, but the seconds it took."""
    rows = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    arrays = {f"{name} {key}": array.tobytes() for name in ("run.ckpt", "best.safetensors") for key, array in lt.load_arrays(folder / name).items()}
    table = [line.rsplit(",", 1)[0] for line in (folder / "run.csv").read_text().splitlines()]
    return [{name: row[name] for name in row if name != "seconds"} for row in rows], arrays, table, sorted(os.listdir(folder))


def wait_for_another(checkpoint, process):
    """Until it has been written anew, or the process is over."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    while process.poll() is None and not (checkpoint.exists() and checkpoint.stat().st_mtime_ns != before):
        time.sleep(0.002)


def interrupt(tmp_path, times):
    unbroken, folder = tmp_path / "unbroken", None
    unbroken.mkdir()
    assert finished(start(unbroken))
    expected = outcome(unbroken)
    assert len(expected[0]) == EPOCHS and expected[0][-1]["step"] == EPOCHS * 20 and len(expected[3]) == 4
    moments, kills, begun, after_checkpoint = random.Random(1), 0, 0, 0
    while kills < times or folder is not None:
        if folder is None:
            begun += 1
            folder = tmp_path / f"broken{begun}"
            folder.mkdir()
        process = start(folder)
        if kills < times:
            if kills % 2:   # a little after it has written a checkpoint; else at any moment, its start included
                wait_for_another(folder / "run.ckpt", process)
            try:
                process.wait(moments.uniform(0.0, 0.2) if kills % 2 else moments.uniform(0.1, 0.8))
            except subprocess.TimeoutExpired:
                process.kill()
        if finished(process):
            assert outcome(folder) == expected
            folder = None
            continue
        kills += 1
        if (folder / "run.ckpt").exists():
            after_checkpoint += 1
            lt.load_arrays(folder / "run.ckpt")     # raises where it is not whole
    assert after_checkpoint >= times // 2
    return begun, after_checkpoint


def test_a_training_that_is_killed_ends_as_one_that_is_not(tmp_path, capsys):
    begun, after = interrupt(tmp_path, KILLS)
    with capsys.disabled():
        print(f"\n{KILLS} kills in {begun} trainings, {after} of them behind a checkpoint")
