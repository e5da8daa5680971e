#!/usr/bin/env python3
"""Ends the program with SIGKILL at random moments of its work and looks at what is left.

usage: tests/faults/kills.py [COUNT] [--seed N] [--work NAME…]

Saves, runs, sweeps, merges, exports and migrates, COUNT times in all (default: 1000). After each kill every file is the
old or the new one, a database is sound and has lost no run that was complete, the same command succeeds at the next
start, and then nothing is left behind. IPU_WORKBENCH names the program, else the one that was built last is taken.
Exit code 1: something was lost, half or left; its folder is kept and named."""

import argparse
import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def program():
    named = os.environ.get("IPU_WORKBENCH")
    built = sorted(glob.glob(str(ROOT / "build/*/app/ipu-workbench")), key=os.path.getmtime)
    if not named and not built:
        sys.exit("kills.py: build the program first: cmake --preset release && cmake --build --preset release")
    return str(Path(named or built[-1]).resolve())


PROGRAM = program()
# Name, arguments, the file that it writes.
WORKS = {
    "save": (["plan", "p.ipuproj", "--stages", "2", "-o", "p.ipuproj", "--force"], "p.ipuproj"),
    "run": (["run", "p.ipuproj", "--profile", "tile", "--database", "d.sqlite"], "d.sqlite"),
    "sweep": (["sweep", "s.sweep.json", "--resume", "--database", "s.sqlite"], "s.sqlite"),
    "merge": (["merge", "d.sqlite", "e.sqlite", "-o", "all.sqlite"], "all.sqlite"),
    "export": (["export", "1", "--database", "d.sqlite", "--format", "perfetto", "-o", "t.perfetto", "--force"], "t.perfetto"),
    "migrate": (["run", "p.ipuproj", "--no-numerics", "--database", "old.sqlite"], "old.sqlite"),
}


def run(arguments, folder, **more):
    return subprocess.run([PROGRAM] + arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def must(arguments, folder):
    done = run(arguments, folder)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.returncode}\n{done.stderr}")


def prepare(folder):
    must(["new", "mlp", "stages=2", "-o", "p.ipuproj"], folder)
    for database in ("d.sqlite", "e.sqlite"):
        must(["run", "p.ipuproj", "--no-numerics", "--database", database], folder)
    (folder / "s.sweep.json").write_text(json.dumps({
        "format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
        "grid": {"pipeline.schedule": ["Grouped", "Interleaved", "Sequential"],
                 "training.optimizer.config.momentum": [0.5, 0.6, 0.7, 0.8, 0.9],
                 "training.batch_size": [1, 2, 4, 8, 16, 32, 64, 128]}}))
    old = sqlite3.connect(folder / "old.sqlite")
    old.executescript((ROOT / "tests/core/profile/versions/version_3.sql").read_text())
    old.commit()
    old.close()


def complete(path):
    """Runs that are complete; -1 where there is no database, or an empty file."""
    if not path.exists() or path.stat().st_size == 0:
        return -1
    database = sqlite3.connect(path)
    try:
        if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            return -1
        check = database.execute("PRAGMA integrity_check").fetchone()[0]
        if check != "ok":
            raise ValueError(f"{path.name} is damaged: {check}")
        if database.execute("SELECT count(*) FROM pragma_foreign_key_check").fetchone()[0]:
            raise ValueError(f"{path.name} has rows that lead nowhere")
        if path.name == "s.sqlite":
            return database.execute("SELECT count(*) FROM sweep_point").fetchone()[0]
        return database.execute("SELECT count(*) FROM run JOIN run_state s ON s.id = run.state "
                                "WHERE s.name = 'complete'").fetchone()[0]
    finally:
        database.close()


def state(path):
    return complete(path) if path.suffix == ".sqlite" else path.read_bytes() if path.exists() else None


def leftovers(folder, names):
    return sorted(path.name for path in folder.iterdir()
                  if path.name not in names and not path.name.endswith((".sqlite-wal", ".sqlite-shm")))


def kill_once(name, sound, home, reference, random_):
    arguments, result = WORKS[name]
    usual, fresh, names = reference[name]
    folder = home / "work"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sound, folder)
    old = state(folder / result)
    process = subprocess.Popen([PROGRAM] + arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    time.sleep(random_.uniform(0, 1.1 * usual))
    was_hit = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    now = state(folder / result)
    if result.endswith(".sqlite"):
        if not old <= now <= max(fresh, old + 1):
            raise ValueError(f"{result} has {now} rows; there were {old}, and {fresh} when nothing stops it")
    elif now not in (old, fresh):
        raise ValueError(f"{result} is neither the old nor the new one")
    again = run(arguments, folder)
    if again.returncode != 0:
        raise ValueError(f"the next start answers {again.returncode}: {again.stderr}")
    after = state(folder / result)
    if result.endswith(".sqlite") and after < max(now, fresh):
        raise ValueError(f"{result} has {after} rows after the next start; there were {now}")
    if left := leftovers(folder, names):
        raise ValueError(f"left after the next start: {left}")
    return was_hit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", nargs="*", choices=list(WORKS), default=list(WORKS))
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    home = Path(tempfile.mkdtemp(prefix="ipu-workbench-kills-"))
    sound = home / "sound"
    sound.mkdir()
    prepare(sound)
    reference = {}
    for name in options.work:
        arguments, result = WORKS[name]
        folder = home / "reference"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        begin = time.monotonic()
        must(arguments, folder)
        usual = time.monotonic() - begin
        reference[name] = (usual, state(folder / result), {path.name for path in folder.iterdir()})
    done = {name: [0, 0, 0] for name in options.work}
    bad = 0
    try:
        for number in range(options.count):
            name = options.work[number % len(options.work)]
            try:
                done[name][1] += kill_once(name, sound, home, reference, random_)
            except (ValueError, sqlite3.Error) as trouble:
                bad += 1
                done[name][2] += 1
                kept = home / f"bad-{bad}"
                shutil.copytree(home / "work", kept)
                print(f"{name} ({number}): {trouble}; see {kept}", flush=True)
            done[name][0] += 1
    except KeyboardInterrupt:
        print("stopped before the end")
    print(f"{'work':<10} {'kills':>6} {'in time':>8} {'bad':>4}")
    for name, (kills, hit, wrong) in done.items():
        print(f"{name:<10} {kills:>6} {hit:>8} {wrong:>4}")
    if bad == 0:
        shutil.rmtree(home)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
