#!/usr/bin/env python3
"""Puts faults into sources, one at a time, and runs the tests that have to notice them.

usage: tests/mutation/mutate.py [ROOM…] [--sample N] [--seed N] [--minutes N] [--report] [--list]

All faults of a room are compiled at once, each asleep until the environment variable MUTANT names it (mutant.h), and
linked in front of the libraries of a build (build/dev, build/ci, …: the one that was configured last, or --build), so that
only the sources of the room are compiled again. A first run of each test shows which faults it reaches; a fault is tried
with those tests alone. It is killed by a failing test, a crash or three times the usual time of the
processor and a second. Results are kept in build/mutation/results, so a run that was stopped goes on where it was;
--report only shows them. Survivors that are right to survive stand in survivors.txt with their reason. Exit code 1: there are others."""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
RESULTS = BUILD / "results"

# Sources of a room (globs), and the tests that are asked, in this order: executable, units.
ROOMS = {
    "schedule": (["core/plan/schedule/*.cpp", "core/plan/schedule/definitions/*.cpp"], [("core_plan_tests", [])]),
    "liveness": (["simulator/memory/*.cpp"], [("simulator_memory_tests", [])]),
    "planner": (["simulator/planner/stage_partition.cpp", "simulator/planner/partition_*.cpp"],
                [("simulator_planner_tests", ["partition_check", "partition_problem", "stage_partition"])]),
    "autodiff": (["simulator/graph/rules/*.cpp"],
                 [("simulator_numerics_tests", ["operation_gradients"]),
                  ("simulator_compiler_tests", ["build_training_graph"])]),
    "shapes": (["core/model/layers/shape_rules.cpp", "core/model/layers/merging.cpp", "core/model/layers/reshaping.cpp",
                "core/model/layers/dense.cpp", "core/model/layers/function_shapes.cpp",
                "core/model/layers/convolution/*.cpp"], [("core_model_tests", [])]),
    "comparison": (["core/profile/queries/comparison.cpp", "core/profile/analysis/step_division.cpp"],
                   [("core_profile_tests", [])]),
    "edits": (["core/project/project_edit.cpp", "core/project/project_model_edit.cpp", "core/model/edit/*.cpp"],
              [("core_project_tests", []), ("core_model_tests", ["graph_edit"])]),
}

OPERATORS = [  # spelling, object, what stands around it
    (" < ", "LessToLessEqual", ("<", ">")), (" > ", "GreaterToGreaterEqual", ("<", ">")),
    (" <= ", "LessEqualToLess", ("<", ">")), (" >= ", "GreaterEqualToGreater", ("<", ">")),
    (" == ", "EqualToUnequal", ("==", "==")), (" != ", "UnequalToEqual", ("==", "==")),
    (" + ", "PlusToMinus", ("+", "+")), (" - ", "MinusToPlus", ("+", "+")), (" * ", "TimesToPlus", ("*", "*")),
    (" / ", "OverToTimes", ("*", "*")), (" % ", "RestToOver", ("*", "*")),
]


# What compilers say of such sources.
WARNINGS = ["narrowing", "sign-compare", "parentheses", "unused-value", "unused-result", "int-in-bool-context", "type-limits",
            "bool-compare", "maybe-uninitialized", "logical-op", "dangling-pointer", "shadow"]


