"""A profile database, read by its documented views."""

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, List, Optional, Sequence, Type, Union
from urllib.parse import quote

from ._program import WorkbenchError
from ._rows import Rows


class Database:
    """A profile database that is only read. The views are described in the README of core/profile; times are
    integer cycles, sizes integer bytes. Close it, or use it in a `with` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> Rows:
        """The answer to a query; `?` in it stand for the parameters."""
        try:
            cursor = self._connection.execute(query, parameters)
            names = [column[0] for column in cursor.description or ()]
            return Rows(dict(zip(names, values)) for values in cursor)
        except sqlite3.Error as error:
            raise WorkbenchError(
                str(error),
                hint="Database.views() lists what can be asked",
                code="sql/refused",
                file=str(self.path),
                exit_code=3,
            ) from error

    def views(self) -> List[str]:
        """The names of the views."""
        found = self.rows("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
        return [name for name in found.column("name") if name.startswith("v_")]

    def view(self, name: str, *, run: Optional[int] = None) -> Rows:
        """All rows of a view; of one run where it is named."""
        if name not in self.views():
            raise WorkbenchError(
                f'there is no view "{name}"',
                hint="Database.views() lists them",
                code="sql/view",
                file=str(self.path),
                exit_code=3,
            )
        query = f'SELECT * FROM "{name}"'
        return self.rows(query) if run is None else self.rows(query + " WHERE run = ?", (run,))

    def close(self) -> None:
        """Lets the file go."""
        self._connection.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def open_database(path: Union[str, Path]) -> Database:
    """Opens a profile database for reading."""
    file = Path(path)
    if not file.is_file():
        raise WorkbenchError(
            "there is no such database",
            hint="run a project first, or name another file",
            code="database/missing",
            file=str(file),
            exit_code=4,
        )
    try:
        connection = sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro", uri=True)
        connection.execute("SELECT run FROM v_run LIMIT 0")
    except sqlite3.Error as error:
        raise WorkbenchError(
            f"cannot be read as a profile database: {error}",
            hint="name a file that ipu-workbench wrote",
            code="database/foreign",
            file=str(file),
            exit_code=4,
        ) from error
    return Database(file, connection)
