"""Reading files: what is guessed, what is said about it, and what is refused."""

from __future__ import annotations

import gzip
import os
import sys
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook.frame import Frame, Source, column_names, read
from hornbook.frame.readers import _formats, _text


@pytest.fixture
def write(tmp_path):
    """Write a file into a fresh folder and return its path."""

    def written(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def rows_of(frame):
    return frame.to_polars().rows()


def test_a_file_becomes_a_frame_with_roles(write):
    path = write("color,density,ripe,w\ngreen,0.7,true,1\ndark,0.6,false,2\n")
    frame = hornbook.read(path, target="ripe", weight="w")
    assert frame.schema.names == ("color", "density", "ripe", "w")
    assert frame.schema.named
    assert frame.schema.kinds == ("nominal", "numeric", "nominal", "numeric")
    assert frame.y.tolist() == [True, False]
    assert frame.w.tolist() == [1.0, 2.0]
    assert read(str(path), target=-2).y.tolist() == [True, False]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
def test_the_delimiter_is_guessed(write, delimiter):
    frame = read(write("a,b,c\n1,x,2.5\n2,y,3.5\n".replace(",", delimiter)))
    assert rows_of(frame) == [(1, "x", 2.5), (2, "y", 3.5)]
    assert frame.source.delimiter == delimiter
    assert "delimiter" in frame.source.guessed


def test_a_delimiter_inside_quotes_does_not_count(write):
    frame = read(write('name;n\n"a, b, c";1\n"d, e, f";2\n"say ""hi""";3\n"two\nlines";4\n'))
    assert frame.source.delimiter == ";"
    assert rows_of(frame) == [("a, b, c", 1), ("d, e, f", 2), ('say "hi"', 3), ("two\nlines", 4)]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a,b\n1,2\n3,4\n", True),
        ("1,2\n3,4\n", False),
        ("x,1\ny,2\n", False),
        ("outlook,play\nsunny,no\nrain,yes\n", True),
        ("yes,no\nno,no\nyes,no\nno,yes\n", False),
        (",a,b\n0,x,1\n1,y,2\n", True),
        ("NA,b\n1,2\n", False),
    ],
)
def test_the_header_is_guessed(write, text, header):
    frame = read(write(text))
    assert frame.source.header is header
    assert frame.schema.named is header
    assert len(frame) == text.count("\n") - header
    if not header:
        assert frame.schema.names == tuple(f"x{j}" for j in range(frame.shape[1]))


def test_the_user_knows_better_than_the_guess(write):
    path = write("2019,2020\n1,2\n")
    assert read(path).shape == (2, 2)
    frame = read(path, header=True)
    assert frame.schema.names == ("2019", "2020")
    assert frame.source.guessed == ("encoding", "delimiter", "missing", "decimal")
    assert read(write("a,b\nx,y\n"), header=False).shape == (2, 2)
    assert read(write("a;b,c\n1;2,3\n"), delimiter=",").schema.names == ("a;b", "c")
    assert read(write("a,b\n-,1\n?,2\n"), missing=["-"])["a"].tolist() == [None, "?"]


def test_missing_marks_are_found_and_named(write):
    frame = read(write('a,b,c\n1,x,?\n,NA,2\nNaN,"",3\n'))
    assert np.isnan(frame["a"]).tolist() == [False, True, True]
    assert frame["b"].tolist() == ["x", None, None]
    assert frame.source.missing == ("", "NA", "NaN", "?")
    assert read(write("a\n1\n2\n")).source.missing == ()
    assert read(write("a,b\n1,NAT\n,x\n")).source.missing == ("",)
    late = "a,b\n" + "1,2\n" * 300_000 + "?,2\n"
    assert read(write(late)).source.missing == ("?",)


def test_spaces_after_delimiters_mean_nothing(write):
    frame = read(write("39, State-gov, ?\n50, Private, 3\n"))
    assert rows_of(frame) == [(39, "State-gov", None), (50, "Private", 3.0)]
    assert frame.source.missing == ("?",)