def blanked(text):
    """The source without comments, texts, preprocessor lines and templates' heads, at the same places."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    pattern = r'R"\((?:.|\n)*?\)"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*'
    return re.sub(pattern, spaces, text, flags=re.M)


def faults_of(path, text):
    """Places of a source where a fault can be: (start, end, kind, how to write it with its number)."""
    code = blanked(text)
    found = []
    offset = 0
    for line in code.split("\n"):
        start, offset = offset, offset + len(line) + 1
        word = line.strip()
        if (not word or ".reserve(" in word or word.startswith("assert(") or "constexpr" in word or "static_assert" in word or "operator" in word or word.startswith("template")
                or word.startswith("using ") or word.startswith("case ")):
            continue
        for spelling, name, (first, second) in OPERATORS:
            for match in re.finditer(re.escape(spelling), line):
                place = start + match.start()
                found.append((place, place + len(spelling), spelling.strip(),
                              lambda n, f=first, s=second, o=name: f" {f} mutant::{o}{{{n}}} {s} "))
        for match in re.finditer(r" && ", line):
            place = start + match.start()
            found.append((place, place + 4, "&&", lambda n: f" && !mutant::is({n}) && "))
        for match in re.finditer(r" \|\| ", line):
            place = start + match.start()
            found.append((place, place + 4, "||", lambda n: f" || mutant::is({n}) || "))
        for match in re.finditer(r"(?<![\w.\]])\d+(?![\w.'])", line):
            value = int(match.group(0))
            if value > 2**30 or line[:match.start()].rstrip().endswith("<"):
                continue
            found.append((start + match.start(), start + match.end(), match.group(0),
                          lambda n, v=value: f"mutant::other({n}, {v}, {v + 1})"))
        for match in re.finditer(r"\b(true|false)\b", line):
            value = match.group(0)
            found.append((start + match.start(), start + match.end(), value,
                          lambda n, v=value: f"mutant::other({n}, {v}, !{v})"))
        match = re.match(r"^(\s*)(if|while) \((.*)\)( \{)?$", line)
        if match and ";" not in match.group(3) and not re.search(r"\bauto\b|[^=!<>]=[^=]", match.group(3)) \
                and match.group(3).count("(") == match.group(3).count(")") and "constexpr" not in match.group(2):
            inner = text[start + match.start(3):start + match.end(3)]
            found.append((start + match.start(3), start + match.start(3), "if !(" + inner + ")",
                          lambda n: f"mutant::is({n}) != static_cast<bool>("))
            found.append((start + match.end(3), start + match.end(3), None, lambda n: ")"))
        match = re.match(r"^(\s*)([a-z_][\w.\[\]>-]*(\(.*\)| [-+*/|&]?= .*));$", line)
        if match and not re.match(r"\s*(return|delete|throw|goto|co_|else|do|break|continue)\b", line) \
                and "->" not in match.group(2).split("(")[0].split("=")[0].replace("->", "", 1) \
                and line.count("(") == line.count(")") and line.count("{") == line.count("}"):
            found.append((start + match.start(2), start + match.start(2), "leave out", lambda n: f"mutant::is({n}) ? void() : static_cast<void>("))
            found.append((start + match.end(2), start + match.end(2), None, lambda n: ")"))
    return found


class Fault:
    def __init__(self, path, line, kind, text, ordinal):
        self.path, self.line, self.kind, self.text = path, line, kind, text
        sum_ = hashlib.sha1(f"{path}\0{text}\0{kind}\0{ordinal}".encode()).hexdigest()[:10]
        self.id = sum_


def mutated(path, text, first, isWanted=lambda id_: True):
    """The source with those of its faults that are wanted, numbered from `first`."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    seen, faults, pieces, wrapped = {}, [], [], []
    places = faults_of(path, text)
    number = first
    numbered = []
    for place in places:
        if place[2] is None:
            numbered.append((place, numbered[-1][1] if numbered else None))
            continue
        line = next(i for i in range(len(lines)) if starts[i + 1] > place[0])
        content = lines[line].strip()
        key = (content, place[2])
        seen[key] = seen.get(key, 0) + 1
        fault = Fault(path, line + 1, place[2], content, seen[key])
        if not isWanted(fault.id):
            numbered.append((place, None))
            continue
        fault.number = number
        number += 1
        faults.append(fault)
        numbered.append((place, fault))
    out, at = [], 0
    for place, fault in sorted(numbered, key=lambda entry: (entry[0][0], entry[0][1])):
        start, end, _, write = place
        if fault is None or start < at:
            if fault is not None and fault in faults and start < at:
                faults.remove(fault)
            continue
        out.append(text[at:start] + write(fault.number))
        at = end
    quiet = "".join(f'#pragma GCC diagnostic ignored "-W{warning}"\n' for warning in WARNINGS)
    return '#include "tests/mutation/mutant.h"\n' + quiet + "#line 1\n" + "".join(out) + text[at:], faults


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


