"""A folder as a suite: task files and templates of one's own, without a package."""

from __future__ import annotations

import re
from pathlib import Path

from proctor.errors import SpecError
from proctor.suites.modules import has_templates, templates_in
from proctor.suites.suite import Suite
from proctor.tasks.load import load_files
from proctor.tasks.template import fixed_template


def folder_suite(folder: Path | str, *, name: str = "") -> Suite:
    """Return the suite that a folder is.

    Every `*.json` directly in it is a task, every `*.py` a module of templates, which is run. What lies in the folders
    below is left alone, and may serve as assets. Templates are named after the folder, or as `name` says.

    Raises:
        SpecError: There is nothing in it, a file is wrong (all faults at once), or two tasks have one name.
    """
    place = Path(folder)
    tasks = sorted(path for path in place.glob("*.json") if path.is_file())
    modules = sorted(path for path in place.glob("*.py") if has_templates(path))
    if not place.is_dir():
        raise SpecError(f"there is no folder {place}", remedy="name a folder with task files, or a suite")
    if not tasks and not modules:
        raise SpecError(
            f"there is neither a task file (*.json) nor a module of templates (*.py) in {place}",
            remedy="`proctor tasks new FOLDER/NAME` writes a task file to start from",
        )
    found = [
        *map(fixed_template, load_files(tasks)),
        *(template for path in modules for template in templates_in(path)),
    ]
    label = name or re.sub(r"[^a-z0-9]+", "-", place.resolve().name.lower()).strip("-") or "mine"
    return Suite(
        name=label,
        version=1,
        summary=f"Tasks of {place}.",
        templates=tuple({id(template): template for template in found}.values()),
        assets=place,
    )
