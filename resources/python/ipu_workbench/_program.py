"""The program, and what it answers."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

_NAME = "ipu-workbench"
# Exit code 1 is an answer too: a "no", such as a model that does not fit.
_ANSWERS = (0, 1)


class WorkbenchError(Exception):
    """What the program refused, with its first diagnostic taken apart.

    `exit_code` is that of the program: 2 a call it cannot understand, 3 invalid input, 4 the file system refused,
    70 a fault of the program, 130 interrupted. `diagnostics` has all of them as the program's JSON tells them.

    >>> try:
    ...     open_project("missing.ipuproj")
    ... except WorkbenchError as error:
    ...     print(error.exit_code, error.code, error.file)
    4 file/missing missing.ipuproj
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str,
        code: str = "",
        file: str = "",
        place: str = "",
        exit_code: int = 70,
        diagnostics: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.message = message
        self.hint = hint
        self.code = code
        self.file = file
        self.place = place
        self.exit_code = exit_code
        self.diagnostics: List[Dict[str, Any]] = [dict(diagnostic) for diagnostic in diagnostics]
        where = ":".join(part for part in (file, place) if part)
        super().__init__(f"{where + ': ' if where else ''}{message}\nhint: {hint}")


def find_program() -> Path:
    """The program: what IPU_WORKBENCH names, else what the PATH has, else the one installed with this package."""
    named = os.environ.get("IPU_WORKBENCH")
    if named:
        if not os.access(named, os.X_OK):
            raise WorkbenchError(
                "IPU_WORKBENCH names no program",
                hint="set it to the file ipu-workbench, or unset it",
                code="program/missing",
                file=named,
                exit_code=4,
            )
        return Path(named)
    found = shutil.which(_NAME)
    if found:
        return Path(found)
    for folder in Path(__file__).resolve().parents:
        beside = folder / "bin" / _NAME
        if os.access(beside, os.X_OK):
            return beside
    raise WorkbenchError(
        f"there is no program {_NAME}",
        hint="install it, put it on the PATH, or set IPU_WORKBENCH to its file",
        code="program/missing",
        exit_code=4,
    )


def ask(verb: str, arguments: Sequence[str], *, content: Optional[str] = None) -> Dict[str, Any]:
    """The JSON of a verb. `content` is its standard input."""
    command = [str(find_program()), verb, *arguments, "--json", "--quiet"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if content is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        out, told = process.communicate(content)
    except KeyboardInterrupt:
        # The program keeps what is finished when it is asked to stop.
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    answer = _object_of(out)
    if process.returncode in _ANSWERS and answer is not None:
        return answer
    raise _error_of(process.returncode, answer, told)


def _object_of(text: str) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _error_of(exit_code: int, answer: Optional[Dict[str, Any]], told: str) -> WorkbenchError:
    diagnostics = (answer or {}).get("diagnostics", [])
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.get("severity") == "error"]
    if not errors:
        return WorkbenchError(
            told.strip() or f"the program ended with {exit_code}",
            hint="please report this with the call and its files",
            exit_code=exit_code,
        )
    first = errors[0]
    hint = first.get("hint", "")
    return WorkbenchError(
        first.get("message", ""),
        hint=hint if isinstance(hint, str) else "; ".join(hint),
        code=first.get("code", ""),
        file=first.get("file", ""),
        place=first.get("place", ""),
        exit_code=exit_code,
        diagnostics=diagnostics,
    )
