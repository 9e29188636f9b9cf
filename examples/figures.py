"""A gallery of every figure of the notes, in one HTML file that needs nothing else."""

from __future__ import annotations

import argparse
import base64
import html
import io
from pathlib import Path
from time import perf_counter

import matplotlib as mpl

from gallery import Entry, figures

USUAL = Path(__file__).parents[1] / "build" / "figures.html"
LARGEST = 60_000  # bytes of an SVG
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color: #222; background: #fff }}
main {{ display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-end }}
figure {{ margin: 0; padding: 0.8rem; border: 1px solid #ddd; border-radius: 6px; max-width: 100%;
  box-sizing: border-box }}
img {{ display: block; max-width: 100%; height: auto; margin: 0 auto }}
figcaption {{ font-size: 0.9rem; margin-top: 0.5rem; max-width: 40rem }}
h2 {{ flex-basis: 100%; margin: 1rem 0 0 }}
</style></head><body>
<h1>Figures</h1>
<p>{count} figures, drawn by fitted learners and by functions of <code>hornbook.plots</code>.</p>
<main>
{body}
</main></body></html>
"""


def picture(entry: Entry) -> str:
    """The figure as an address that holds it: SVG, or PNG where it has very many parts."""
    sheet, file = entry.draw(), io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": entry.id}):  # the same on every run
        sheet.savefig(file, format="svg", metadata={"Date": None})
    kind = "svg+xml"
    if len(file.getvalue()) > LARGEST:
        kind, file = "png", io.BytesIO()
        sheet.savefig(file, format="png", dpi=110)
    return f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}"


def block(entry: Entry) -> str:
    """The figure with its id and caption."""
    # An image of its own: names inside one SVG cannot clash with those of another.
    name, caption = html.escape(entry.id), html.escape(entry.caption)
    return (
        f'<figure id="{name}"><img src="{picture(entry)}" alt="{caption}">'
        f"<figcaption><b>{name}</b> {caption}</figcaption></figure>"
    )


def page(entries: list[Entry]) -> str:
    """All figures as one page, with a heading for each note."""
    parts, note = [], ""
    for entry in entries:
        if entry.id.partition("/")[0] != note:
            note = entry.id.partition("/")[0]
            parts.append(f"<h2>{note}</h2>")
        parts.append(block(entry))
    return PAGE.format(count=len(entries), body="\n".join(parts))


def main() -> None:
    """Draw all figures and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=USUAL, help="the HTML file (build/figures.html)")
    out = parser.parse_args().out
    start, entries = perf_counter(), figures()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(entries), encoding="utf-8")
    print(f"{len(entries)} figures in {perf_counter() - start:.1f} s: {out.resolve()}")


if __name__ == "__main__":
    main()
