"""A finished study, with its summary and report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hornbook.studies._study_data import StudyData
from hornbook.studies.report._evidence import evidence_of
from hornbook.studies.report._report import write_report
from hornbook.studies.report._summary import summary

__all__ = ["Study"]


class Study(StudyData):
    __doc__ = StudyData.__doc__

    def __str__(self) -> str:
        return summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the study and what its report shows as plain data, the content of ``results.json``."""
        return {**super().to_dict(), "evidence": evidence_of(self)}

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the report: one HTML file that opens anywhere, offline and in print.

        Parameters
        ----------
        path : str or path
            The file.
        """
        write_report(self, Path(path))