def test_decimal_commas(write):
    frame = read(write("a;b;c\n1,5;x,y;2\n-0,25;1,5;3\n4;z;?\n"))
    assert frame["a"].tolist() == [1.5, -0.25, 4.0]
    assert frame["b"].tolist() == ["x,y", "1,5", "z"]
    assert frame.source.decimal == ","


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "cp1252"), ("utf-16", "utf-16-le")],
)
def test_the_encoding_is_guessed(write, encoding, shown):
    path = write("stadt,größe\nKöln,1\nGießen,2\n".encode(encoding))
    frame = read(path)
    assert frame.schema.names == ("stadt", "größe")
    assert frame["stadt"].tolist() == ["Köln", "Gießen"]
    assert frame.source.encoding == shown
    assert "encoding" in frame.source.guessed
    named = read(path, encoding=encoding)
    assert rows_of(named) == rows_of(frame)
    assert "encoding" not in named.source.guessed


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines(write, end):
    text = end.join(["a,b", "1,x", "", "2,y", "", ""])
    assert rows_of(read(write(text))) == [(1, "x"), (2, "y")]
    assert rows_of(read(write(text.rstrip()))) == [(1, "x"), (2, "y")]


def test_types_come_from_all_cells(write):
    start = "n,r,t,b,d,e,m\n" + "1,1,1,true,2020-01-31,,\n" * 60_000
    frame = read(write(start + "2,2.5,x,False,2021-02-28,,7\n"))
    assert frame.schema.kinds == ("numeric", "numeric", "nominal", "nominal", *["numeric"] * 3)
    assert frame["n"].dtype == np.int64
    assert frame["r"][-1] == 2.5
    assert frame["t"].tolist()[-2:] == ["1", "x"]
    assert frame["b"].tolist()[-2:] == [True, False]
    assert frame.schema.columns[4].source == "date"
    assert frame["d"][-1] == 18686  # days since 1970
    assert np.isnan(frame["e"]).all()
    assert frame["m"][-1] == 7


def test_times_and_text_like_numbers(write):
    frame = read(write("t,u,v\n2020-01-01T12:00:00,2020-01-01,1e3\n2020-01-02 00:00:00,x,inf\n"))
    assert frame["t"].tolist() == [18262.5, 18263.0]
    assert frame["u"].tolist() == ["2020-01-01", "x"]
    assert frame["v"].tolist() == [1000.0, np.inf]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 9), st.floats(-1e9, 1e9), st.text('ab,;\n"é', min_size=1)), min_size=1
    )
)
def test_what_polars_writes_is_read_again(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("read") / "table.csv"
    table = pl.DataFrame(
        rows, schema={"count": pl.Int64, "amount": pl.Float64, "words": pl.String}, orient="row"
    )
    table.write_csv(path)
    frame = read(path, delimiter=",", header=True)
    assert frame["count"].tolist() == table["count"].to_list()
    assert frame["amount"].tolist() == table["amount"].to_list()
    assert frame["words"].tolist() == table["words"].to_list()


def test_a_packed_file_and_its_name(write):
    path = write(gzip.compress(b"a,b\n1,x\n2,y\n", mtime=0), "table.csv.gz")
    frame = read(path, target="b")
    assert rows_of(frame) == [(1, "x"), (2, "y")]
    assert frame.source.compressed
    assert str(frame.source) == (
        f"{path}: CSV compressed with gzip, encoding utf-8 (guessed), delimiter ',' (guessed), "
        "with a header line (guessed), no missing cells (guessed)"
    )


def test_json_lines(write):
    text = '{"b": 1, "a": "x"}\n{"a": null, "b": 2.5, "c": true}\n\n'
    for path in (write(text, "t.jsonl"), write(gzip.compress(text.encode()), "t.ndjson.gz")):
        frame = read(path, target="c")
        assert frame.schema.names == ("b", "a", "c")
        assert rows_of(frame) == [(1.0, "x", None), (2.5, None, True)]
        assert frame.source.format == "JSON lines"
    late = '{"a": 1}\n' * 200_000 + '{"a": "x", "z": 3}\n'
    frame = read(write(late, "late.jsonl"))
    assert frame.schema.kinds == ("nominal", "numeric")
    assert frame["a"].tolist()[-2:] == ["1", "x"]


def test_parquet(tmp_path):
    table = pl.DataFrame(
        {
            "n": [1, None, 3],
            "s": ["b", "a", None],
            "e": pl.Series(["low", "high", "low"], dtype=pl.Enum(["low", "high"])),
            "c": pl.Series(["q", "p", None], dtype=pl.Categorical),
        }
    )
    table.write_parquet(tmp_path / "t.parquet")
    frame = read(tmp_path / "t.parquet", target="s")
    assert frame.schema == Frame(table, target="s").schema
    assert frame.source == Source(str(tmp_path / "t.parquet"), "Parquet")


def test_kinds_are_set_while_reading(write):
    frame = read(write("zip,size\n1,small\n2,large\n"), kinds={"zip": "nominal", "size": ["small", "large"]})
    assert frame.schema.kinds == ("nominal", "ordinal")
    assert frame.codes.tolist() == [[0, 0], [1, 1]]


def test_source_goes_with_the_whole_table_only(write):
    frame = read(write("a,b\n1,2\n3,4\n"))
    assert Frame(frame, target="b").source is frame.source
    assert frame[:1].source is None
    assert Frame([[1.0]]).source is None
    assert hornbook.Blocks(frame).source is frame.source


# Refusals: one sentence that names the file, what was found and what to do.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty: a table with a header line and rows is needed"),
        (gzip.compress(b"", mtime=0), "is empty: a table with a header line and rows is needed"),
        ("a,b\n", "has a header line and no rows"),
        ("a,b\n\n\n", "has a header line and no rows"),
        ("a,b\n1,2\n3\n", "line 3 has 1 cell, but the first line has 2: correct the line, or pass"),
        ("a,b\n\n1,2\n3,4,5\n", "line 4 has 3 cells, but the first line has 2"),
        ('a,b\n"1\n1",2\n3,4,5\n', "line 4 has 3 cells, but the first line has 2"),
        ("a,a\n1,2\n", "The column name 'a' occurs 2 times"),
        ('a,b\n1,"x\n2,y\n', 'the quotation mark " is opened on line 2 or later and never closed'),
        (b"PAR1\0\0", "is not text but a Parquet file: give its name the ending .parquet"),
        (b"PK\x03\x04\0", "is not text but a zip archive or a spreadsheet: save the table as CSV"),
        (b"a,b\n\0\1\2,3\n", "is not text (it holds zero bytes)"),
        (
            gzip.compress(b"a,b\n" + os.urandom(99_999).hex().encode())[:5000],
            "is damaged and cannot be decompressed",
        ),
    ],
)
def test_bad_files(write, content, message):
    path = write(content)
    with pytest.raises(ValueError) as caught:
        read(path)
    assert str(caught.value).startswith(f"'{path}'")
    assert message in str(caught.value)


