"""Charts of OpenDocument spreadsheets."""

from __future__ import annotations

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import plain_text
from proctor.vocabulary.formats.office.parse_xml import child, children, get
from proctor.vocabulary.formats.spreadsheets.cells import plain_range

_KINDS = {"circle": "pie", "ring": "doughnut"}


def chart(root: Element) -> dict[str, object] | None:
    """Return kind, titles and ranges of a chart; None when the object is something else."""
    found = next(root.iter("chart:chart"), None)
    if found is None:
        return None
    area = child(found, "chart:plot-area")
    kind = get(found, "chart:class").rpartition(":")[2]
    kind = _KINDS.get(kind, kind)
    style = "" if area is None else get(area, "chart:style-name")
    if kind == "bar" and _style_value(root, style, "chart:vertical") != "true":
        kind = "column"
    axes = {get(axis, "chart:dimension"): axis for axis in children(area, "chart:axis")}
    categories = next(found.iter("chart:categories"), None)
    return {
        "kind": kind,
        "percent": _style_value(root, style, "chart:percentage") == "true",
        "title": _title(found),
        "x_title": _title(axes.get("x")),
        "y_title": _title(axes.get("y")),
        "categories": "" if categories is None else plain_range(get(categories, "table:cell-range-address")),
        "legend": get(child(found, "chart:legend"), "chart:legend-position"),
        "stacked": _style_value(root, style, "chart:stacked") == "true",
        "series": [_series(each) for each in found.iter("chart:series")],
    }


def _series(series: Element) -> dict[str, str]:
    values = get(series, "chart:values-cell-range-address")
    label = get(series, "chart:label-cell-address")
    domains = [get(domain, "table:cell-range-address") for domain in children(series, "chart:domain")]
    return {
        "values": plain_range(values),
        "name": plain_range(label),
        "x": plain_range(domains[0]) if domains else "",
    }


def _title(of: Element | None) -> str:
    return "\n".join(plain_text(line) for line in children(child(of, "chart:title"), "text:p"))


def _style_value(root: Element, style: str, key: str) -> str:
    """Return what a style says about a chart, such as whether its bars lie instead of stand."""
    # Empty where nothing.
    for element in root.iter("style:style"):
        if style and get(element, "style:name") == style:
            return get(child(element, "style:chart-properties"), key)
    return ""
