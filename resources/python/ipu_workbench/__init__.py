"""IPU Workbench from a notebook: projects, runs and sweeps as plain rows.

Everything is done by the program `ipu-workbench`, which this package calls, and read from the SQLite views that it
documents; a number here is the number there. Nothing has to be installed beside it; with pandas, `Rows.frame()` makes
a data frame of any answer.

>>> import ipu_workbench as ipu
>>> project = ipu.open_project("projects/tutorial/4-pipelined-sequential.ipuproj")
>>> [layer["name"] for layer in project.layers][:2]
['flatten_input', 'flatten']
>>> first = project.run(numerics=False, database=runs_file)
>>> second = project.set({"pipeline.schedule": "Interleaved"}).run(numerics=False, database=runs_file)
>>> first["fits"], second["samples_per_second"] != first["samples_per_second"]
(True, True)
>>> [row["schedule"] for row in ipu.runs(runs_file)]
['Grouped', 'Interleaved']
>>> with ipu.open_database(runs_file) as database:
...     causes = database.view("v_idle", run=2)
>>> sum(row["cycles"] for row in causes) > 0
True
"""

from ._database import Database, open_database
from ._program import WorkbenchError, find_program
from ._project import Project, Run, open_project, run, runs, sweep
from ._rows import Rows

__all__ = [
    "Database",
    "Project",
    "Rows",
    "Run",
    "WorkbenchError",
    "find_program",
    "open_database",
    "open_project",
    "run",
    "runs",
    "sweep",
]
