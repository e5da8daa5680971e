"""Rows of an answer."""

import html
import importlib
from typing import Any, Dict, Iterable, List

Row = Dict[str, Any]


class Rows(List[Row]):
    """A list of dictionaries with the same keys, which a notebook shows as a table.

    >>> Rows([{"ipu": 0, "busy": 0.75}, {"ipu": 1, "busy": None}])._repr_html_().count("<td>")
    4
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)

    def column(self, name: str) -> List[Any]:
        """The values of one column.

        >>> Rows([{"ipu": 0}, {"ipu": 1}]).column("ipu")
        [0, 1]
        """
        return [row[name] for row in self]

    def frame(self) -> Any:
        """A pandas data frame. Raises ImportError where pandas is not installed."""
        return importlib.import_module("pandas").DataFrame(list(self))

    def _repr_html_(self) -> str:
        columns = list(dict.fromkeys(name for row in self for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in columns) + "</tr>" for row in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return "" if value is None else html.escape(str(value))
