"""Charts of OpenDocument spreadsheets."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.spreadsheets.cells import plain_range
from proctor.vocabulary.formats.spreadsheets.parse_xml import get, name, text_of

_KINDS = {"circle": "pie", "ring": "doughnut"}


def chart(root: Element) -> dict[str, object] | None:
    """Return kind, titles and ranges of a chart; None when the object is something else."""
    found = next(root.iter(name("chart:chart")), None)
    if found is None:
        return None
    area = found.find(name("chart:plot-area"))
    kind = get(found, "chart:class").rpartition(":")[2]
    kind = _KINDS.get(kind, kind)
    style = "" if area is None else get(area, "chart:style-name")
    if kind == "bar" and _style_value(root, style, "chart:vertical") != "true":
        kind = "column"
    axes = {} if area is None else {get(axis, "chart:dimension"): axis for axis in area.iterfind(name("chart:axis"))}
    categories = next(found.iter(name("chart:categories")), None)
    return {
        "kind": kind,
        "percent": _style_value(root, style, "chart:percentage") == "true",
        "title": _title(found),
        "x_title": _title(axes.get("x")),
        "y_title": _title(axes.get("y")),
        "categories": "" if categories is None else plain_range(get(categories, "table:cell-range-address")),
        "series": [_series(each) for each in found.iter(name("chart:series"))],
    }


def _series(series: Element) -> dict[str, str]:
    values = get(series, "chart:values-cell-range-address")
    label = get(series, "chart:label-cell-address")
    domains = [get(domain, "table:cell-range-address") for domain in series.iterfind(name("chart:domain"))]
    return {
        "values": plain_range(values),
        "name": plain_range(label),
        "x": plain_range(domains[0]) if domains else "",
    }


def _title(of: Element | None) -> str:
    title = None if of is None else of.find(name("chart:title"))
    return "" if title is None else "\n".join(text_of(line) for line in title.iterfind(name("text:p")))


def _style_value(root: Element, style: str, key: str) -> str:
    """Return what a style says about a chart, such as whether its bars lie instead of stand."""
    # Empty where nothing.
    for element in root.iter(name("style:style")):
        if style and get(element, "style:name") == style:
            properties = element.find(name("style:chart-properties"))
            return "" if properties is None else get(properties, key)
    return ""
