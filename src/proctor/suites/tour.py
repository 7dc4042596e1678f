"""Suite `tour`: a selection of `core` on light applications, for the first start."""

from __future__ import annotations

from proctor.suites.core import SUITE as CORE
from proctor.suites.suite import Suite

_CHOSEN = (
    "sign-the-letter",
    "sort-the-downloads",
    "a-picture-as-wallpaper",
    "work-out-the-tip",
    "extract-one-report",
    "switch-the-style",
    "clear-out-old-backups",
    "mend-the-sum-script",
)

SUITE = Suite(
    name="tour",
    version=1,
    summary="Eight tasks on light applications: an editor, files, a calculator, pictures, archives, a terminal.",
    templates=tuple(CORE.template(name) for name in _CHOSEN),
    tasks_from="core",
)
