"""Take the picture of a report for the README: study the Iris, open the report in a browser, photograph it.

python scripts/screenshot.py docs/report.png
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import hornbook

SIZE = (1280, 1240)
MOST = 300_000  # bytes


def photograph(page: Path, picture: Path) -> None:
    """Open a page without a window and save what is seen."""
    browser = shutil.which("chromium")
    if browser is None:
        raise SystemExit("there is no chromium on this machine: install it and run this again")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={picture}", page.as_uri()]
    subprocess.run([browser, *options], check=True, stderr=subprocess.DEVNULL)


def main() -> None:
    place = Path(sys.argv[1])
    with TemporaryDirectory() as name:
        folder = Path(name)
        print(hornbook.study("iris", out=folder / "run").sentence)
        photograph(folder / "run" / "report.html", folder / "seen.png")
        with Image.open(folder / "seen.png") as seen:
            seen.convert("RGB").quantize(128).save(place, optimize=True)
    size = place.stat().st_size
    print(f"{place}: {size / 1000:.0f} kB")
    if size > MOST:
        raise SystemExit(f"the picture must not have more than {MOST / 1000:.0f} kB")


if __name__ == "__main__":
    main()