def test_wrong_encoding_names_the_line(write):
    path = write("a,b\nx,1\ncafé,2\n".encode("latin-1"))
    with pytest.raises(
        ValueError, match=r"line 3 holds the byte 0xe9, which is not utf-8: pass the encoding"
    ):
        read(path, encoding="utf-8")
    late = write(b"a,b\n" + b"x,1\n" * 300_000 + b"caf\xe9,2\n")
    with pytest.raises(ValueError, match=r"line 300002 holds the byte 0xe9"):
        read(late)
    assert read(late, encoding="latin-1")["a"][-1] == "café"
    with pytest.raises(ValueError, match="is not written in ascii"):
        read(path, encoding="ascii")
    with pytest.raises(ValueError, match="There is no encoding 'utf-9'"):
        read(path, encoding="utf-9")


def test_an_endless_line_is_not_read_to_its_end(write, monkeypatch):
    monkeypatch.setattr(_text, "LONGEST_LINE", 2**21)
    path = write(b"a,b\n")
    with path.open("r+b") as file:
        file.seek(4)
        file.write(b"x" * 2**20)
        file.seek(2**33)  # eight gigabytes, which take no room on the disk
        file.write(b"\n")
    with pytest.raises(ValueError, match=r"line 2 is longer than 2,097,152 bytes, which no table needs"):
        read(path, header=True)
    path = write(b"x" * 2**22, "line.jsonl")
    with pytest.raises(ValueError, match="line 1 is longer than"):
        read(path)


def test_a_quotation_mark_like_any_other(write):
    path = write('part,n\n5" pipe,1\n6" pipe,2\nbolt,3\n')
    with pytest.raises(ValueError, match="quotation mark"):
        read(path)
    assert read(path, quote=None)["part"].tolist() == ['5" pipe', '6" pipe', "bolt"]


def test_files_that_are_not_there(tmp_path, write):
    write("a\n1\n", "flowers.csv")
    with pytest.raises(
        FileNotFoundError, match=r"There is no file '.*flower.csv': did you mean '.*flowers.csv'\?"
    ):
        read(tmp_path / "flower.csv")
    with pytest.raises(FileNotFoundError, match="check the spelling and the folder"):
        read(tmp_path / "zzz")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        read(tmp_path / "no" / "zzz")
    with pytest.raises(IsADirectoryError, match="is a folder: name one of the files in it"):
        read(tmp_path)
    with pytest.raises(TypeError, match="A path is needed, as text or pathlib.Path; got DataFrame"):
        read(pl.DataFrame())


