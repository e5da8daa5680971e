"""Projects, their runs and sweeps."""

import json
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._database import open_database
from ._program import ask
from ._rows import Rows

File = Union[str, Path]


class Run(Dict[str, Any]):
    """The summary of a run, with the keys of `run --json`: `samples_per_second`, `step_cycles`, `memory`, …"""

    @property
    def stages(self) -> Rows:
        """A row per stage."""
        return Rows(self["stages"])

    @property
    def memory(self) -> Rows:
        """A row per IPU, without the list of categories."""
        return Rows({key: value for key, value in row.items() if key != "by_category"} for row in self["memory"])


@dataclass(frozen=True)
class Project:
    """A project file, and values that are put into it for the next runs; the file itself never changes."""

    path: Path
    settings: Dict[str, Any] = field(default_factory=dict)

    def set(self, settings: Mapping[str, Any]) -> "Project":
        """The same project with values at paths of its file, as `--set` takes them."""
        return replace(self, settings={**self.settings, **settings})

    @property
    def summary(self) -> Dict[str, Any]:
        """What `summary --json` tells."""
        return ask("summary", [str(self.path), *_set_arguments(self.settings)])

    @property
    def layers(self) -> Rows:
        """A row per layer."""
        return Rows(self.summary["layers"])

    def findings(self) -> Rows:
        """What `validate` finds, warnings too; empty where all is well. Raises WorkbenchError for a project that
        breaks a rule."""
        return Rows(ask("validate", [str(self.path), *_set_arguments(self.settings)])["diagnostics"])

    def run(
        self,
        *,
        mode: str = "train",
        numerics: bool = True,
        database: Optional[File] = None,
        seed: Optional[int] = None,
    ) -> Run:
        """Simulates the project and stores the run. `mode`: train, evaluate or predict. Without `numerics` nothing
        is computed but times and memory. `database`: NAME.profiles.sqlite beside the project otherwise."""
        arguments = [str(self.path), *_set_arguments(self.settings), "--mode", mode]
        if not numerics:
            arguments.append("--no-numerics")
        if database is not None:
            arguments += ["--database", str(database)]
        if seed is not None:
            arguments += ["--seed", str(seed)]
        return Run(ask("run", arguments))

    def sweep(
        self,
        grid: Mapping[str, Sequence[Any]],
        *,
        where: Sequence[str] = (),
        database: Optional[File] = None,
        jobs: Optional[int] = None,
    ) -> Rows:
        """Simulates every combination of the values; a row each. `where`: conditions, "peak_fraction < 0.5".

        With a `database` points that it holds are not simulated again, so that a cell of a notebook can be repeated.

        >>> project = open_project("projects/encoder/encoder.ipuproj")
        >>> rows = project.sweep({"pipeline.schedule": ["Grouped", "1F1B"], "training.batch_size": [2, 4]})
        >>> len(rows), sorted({row["state"] for row in rows})
        (4, ['fits'])
        """
        values = {path: [value] for path, value in self.settings.items()}
        values.update({path: list(choices) for path, choices in grid.items()})
        text = json.dumps(
            {
                "format": "ipu-workbench-sweep",
                "version": 1,
                "project": str(self.path.absolute()),
                "grid": values,
                "where": list(where),
            }
        )
        return _sweep("-", text, database, jobs)


def open_project(path: File) -> Project:
    """A project file. Raises WorkbenchError where it cannot be read."""
    project = Project(Path(path))
    _ = project.summary
    return project


def run(
    project: Union[File, Project],
    settings: Optional[Mapping[str, Any]] = None,
    *,
    mode: str = "train",
    numerics: bool = True,
    database: Optional[File] = None,
    seed: Optional[int] = None,
) -> Run:
    """Simulates a project, as `Project.run` does, with values put into it."""
    opened = project if isinstance(project, Project) else Project(Path(project))
    return opened.set(settings or {}).run(mode=mode, numerics=numerics, database=database, seed=seed)


def sweep(file: File, *, database: Optional[File] = None, jobs: Optional[int] = None) -> Rows:
    """Simulates the points of a sweep file; a row each. With a `database` those that it holds are not simulated
    again."""
    return _sweep(str(file), None, database, jobs)


def runs(database: File) -> Rows:
    """The runs of a profile database, the oldest first: the rows of its view v_run."""
    with open_database(database) as opened:
        return opened.rows("SELECT * FROM v_run ORDER BY run")


def _sweep(file: str, content: Optional[str], database: Optional[File], jobs: Optional[int]) -> Rows:
    arguments: List[str] = [file, "--resume"]
    if jobs is not None:
        arguments += ["--jobs", str(jobs)]
    if database is not None:
        return Rows(ask("sweep", [*arguments, "--database", str(database)], content=content)["rows"])
    with tempfile.TemporaryDirectory(prefix="ipu-workbench-") as folder:
        return Rows(ask("sweep", [*arguments, "--database", f"{folder}/sweep.sqlite"], content=content)["rows"])


def _set_arguments(settings: Mapping[str, Any]) -> List[str]:
    # As JSON, so that the text "1" stays a text.
    return [word for path, value in settings.items() for word in ("--set", f"{path}={json.dumps(value)}")]
