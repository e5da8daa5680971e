#!/usr/bin/env python3
"""Random commands of the palette in one window, for a time, and what they broke as a short script.

usage: tests/soak/soak.py MINUTES [--seed N] [--program FILE]

It is built in build/asan where that is configured (cmake --preset asan), else in the build that was configured last. A
crash, a report of a sanitizer or an undo that is not exact is a find: its steps are made again and again with fewer of
them, and the shortest script that still fails is kept in build/soak. Commands for which the event loop worked more than
100 ms without coming round are listed; from ten minutes on, memory that grows by more than a twentieth after the first
quarter is a find as well. Exit code 1: a find."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "soak"


def built():
    caches = sorted(ROOT.glob("build/*/CMakeCache.txt"), key=os.path.getmtime)
    folders = [cache.parent for cache in caches if cache.parent.name != "fuzz"]
    if not folders:
        sys.exit("no build: cmake --preset asan")
    folder = ROOT / "build/asan" if ROOT / "build/asan" in folders else folders[-1]
    if subprocess.run(["cmake", "--build", str(folder), "--target", "soak", "ipu-workbench"]).returncode != 0:
        sys.exit("it does not build")
    os.environ["IPU_WORKBENCH"] = str(folder / "app/ipu-workbench")
    return str(folder / "tests/soak/soak")


def environment():
    support = ROOT / "tests/support"
    return dict(os.environ, QT_QPA_PLATFORM="offscreen", QT_LOGGING_RULES="qt.qpa.*=false", LC_ALL="C.UTF-8",
                XDG_RUNTIME_DIR=str(OUT), UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
                ASAN_OPTIONS=f"suppressions={support}/asan_suppressions.txt:allocator_may_return_null=1:detect_leaks=0")


def fails(program, script, limit):
    """What the program says when it makes these steps and fails; None when all is well."""
    file = OUT / "script.txt"
    file.write_text("\n".join(script) + "\n")
    try:
        done = subprocess.run([program, "0", "1", str(OUT / "again.txt"), str(file)], env=environment(), capture_output=True,
                              text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return "does not end"
    return None if done.returncode == 0 else f"{done.returncode}\n{done.stdout[-2000:]}{done.stderr[-6000:]}"


def shrunk(program, script):
    """Halves, quarters, … of the steps are left out as long as what is left still fails."""
    size = max(1, len(script) // 2)
    while True:
        at = 0
        while at < len(script):
            shorter = script[:at] + script[at + size:]
            if shorter and fails(program, shorter, 60 + len(shorter)):
                script = shorter
            else:
                at += size
        if size == 1:
            return script
        size = max(1, size // 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    options = parser.parse_args()
    program = options.program or built()
    OUT.mkdir(parents=True, exist_ok=True)
    log = OUT / f"steps-{options.seed}.txt"
    seconds = int(options.minutes * 60)
    try:
        done = subprocess.run([program, str(seconds), str(options.seed), str(log)], env=environment(), capture_output=True,
                              text=True, errors="replace", timeout=2 * seconds + 600)
        code, said = done.returncode, done.stdout + done.stderr[-8000:]
    except subprocess.TimeoutExpired:
        code, said = -1, "does not end"
    print(said, end="")
    if code == 0:
        return 0
    script = log.read_text().split("\n")[:-1]
    print(f"fails after {len(script)} steps: {code}")
    if not fails(program, script, 2 * seconds + 600):
        print(f"the same steps do not fail again: {log}")
        return 1
    script = shrunk(program, script)
    find = OUT / f"find-{options.seed}.txt"
    find.write_text("\n".join(script) + "\n")
    print(f"{len(script)} steps are enough, in {find}:\n" + "\n".join(script))
    return 1


if __name__ == "__main__":
    sys.exit(main())