class Build:
    """A configured build, and what it says of how to compile and link."""

    def __init__(self, folder):
        self.folder = folder
        self.commands = json.loads((folder / "compile_commands.json").read_text())

    def make(self, executables):
        made = subprocess.run(["nice", "-n", "19", "ninja", "-C", str(self.folder), f"-j{os.cpu_count()}"] + executables,
                              stdout=subprocess.DEVNULL)
        if made.returncode != 0:
            sys.exit("the tests do not build without any fault")

    def compile(self, path, source, output):
        """How a source of this module is compiled, whatever units the build makes of them."""
        module = path.split("/")[0]
        entry = next(entry for entry in self.commands if f" {module}/CMakeFiles/{module}.dir/" in entry["command"]
                     and "cmake_pch" not in entry["file"])
        words = shlex.split(entry["command"])
        at = words.index("-o")
        del words[at:at + 2]
        words = [word for word in words if word not in ("-c", "-Werror", entry["file"])]
        return words + ["-w", "-c", str(source), "-o", str(output)]

    def link(self, executable, objects, output):
        """The objects come first, and their functions count before those of the libraries."""
        commands = run(["ninja", "-C", str(self.folder), "-t", "commands", executable]).stdout.rstrip().split("\n")
        words = shlex.split(commands[-1])
        words = words[words.index("&&") + 1:len(words) - 2]
        at = words.index("-o")
        words[at + 1] = str(output)
        return words[:at] + [str(object_) for object_ in objects] + ["-Wl,-z,muldefs"] + words[at:]


def object_of(build_, path, text, folder):
    source = folder / path
    output = source.with_suffix(".o")
    if (output.exists() and source.read_text() == text
            and output.stat().st_mtime > Path(__file__).with_name("mutant.h").stat().st_mtime):
        return output, ""
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    output.unlink(missing_ok=True)
    made = run(build_.compile(path, source, output), cwd=build_.folder)
    return output, "" if made.returncode == 0 else made.stderr


def build(build_, room, sources, executables):
    """Compiles the room with its faults; those that the compiler refuses are dropped, with those on their line. Answers
    them, how many there are, and the test programs."""
    folder = BUILD / room
    kept = RESULTS / f"{room}.dropped.json"
    dropped = set(json.loads(kept.read_text())) if kept.exists() else set()
    every = [fault.id for path in sources for fault in mutated(path, (ROOT / path).read_text(), 1)[1]]

    def compiled(path, first):
        """The object, and the faults that are in it."""
        for _ in range(40):
            text, faults = mutated(path, (ROOT / path).read_text(), first, lambda id_: id_ not in dropped)
            if not faults:
                return None, []
            output, said = object_of(build_, path, text, folder)
            if not said:
                return output, faults
            refused = set()
            for reach in (0, 3):  # a statement may begin on an earlier line
                for match in re.finditer(r"([\w./-]+):(\d+):\d+:\s+(?:fatal )?error|([\w./-]+):(\d+):\d+:\s+required from", said):
                    where, line = match.group(1) or match.group(3), int(match.group(2) or match.group(4))
                    if where.endswith(path):
                        refused |= {fault.id for fault in faults if abs(fault.line - line) <= reach}
                if refused:
                    break
            if not refused:
                sys.exit("the mutated source does not compile:\n" + said[-6000:])
            dropped.update(refused)
            print(f"{path}: {len(refused)} faults that the compiler refuses are left out", flush=True)
        sys.exit(f"{path}: the compiler refuses too much")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda entry: compiled(entry[1], 1 + 10000 * entry[0]), enumerate(sources)))
    kept.write_text(json.dumps(sorted(dropped)))
    objects = [output for output, _ in made if output]
    programs = {}
    for executable in executables:
        programs[executable] = folder / executable
        linked = run(build_.link(executable, objects, programs[executable]), cwd=build_.folder)
        if linked.returncode != 0:
            sys.exit("the mutated tests do not link:\n" + linked.stderr[-4000:])
    return [fault for _, faults in made for fault in faults], len(set(every) - dropped), programs


