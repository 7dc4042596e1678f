"""OSWorld's `compare_table`: each of its rules becomes a check of two workbooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proctor.suites.foreign.faults import Data, several
from proctor.suites.foreign.names import words
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Sides, file_of, hint_of, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check, probe
from proctor.tasks.call import Call

CHART_PARTS = words("type title xtitle ytitle direction legend width height anchor")
DETAILS = words("legend width height anchor")
"""Parts of charts that only a closer look tells."""
PIVOTS = {
    "name": "name", "source": "source", "filter": "left_out", "col_fields": "columns", "row_fields": "rows",
    "data_fields": "data",
}  # fmt: skip
STYLES = words(
    "number_format font_name font_family font_color font_bold font_italic font_underline font_size fill_type "
    "bgcolor fgcolor hyperlink"
)
SIZES = {name: name for name in ("hidden", "collapsed", "height", "width", "outline_level")}
PLAIN = {"freeze": "same_panes", "filter": "same_filters"}
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
    if kind in ("check_cell", "zoom", "data_validation"):
        return _of_one(rule, of, looks.side(each.result, "workbook"))
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
        parts = several(rule.get("chart_props"))
        if unknown := [part for part in parts if part not in CHART_PARTS]:
            raise NotJudgedYet(f"the property {unknown[0]!r} of charts")
        if DETAILS & set(parts):
            mine, theirs = (looks.side(side, "workbook") for side in (each.result, each.expected or each.result))
            of, other = mine, mine if other is of else theirs
        return check("same_charts", of=of, other=other, parts=parts, **pair)
    if isinstance(kind, str) and kind in _CLOSELY:
        mine, theirs = (looks.side(side, "workbook") for side in (each.result, each.expected or each.result))
        return _CLOSELY[kind](rule, mine, mine if other is of else theirs, pair)
    if kind in PLAIN:
        return check(PLAIN[kind], of=of, other=other, **pair)
    raise NotJudgedYet(f"the rule {kind!r} of 'compare_table'")


def _pair(rule: Data, of: object, other: object) -> tuple[dict[str, object], object]:
    """Return which sheets are compared with which: `RI0` and `0` are the result's own first."""
    mine, theirs = _sheet(rule.get("sheet_idx0", 0)), _sheet(rule.get("sheet_idx1", "EI0"))
    if mine[0] != "R":
        raise NotJudgedYet("'compare_table' of two sheets of the expected workbook")
    return {"sheet": mine[1], "beside": theirs[1]}, of if theirs[0] == "R" else other


def _sheet(index: object) -> tuple[str, int | str]:
    if isinstance(index, int) and not isinstance(index, bool) and index >= 0:
        return "R", index
    if isinstance(index, str) and index[:2] in ("RI", "EI") and index[2:].isdigit():
        return index[0], int(index[2:])
    if isinstance(index, str) and index[:2] in ("RN", "EN"):
        return index[0], index[2:]
    raise NotJudgedYet(f"the sheet {index!r} of 'compare_table'")


def _cell(rule: Data, of: object, closely: object, sheet: int | str) -> Call:
    props = dict(rule.get("props") or {})
    if not props or (unknown := set(props) - {"value", *STYLES}):
        raise NotJudgedYet(f"the property {min(unknown, default='nothing') if props else 'nothing'!r} of a cell")
    cell = str(rule["coordinate"])
    wanted = {name: {key: told[key] for key in ("method", "ref")} for name, told in props.items()}
    found = [check("cell_agrees", of=of, cell=cell, rule=wanted.pop("value"), sheet=sheet)] if "value" in props else []
    found += [check("cell_looks", of=closely, cell=cell, rules=wanted, sheet=sheet)] if wanted else []
    return found[0] if len(found) == 1 else check("all_of", of=found)


def _of_one(rule: Data, of: object, closely: object) -> Call:
    """Return a check of one workbook by itself."""
    _, sheet = _sheet(rule.get("sheet_idx", 0))
    if rule["type"] == "check_cell":
        return _cell(rule, of, closely, sheet)
    if rule["type"] == "zoom":
        return check("zoom_agrees", of=closely, rule={key: rule[key] for key in ("method", "ref")}, sheet=sheet)
    rules = [
        {name: {key: told[key] for key in ("method", "ref")} for name, told in part.items()}
        for part in rule["dv_props"]
    ]
    return check("inputs_agree", of=closely, rules=rules, sheet=sheet)


def _parts_of(rule: Data, key: str, known: Mapping[str, str]) -> list[str]:
    """Return what a rule compares, in our words."""
    told = several(rule.get(key))
    if not told or (unknown := [name for name in told if name not in known]):
        raise NotJudgedYet(f"the property {unknown[0] if told else 'nothing'!r} of the rule {rule['type']!r}")
    return [known[name] for name in told]


def _pivots(rule: Data, of: object, other: object, pair: Data) -> Call:
    parts = _parts_of(rule, "pivot_props", PIVOTS)
    parts += ["pages"] if "left_out" in parts else []
    return check("same_pivots", of=of, other=other, parts=parts, **pair)


def _styles(rule: Data, of: object, other: object, pair: Data) -> Call:
    parts = _parts_of(rule, "props", {name: name for name in STYLES})
    return check("same_styles", of=of, other=other, parts=parts, **pair)


def _sizes(rule: Data, of: object, other: object, pair: Data) -> Call:
    way = "rows" if rule["type"] == "row_props" else "columns"
    return check("same_sizes", of=of, other=other, way=way, parts=_parts_of(rule, "props", SIZES), **pair)


def _sparklines(rule: Data, of: object, other: object, pair: Data) -> Call:
    return check("same_sparklines", of=of, other=other, **pair)


_CLOSELY: Mapping[str, Callable[[Data, object, object, Data], Call]] = {
    "pivot_table": _pivots,
    "style": _styles,
    "row_props": _sizes,
    "col_props": _sizes,
    "sparkline": _sparklines,
}
"""Rules that ask for a closer look at both workbooks."""


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
        of, other = (looks.side(side, "spreadsheet") for side in (each.result, each.expected))
        pair, other = _pair(rule, of, other)
        return check("same_shown", of=of, other=other, **pair)
    of = probe("text", path=file_of(each.result, mine[0]))
    other = looks.side(each.expected, "text", place=theirs[0])
    return check("same_lines", of=of, other=other, strict=False)
