"""Probes that look into spreadsheets: OpenDocument, OOXML and separated values in one shape."""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Mapping
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import Field

from proctor.computers.computer import Computer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving
from proctor.vocabulary.formats.spreadsheets.basis import formulas_basis
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.parse_inputs import follow_results, with_inputs
from proctor.vocabulary.formats.spreadsheets.parse_xlsx_details import workbook_details
from proctor.vocabulary.formats.spreadsheets.sight import HIDING
from proctor.vocabulary.formats.spreadsheets.tables import Held

PATIENCE_SEC = 90
"""How long LibreOffice may take to start and to work out a few small sheets on a busy machine."""

Results = list[dict[str, dict[str, Held]]]
"""The values of all formulas by sheet and cell, for each trial."""
_worked_out: WeakKeyDictionary[Computer, dict[str, Results]] = WeakKeyDictionary()
"""What workbooks came to, by what was given, on computers that are still there."""

# A copy a line comes in and a copy a line goes out. The profile says that everything is to be worked out on loading.
_RECALCULATE = r"""
folder=$(mktemp -d) && cd "$folder" && mkdir -p profile/user out && export HOME="$folder" LC_ALL=C.UTF-8
trap 'rm -rf "$folder"' EXIT
cat > profile/user/registrymodifications.xcu <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
END
number=0
while read -r copy; do printf %s "$copy" | base64 -d > "in$number.ods" || exit 1; number=$((number + 1)); done
timeout -k 2 "$1" soffice "-env:UserInstallation=file://$folder/profile" --headless --norestore --nologo \
    --convert-to ods --outdir out in*.ods > log 2>&1 < /dev/null
for each in $(seq 0 $((number - 1))); do base64 -w 0 "out/in$each.ods" || { tail -n 3 log >&2; exit 1; }; echo; done
"""


@PROBES.register_with(read_spreadsheet, whole="file", noise=changed_by_saving, basis=formulas_basis)
def spreadsheet(context: ProbeContext, path: str) -> dict[str, object]:
    """The sheets of a spreadsheet with their cells, formatting, charts, filters and frozen panes."""
    return parsed(path, read_spreadsheet, context.read(path), path)


@PROBES.register_with(read_spreadsheet)
def spreadsheet_before(context: ProbeContext, path: str) -> dict[str, object]:
    """A spreadsheet as it was when the task began."""
    return parsed(path, read_spreadsheet, context.before(path), path)


@PROBES.register_with(workbook_details)
def workbook(context: ProbeContext, path: str) -> dict[str, object]:
    """Details of an .xlsx by sheet: pivot tables, zoom, styles, validations, frames of charts."""
    return parsed(path, workbook_details, context.read(path), path)


def _path_of(given: Mapping[str, object]) -> dict[str, object]:
    return {"path": given["path"]}


@PROBES.register_with(with_inputs, read_spreadsheet, follows=Follows("spreadsheet", follow_results, _path_of))
def recalculated(
    context: ProbeContext, path: str, inputs: Annotated[list[dict[str, Held]], Field(min_length=1, max_length=8)]
) -> dict[str, Any]:
    """The results of the formulas of an OpenDocument spreadsheet with other values, for each trial.

    `inputs` gives, for every trial, values by cell: `B2`, of the first sheet, or `Prices!B2`. LibreOffice works them
    out on copies, inside the machine, as a user who can touch nothing of the agent's; the file itself is left alone.
    `now` is what they come to as it stands, and `stored` the results that were saved with it, if any were; `sheets`
    has how their cells look.
    """
    data = context.read(path)
    book = parsed(path, read_spreadsheet, data, path)
    stored = _results(book)
    copies = parsed(path, with_inputs, data, path, [{}, *(dict(each) for each in inputs)])
    given = "".join(f"{each}\n" for each in copies).encode()
    # A proof judges one end state dozens of times, most of them with the same workbook.
    known = _worked_out.setdefault(context.computer, {})
    key = hashlib.sha256(given).hexdigest()
    if key not in known:
        made = _work_out(context, path, given)
        if len(made) != len(copies):
            raise CannotSee("unreadable", f"{path} cannot be calculated again: {len(made)} of {len(copies)} came back")
        books = [parsed(path, read_spreadsheet, each, f"{path} calculated again") for each in made]
        known[key] = [_results(book) for book in books]
    now, *results = copy.deepcopy(known[key])
    return {"path": path, "inputs": inputs, "results": results, "now": now, "stored": stored, "sheets": _looks(book)}


def _work_out(context: ProbeContext, path: str, given: bytes) -> list[bytes]:
    argv = ["/bin/bash", "-c", _RECALCULATE, "bash", str(PATIENCE_SEC)]
    result = context.run(argv, input=given, reader=True, timeout_sec=PATIENCE_SEC + 15)
    if result.code != 0:
        raise CannotSee("unreadable", f"{path} cannot be calculated again: {result.stderr.strip()[-300:]}")
    return [base64.b64decode(each) for each in result.stdout.split()]


def _looks(book: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sheets of a workbook with the cells that are worked out, and what may hide them."""
    return [
        {
            **{part: sheet[part] for part in ("name", *HIDING) if part in sheet},
            "cells": {address: cell for address, cell in sheet["cells"].items() if "formula" in cell},
        }
        for sheet in book["sheets"]
    ]


def _results(book: dict[str, Any]) -> dict[str, dict[str, Held]]:
    return {
        sheet["name"]: {address: cell["value"] for address, cell in sheet["cells"].items() if "formula" in cell}
        for sheet in book["sheets"]
    }
