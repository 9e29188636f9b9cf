"""How a file was parsed, including what the reader guessed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """Where a table came from, and how the file was parsed.

    Parameters
    ----------
    path : str
        The file.
    format : str
        "CSV", "JSON lines" or "Parquet".
    compressed : bool, default False
        Whether the file is compressed with gzip.
    encoding : str, optional
        The encoding of text.
    delimiter : str, optional
        Separates the cells of a line.
    header : bool, optional
        Whether the first line contains the names of the columns.
    decimal : str, optional
        The decimal mark.
    missing : tuple of str, optional
        The missing-value markers that occur in the file.
    guessed : tuple of str, default ()
        Which of these were guessed and not given.

    Examples
    --------
    >>> print(
    ...     Source("melons.csv", "CSV", encoding="utf-8", delimiter=";", header=True, guessed=("delimiter",))
    ... )
    melons.csv: CSV, encoding utf-8, delimiter ';' (guessed), with a header line
    """

    path: str
    format: str
    compressed: bool = False
    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    decimal: str | None = None
    missing: tuple[str, ...] | None = None
    guessed: tuple[str, ...] = ()

    def __str__(self) -> str:
        properties = {
            "encoding": None if self.encoding is None else f"encoding {self.encoding}",
            "delimiter": None if self.delimiter is None else f"delimiter {self.delimiter!r}",
            "header": {True: "with a header line", False: "without a header line", None: None}[self.header],
            "decimal": None if self.decimal in (None, ".") else f"decimal mark {self.decimal!r}",
            "missing": self._marks(),
        }
        # What was guessed is marked, so that a reader of the report can see where to look first.
        words = [
            f"{text}{' (guessed)' * (name in self.guessed)}" for name, text in properties.items() if text
        ]
        compressed = " compressed with gzip" if self.compressed else ""
        return ", ".join([f"{self.path}: {self.format}{compressed}", *words])

    def _marks(self) -> str | None:
        if self.missing is None:
            return None
        if not self.missing:
            return "no missing cells"
        return "missing cells written as " + " or ".join(repr(mark) for mark in self.missing)