def test_a_target_that_is_not_there_is_refused_before_reading(write):
    path = write("species,b\n" + "x,2\n" * 300_000 + "1,2,3\n")
    with pytest.raises(ValueError, match="There is no column 'spices': did you mean 'species'"):
        read(path, target="spices")


def test_truncated_parquet(tmp_path):
    whole = tmp_path / "whole.parquet"
    pl.DataFrame({"a": range(1000)}).write_parquet(whole)
    half = tmp_path / "half.parquet"
    half.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"'.*half.parquet' is not a Parquet file, or damaged \(.*\): get"):
        read(half)
    pl.DataFrame({"a": []}).write_parquet(whole)
    with pytest.raises(ValueError, match="has no rows"):
        read(whole)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\nhello\n', "line 2 is not a JSON object like"),
        ('{"a": 1}\n[1, 2]\n', "line 2 is not a JSON object like"),
        ('[{"a": 1}]', "holds one JSON list: write one object on each line"),
        ('{"a": true}\n{"a": 2}\n', "lines 1 to 2 hold values of different types under one name"),
    ],
)
def test_bad_json(write, text, message):
    path = write(text, "t.jsonl")
    with pytest.raises(ValueError) as caught:
        read(path)
    assert str(caught.value).startswith(f"'{path}'")
    assert message in str(caught.value)


def test_nested_json_is_refused_by_column(write):
    with pytest.raises(TypeError, match="Column 'a' holds lists"):
        read(write('{"a": [1, 2]}\n', "t.jsonl"))


def test_options_that_do_not_apply(write, tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"is read as Parquet, which has no encoding: leave encoding out"):
        read(tmp_path / "t.parquet", encoding="utf-8")
    with pytest.raises(ValueError, match="is read as JSON lines, which has no delimiter"):
        read(write('{"a": 1}', "t.jsonl"), delimiter=",")
    with pytest.raises(ValueError, match="parameter 'delimiter' must be one ASCII character; got ', '"):
        read(write("a\n1\n"), delimiter=", ")
    with pytest.raises(TypeError, match="parameter 'missing' must be a list of text"):
        read(write("a\n1\n"), missing="NA")


def test_a_new_format_is_a_reader_and_a_line_in_the_table(tmp_path, monkeypatch):
    module = ModuleType("hornbook.frame.readers._fixed")

    class Fixed:
        """Two columns of four characters each; the file itself says that the second is ordinal."""

        names, named, kinds, done = ("a", "b"), True, {"b": ["low", "high"]}, 1.0

        def __init__(self, path):
            self.rows = [(line[:4].strip(), line[4:].strip()) for line in path.read_text().splitlines()]
            self.source = Source(str(path), "fixed")

        def whole(self):
            return None

        def frames(self, batch_rows=None):
            yield pl.DataFrame({"a": [float(a) for a, _ in self.rows], "b": [b for _, b in self.rows]})

    module.FixedReader, module.column_names = Fixed, lambda _: ["a", "b"]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    line = {".fix": _formats.Format("fixed", "_fixed:FixedReader", "_fixed:column_names")}
    monkeypatch.setattr(_formats, "FORMATS", line)
    (tmp_path / "t.fix").write_text("1   high\n2.5 low\n")
    frame = read(tmp_path / "t.fix", target="b")
    assert column_names(tmp_path / "t.fix") == frame.schema.names
    assert frame.schema.columns[1].levels == ("low", "high")
    assert (frame["a"].tolist(), frame.source.format) == ([1.0, 2.5], "fixed")
    assert read(tmp_path / "t.fix", kinds={1: ["high", "low"]}).schema.columns[1].levels == ("high", "low")
    with pytest.raises(ValueError, match="is read as fixed, which has no delimiter"):
        read(tmp_path / "t.fix", delimiter=";")


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("t.csv", "a;b\n1;2\n", ("a", "b")),
        ("t.csv", '"a, b",,c\n1,2,3\n', ("a, b", "x1", "c")),
        ("t.csv", "1,2\n3,4\n", ("x0", "x1")),
        ("t.txt", "\n\na\tb\n1\t2\n", ("a", "b")),
        ("t.csv", "größe;b\n1;2\n".encode("cp1252"), ("größe", "b")),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0), ("a", "b")),
        ("t.jsonl", '{"b": 1}\n\n{"a": 2, "b": 3}\n', ("b", "a")),
    ],
)
def test_the_names_of_columns_are_those_of_the_table(write, name, text, names):
    path = write(text, name)
    assert column_names(path) == read(path).schema.names == names
