"""What is promised about setting up, building and installing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
BUILD_FILES = ["Makefile", "pyproject.toml", "CMakeLists.txt", "requirements", "scripts", ".ci"]
ELSEWHERE = re.compile(r"https?://\S+|--(?:extra-)?index-url|(?<![\w.$}])/(?:home|root|opt|work)/\S*")


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / name).read_text().splitlines()
    stated = [line for line in lines if line and not line.startswith(("#", "-r"))]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", line) for line in stated)
    return {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in stated}


def test_every_development_package_is_pinned_once_and_installed_as_pinned():
    pinned = pins("dev.txt")
    assert {name: version(name) for name in pinned} == pinned
    assert not set(pins("bench.txt")) & set(pinned)


@pytest.mark.parametrize("stated", NEEDED)
def test_the_pinned_versions_satisfy_what_the_package_asks_for(stated):
    requirement = Requirement(stated)
    assert requirement.specifier.contains(pins("dev.txt")[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("name", BUILD_FILES)
def test_the_build_names_no_place_outside_the_repository(name):
    place = ROOT / name
    files = [path for path in place.rglob("*") if path.is_file()] if place.is_dir() else [place]
    for path in files:
        if path.suffix != ".pyc":
            assert ELSEWHERE.findall(path.read_text()) == [], path.name


def test_help_lists_every_target_with_its_purpose():
    make = shutil.which("make")
    assert make
    shown = subprocess.run([make, "-C", str(ROOT)], capture_output=True, text=True, check=True).stdout
    stated = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert stated
    listed = re.findall(r"^  make ([a-z-]+) +\S+", shown, re.MULTILINE)
    assert sorted(listed) == sorted(set(stated[1].split()) - {"FORCE"})


def test_continuous_integration_runs_both_test_targets():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "for target in test test-slow; do" in script.read_text()


@pytest.mark.slow
def test_the_wheel_works_in_a_clean_environment_without_a_compiler(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "-qq", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*build, "--no-build-isolation", "--wheel-dir", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("hornbook-*.whl")
    subprocess.run([sys.executable, ROOT / "scripts" / "check_wheel.py", wheel], check=True)
