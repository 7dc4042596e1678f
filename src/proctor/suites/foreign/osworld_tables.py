"""OSWorld's `compare_table`: each of its rules becomes a check of two workbooks."""

from __future__ import annotations

from proctor.suites.foreign.faults import Data
from proctor.suites.foreign.names import words
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Sides, file_of, hint_of, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check, probe
from proctor.tasks.call import Call

CHART_PARTS = frozenset({"type", "title", "xtitle", "ytitle", "direction"})
FUZZY = words("range type threshold ignore_case ignore_chars trim_leadings trim_trailings normalization")


def compare_table(each: ForeignComparison, looks: Sides) -> Call:
    """A workbook is like another in what the rules name."""
    rules = each.options.get("rules")
    if not isinstance(rules, list) or not rules or not all(isinstance(rule, dict) for rule in rules):
        raise NotJudgedYet("'compare_table' without rules")
    found = [_check_of(rule, each, looks) for rule in rules]
    return found[0] if len(found) == 1 else check("all_of", of=found)


def _check_of(rule: Data, each: ForeignComparison, looks: Sides) -> Call:
    kind = rule.get("type")
    of = looks.side(each.result, "spreadsheet")
    if kind == "check_cell":
        return _cell(rule, of)
    if kind == "sheet_print":
        return _print_of_sheet(rule, each, looks)
    other = looks.side(each.expected, "spreadsheet") if each.expected else of
    if kind == "sheet_name":
        return check("same_sheet_names", of=of, other=other)
    pair, other = _pair(rule, of, other)
    if kind == "sheet_data":
        return check("same_cells", of=of, other=other, precision=int(rule.get("precision", 4)), **pair)
    if kind == "sheet_fuzzy":
        rules = [{key: value for key, value in part.items() if key in FUZZY} for part in rule["rules"]]
        return check("like_cells", of=of, other=other, rules=rules, **pair)
    if kind == "chart":
        parts = list(rule.get("chart_props") or [])
        if unknown := [part for part in parts if part not in CHART_PARTS]:
            raise NotJudgedYet(f"the property {unknown[0]!r} of charts")
        return check("same_charts", of=of, other=other, parts=parts, **pair)
    if kind == "freeze":
        return check("same_panes", of=of, other=other, **pair)
    if kind == "filter":
        return check("same_filters", of=of, other=other, **pair)
    raise NotJudgedYet(f"the rule {kind!r} of 'compare_table'")


def _pair(rule: Data, of: object, other: object) -> tuple[dict[str, object], object]:
    """Return which sheets are compared, and with which workbook: `RI0` is the result's own first."""
    mine, theirs = _sheet(rule.get("sheet_idx0", 0), "R"), _sheet(rule.get("sheet_idx1", 0), "E")
    if mine[0] != "R":
        raise NotJudgedYet("'compare_table' of two sheets of the expected workbook")
    return {"sheet": mine[1], "beside": theirs[1]}, of if theirs[0] == "R" else other


def _sheet(index: object, whose: str) -> tuple[str, int | str]:
    if isinstance(index, int) and not isinstance(index, bool) and index >= 0:
        return whose, index
    if isinstance(index, str) and index[:2] in ("RI", "EI") and index[2:].isdigit():
        return index[0], int(index[2:])
    if isinstance(index, str) and index[:2] in ("RN", "EN"):
        return index[0], index[2:]
    raise NotJudgedYet(f"the sheet {index!r} of 'compare_table'")


def _cell(rule: Data, of: object) -> Call:
    props = rule.get("props") or {}
    if set(props) != {"value"}:
        raise NotJudgedYet(f"the property {min(set(props) - {'value'}, default='nothing')!r} of a cell")
    _, sheet = _sheet(rule.get("sheet_idx", 0), "R")
    wanted = {key: props["value"][key] for key in ("method", "ref")}
    return check("cell_agrees", of=of, cell=str(rule["coordinate"]), rule=wanted, sheet=sheet)


def _print_of_sheet(rule: Data, each: ForeignComparison, looks: Sides) -> Call:
    """Return a check of a sheet as separated values, which a step wrote beside the workbook."""
    paths = each.result.get("path")
    addresses = each.expected.get("path")
    mine = (
        [place for place in range(len(paths)) if file_of(each.result, place).endswith(".csv")]
        if isinstance(paths, list)
        else []
    )
    theirs = (
        [p for p in range(len(addresses)) if (hint_of(each.expected, p) or url_of(each.expected, p)).endswith(".csv")]
        if isinstance(addresses, list)
        else []
    )
    if len(mine) != 1 or len(theirs) != 1:
        raise NotJudgedYet("'sheet_print' without one file of separated values on either side")
    of = probe("text", path=file_of(each.result, mine[0]))
    other = looks.side(each.expected, "text", place=theirs[0])
    return check("same_lines", of=of, other=other, strict=False)
