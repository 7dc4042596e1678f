"""What an OpenDocument file has beyond its text, cells and shapes: how a show runs, rules of working out, macros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proctor.vocabulary.formats.guarded_xml import Element
from proctor.vocabulary.formats.office.parse_odf import plain_text, tenths
from proctor.vocabulary.formats.office.parse_xml import get
from proctor.vocabulary.formats.visible import Look

USUAL: Mapping[str, Mapping[str, str]] = {
    "presentation:settings": {
        "presentation:endless": "false", "presentation:pause": "PT0S", "presentation:start-page": "",
        "presentation:show": "", "presentation:force-manual": "false", "presentation:animations": "enabled",
        "presentation:full-screen": "true", "presentation:stay-on-top": "false",
    },
    "presentation:show": {"presentation:name": "", "presentation:pages": ""},
    "table:null-date": {"table:date-value": "1899-12-30"},
    "table:calculation-settings": {"table:precision-as-shown": "false"},
    "table:iteration": {"table:status": "disable"},
    "table:data-pilot-table": {"table:name": "", "table:target-range-address": ""},
    "table:filter-condition": {"table:field-number": "", "table:operator": "", "table:value": ""},
    "table:scenario": {"table:scenario-ranges": ""},
    "table:consolidation": {"table:target-cell-address": ""},
    "script:event-listener": {"script:event-name": "", "xlink:href": ""},
    "form:form": {"form:name": ""},
}  # fmt: skip
"""What is told of which elements: the attributes that matter, with what they say where nobody set them."""
MOVING = ("anim:set", "anim:animate", "anim:animateMotion", "anim:animateColor", "anim:animateTransform", "anim:audio",
          "anim:command")  # fmt: skip


def extras_in(root: Element) -> list[Look]:
    """Return what else was set up in a document, each with what somebody made different from the usual."""
    return [told for each in root.iter() if (told := _told(each))]


def moving_in(page: Element) -> list[str]:
    """Return what moves or sounds on a slide."""
    return [each.tag.partition(":")[2] for each in page.iter() if each.tag in MOVING]


def remarks_on(page: Element) -> list[Look]:
    """Return the comments on a slide."""
    found = (each for each in page if each.tag == "office:annotation")
    return [{"text": "\n".join(plain_text(each) for each in remark.iter("text:p"))} for remark in found]


def setting_of(properties: dict[str, str]) -> Look:
    """Return how letters are set that are not set as usual: in capitals, raised, apart."""
    raised = properties.get("style:text-position", "").split()
    told = {
        "capitals": properties.get("fo:text-transform", "none").replace("none", "")
        or properties.get("fo:font-variant", "normal").replace("normal", ""),
        "raised": raised[0] if raised and raised[0] not in ("0%", "0") else "",
        "apart_mm": tenths(properties.get("fo:letter-spacing", "")),
    }
    return {name: value for name, value in told.items() if value}


def _told(element: Element) -> Look:
    usual = USUAL.get(element.tag)
    set_so = dict(_set_otherwise(element, usual)) if usual else {}
    return {**set_so, "name": element.tag.partition(":")[2].replace("-", " ")} if set_so else {}


def _set_otherwise(element: Element, usual: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in usual.items():
        if (said := get(element, name, value)) != value:
            key = name.partition(":")[2].replace("-", "_")
            yield {"name": "called"}.get(key, key), said