def test(command, number, report, limit, folder):
    """'' when all is well, else what noticed the fault. Without a number: all faults that it reaches go to the report."""
    variables = {"MUTANT": str(number), "MUTANT_REPORT": str(report)} if number else {"MUTANT_REACHED": str(report)}
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8", XDG_RUNTIME_DIR=str(BUILD), **variables)
    end = time.monotonic() + max(600, 30 * limit)  # of a test that waits; one that works has `limit` seconds of the processor
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", env=environment, cwd=folder,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    os.set_blocking(process.stdout.fileno(), False)
    text = ""
    while True:
        try:
            piece = process.stdout.read()
        except (BlockingIOError, TypeError):
            piece = None
        if piece:
            text += piece
            failed = re.search(r"^FAIL!  : (\S+)", text, re.M)
            if failed:
                process.kill()
                process.wait()
                return failed.group(1)
        code = process.poll()
        if code is not None and not piece:
            return "" if code == 0 else "timeout" if code in (-signal.SIGXCPU, -signal.SIGKILL) else f"exit code {code}"
        if time.monotonic() > end:
            process.kill()
            process.wait()
            return "timeout"
        if not piece:
            time.sleep(0.02)


def reasons():
    known = {}
    file = Path(__file__).with_name("survivors.txt")
    if file.exists():
        for line in file.read_text().split("\n"):
            if line.strip() and not line.startswith("#"):
                words = line.split(None, 1)
                known[words[0]] = words[1] if len(words) > 1 else ""
    return known


def results_of(room):
    file = RESULTS / f"{room}.jsonl"
    if not file.exists():
        return {}
    return {row["id"]: row for row in map(json.loads, filter(None, file.read_text().split("\n")))}


