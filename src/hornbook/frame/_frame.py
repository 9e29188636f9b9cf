"""Frame: a table as the learners see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.frame._cells import Cells, Key
from hornbook.frame._schema import Role
from hornbook.frame.convert._assemble import Parts, parts_of, with_kinds, with_roles
from hornbook.frame.convert._concat import joined
from hornbook.frame.convert._export import as_html, as_pandas, as_polars, as_text
from hornbook.frame.encode._bins import binned
from hornbook.frame.profile._profile import Profile, profiled

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Frame", "as_frame", "require_rows_and_columns", "require_shape"]


class Frame(Cells):
    """A table whose columns are numeric, ordinal or nominal, each with a role.

    Text and booleans become nominal, ordered categories ordinal, numbers numeric, dates numbers of days
    since 1970. Missing is NaN in numbers and -1 in codes. The data are not copied where they can be used as
    they are, and never changed.

    Parameters
    ----------
    data : Frame, DataFrame, array of two dimensions, dict of columns, list of dicts or list of lists
        The table; DataFrames of pandas, polars and pyarrow.
    target, weight, group, id : str or int, optional
        Name or position of the column with that role; all others are features.
    kinds : dict, optional
        Kinds of columns by name or position: "numeric", "ordinal" or "nominal", or a list of levels for an
        ordinal column with that order.

    Attributes
    ----------
    source : Source or None
        The file that `hornbook.read` made the table from, and how it was understood.

    Examples
    --------
    >>> frame = Frame({"color": ["red", "green", None], "size": [1.5, 2.0, 4.0]}, target="color")
    >>> frame
    Frame(3 rows, 2 columns: 1 numeric, 1 nominal; target 'color')
    >>> frame.y
    array(['red', 'green', None], dtype=object)
    >>> frame.features.matrix
    array([[1.5],
           [2. ],
           [4. ]])
    """

    __slots__ = ()

    def __init__(
        self,
        data: Any,
        *,
        target: Key | None = None,
        weight: Key | None = None,
        group: Key | None = None,
        id: Key | None = None,  # noqa: A002 (the word users know)
        kinds: Mapping[Key, str | Sequence[Any]] | None = None,
    ) -> None:
        # A Frame is read through its own columns, not as an array: decoding and coding again would lose
        # kinds, and levels that do not occur.
        if isinstance(data, Frame):
            columns = () if data.array is not None else tuple(map(data.column, range(data.shape[1])))
            parts = Parts(data.schema, len(data), columns, data.array)
        else:
            parts = data if isinstance(data, Parts) else parts_of(data)
        if kinds:
            parts = with_kinds(parts, kinds)
        roles: dict[Role, Key | None] = {"target": target, "weight": weight, "group": group, "id": id}
        # Kinds come before roles, because weights must be numeric after the user's change, not before.
        super().__init__(parts)
        self._schema = with_roles(parts.schema, roles)
        self.source = data.source if isinstance(data, Frame) else None

    @classmethod
    def concat(cls, frames: Sequence[Frame]) -> Frame:
        """Rows of several frames with the same columns, one frame below the other.

        Parameters
        ----------
        frames : sequence of Frame
            At least one; names, kinds and roles must agree, levels are united.

        Examples
        --------
        >>> Frame.concat([Frame({"a": ["x"]}), Frame({"a": ["y"]})])["a"].tolist()
        ['x', 'y']
        """
        return joined(frames)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def profile(self) -> Profile:
        """Summarize each column, and list problems of the table."""
        return profiled(self)

    def binned(self, bins: Mapping[Key, int | Sequence[str]]) -> Frame:
        """Frame with some numeric columns cut into bins of equal width.

        The first bin is closed on both sides, every other one open on the left and closed on the right. The
        columns become ordinal.

        Parameters
        ----------
        bins : dict
            For each column, by name or position, the names of the bins or their number.

        Examples
        --------
        >>> Frame({"length": [4.3, 5.2, 6.0, 7.9]}).binned({"length": ["short", "long"]})["length"].tolist()
        ['short', 'short', 'short', 'long']
        """
        return binned(self, bins)

    def to_polars(self) -> pl.DataFrame:
        """Return the table as a polars DataFrame; missing is null."""
        return as_polars(self)

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame; categories are categorical, in order where they have one.

        Examples
        --------
        >>> Frame({"size": [1.5, None], "color": ["red", None]}).to_pandas().dtypes.astype(str).tolist()
        ['float64', 'category']
        """
        return as_pandas(self)


def as_frame(X: Any) -> Frame:
    """Return X as a Frame; a Frame is returned as it is.

    Parameters
    ----------
    X : Frame or table
        Anything that `Frame` takes.

    Examples
    --------
    >>> as_frame([[1.0, "a"], [2.0, "b"]]).schema.kinds
    ('numeric', 'nominal')
    """
    return X if isinstance(X, Frame) else Frame(X)


def require_rows_and_columns(frame: Frame) -> None:
    """Refuse a table without rows or without feature columns.

    Parameters
    ----------
    frame : Frame
        The table.

    Examples
    --------
    >>> require_rows_and_columns(Frame([[1.0, 2.0]]))
    """
    require_shape(len(frame), len(frame.schema.features))


def require_shape(n_rows: int, n_columns: int) -> None:
    """Refuse no rows, or no feature columns.

    Parameters
    ----------
    n_rows, n_columns : int
        How many there are.

    Examples
    --------
    >>> require_shape(1, 2)
    """
    shape = (n_rows, n_columns)
    for count, what in zip(shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise ValueError(
                # The words of scikit-learn, whose own checks of estimators look for them.
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required."
            )