def report(rooms, full):
    known = reasons()
    unexplained = 0
    print(f"{'room':<12} {'faults':>7} {'tried':>6} {'killed':>7} {'survived':>9} {'explained':>10} {'score':>7}")
    for room in rooms:
        rows = [row for row in results_of(room).values() if row["end"] != "inapplicable"]
        total_file = RESULTS / f"{room}.total"
        total = total_file.read_text() if total_file.exists() else "?"
        killed = sum(row["end"] not in ("survived", "not reached") for row in rows)
        left = [row for row in rows if row["end"] in ("survived", "not reached")]
        explained = sum(row["id"] in known for row in left)
        unexplained += len(left) - explained
        score = f"{100 * killed / (len(rows) - explained):.1f} %" if len(rows) > explained else "-"
        print(f"{room:<12} {total:>7} {len(rows):>6} {killed:>7} {len(left):>9} {explained:>10} {score:>7}")
    for room in rooms if full else []:
        for row in sorted(results_of(room).values(), key=lambda row: (row["path"], row["line"])):
            if row["end"] in ("survived", "not reached") and row["id"] not in known:
                print(f"{row['id']} {row['path']}:{row['line']} [{row['kind']}] {row['end']}: {row['text']}")
    return unexplained


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; default: all")
    parser.add_argument("--sample", type=int, default=0, help="faults to try in each room, chosen by the seed; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="begin no fault after so long; 0: no limit")
    parser.add_argument("--only", help="try these faults again, with commas between them")
    parser.add_argument("--again", action="store_true", help="try what survived again")
    parser.add_argument("--build", help="the folder of the build whose libraries are used")
    parser.add_argument("--as-built", action="store_true", help="do not bring that build up to date")
    parser.add_argument("--report", action="store_true", help="show what is known, try nothing")
    parser.add_argument("--list", action="store_true", help="show the faults, build nothing")
    options = parser.parse_args()
    rooms = options.rooms or list(ROOMS)
    for room in rooms:
        if room not in ROOMS:
            parser.error(f"no room \"{room}\": one of {', '.join(ROOMS)}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    if options.report:
        return 1 if report(rooms, True) else 0
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    if not options.list:
        folders = [Path(options.build).resolve()] if options.build else sorted(
            (file.parent for file in ROOT.glob("build/*/compile_commands.json") if file.parent.name not in ("fuzz", "asan", "tsan")),
            key=lambda folder: (folder / "build.ninja").stat().st_mtime)
        if not folders or not (folders[-1] / "compile_commands.json").exists():
            sys.exit("no build: cmake --preset ci")
        build_ = Build(folders[-1])
    for room in rooms:
        globs, tests = ROOMS[room]
        sources = sorted({str(path.relative_to(ROOT)) for glob in globs for path in ROOT.glob(glob)})
        if options.list:
            for path in sources:
                for fault in mutated(path, (ROOT / path).read_text(), 1)[1]:
                    print(f"{fault.id} {path}:{fault.line} [{fault.kind}] {fault.text}")
            continue
        executables = [executable for executable, _ in tests]
        if not options.as_built:
            build_.make(executables)
        faults, total, programs = build(build_, room, sources, executables)
        (RESULTS / f"{room}.total").write_text(str(total))
        commands = []
        for executable, units in tests:
            program = programs[executable]
            usage = run([str(program)]).stderr
            for unit in units or usage.split("units:")[1].split():
                functions = [line.strip("() \n") for line in run([str(program), unit, "-functions"]).stdout.split("\n") if line.strip()]
                checks = [name for name in functions if not name.startswith("benchmark")]
                command = [str(program), unit] + (checks if len(checks) < len(functions) else [])
                said = BUILD / "reached.txt"
                said.unlink(missing_ok=True)
                begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                noticed = test(command, 0, said, 600, build_.folder)
                usual = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
                if noticed:
                    sys.exit(f"{room}: {executable} {unit} fails without any fault: {noticed}")
                reached = set(map(int, said.read_text().split())) if said.exists() else set()
                commands.append((command, usual, reached))
        commands.sort(key=lambda entry: entry[1])
        done = results_of(room)
        random.Random(options.seed).shuffle(faults)
        chosen = faults[:options.sample] if options.sample else faults
        if options.only:
            chosen = [fault for fault in faults if fault.id in options.only.split(",")]
        if options.only or options.again:
            again = {fault.id for fault in chosen}
            done = {id_: row for id_, row in done.items()
                    if id_ not in again or (options.again and row["end"] not in ("survived", "not reached"))}
        with open(RESULTS / f"{room}.jsonl", "a") as out:
            for fault in chosen:
                if fault.id in done:
                    continue
                if end and time.monotonic() > end:
                    break
                said = BUILD / "report.txt"
                said.unlink(missing_ok=True)
                noticed = ""
                for command, usual, reached in commands:
                    if fault.number in reached:
                        noticed = test(command, fault.number, said, math.ceil(1 + 3 * usual), build_.folder)
                    if noticed:
                        break
                words = said.read_text().split() if said.exists() else []
                outcome = (noticed if noticed else "inapplicable" if "inapplicable" in words
                           else "survived" if words else "not reached")
                out.write(json.dumps({"id": fault.id, "path": fault.path, "line": fault.line, "kind": fault.kind,
                                      "text": fault.text, "end": outcome}) + "\n")
                out.flush()
        report([room], False)
    return 0 if options.list else 1 if report(rooms, True) else 0


if __name__ == "__main__":
    sys.exit(main())
