"""OSWorld's getters of pages in our words: the address in front, the source, parts of a page."""

from __future__ import annotations

from proctor.suites.foreign.faults import Data
from proctor.suites.foreign.translation import NotJudgedYet, probe
from proctor.tasks.call import Call

_CLASSES = ("class_multiObject", "class_singleObject", "class_name")


def text_of_page(getter: Data) -> Call | None:
    """Return what tells the text that a getter takes from a page; None for other getters."""
    kind = getter.get("type")
    if kind == "active_url_from_accessTree":
        return probe("page_address")
    if kind == "active_tab_info":
        return probe("page_source")
    if kind in ("active_tab_html_parse", "target_tab_html_parse"):
        address = str(getter.get("target_tab_url") or "") if kind == "target_tab_html_parse" else ""
        return probe("page_parts", parts=_parts(getter), **({"url": address} if address else {}))
    if kind == "shortcuts_on_desktop":
        return probe("output", argv=["/bin/sh", "-c", "cat -- Desktop/*.desktop"])
    return None


def _parts(getter: Data) -> list[dict[str, object]]:
    category = getter.get("category")
    if other := [key for key in getter if key.startswith("class_") and key not in _CLASSES]:
        raise NotJudgedYet(f"{other[0]!r} of what a page shows")
    if category == "class":
        found = [
            {"name": str(name), "css": f".{css}", "nth": int(nth)}
            for css, names in (getter.get("class_multiObject") or {}).items()
            for nth, name in names.items()
        ]
        return found + [
            {"name": str(name), "css": f".{css}"} for css, name in (getter.get("class_singleObject") or {}).items()
        ]
    if category == "label":
        return [
            {"name": str(name), "css": f'[aria-label="{label}"]'}
            for label, name in (getter.get("labelObject") or {}).items()
        ]
    if category == "input":
        return [_part(path, name, attribute="value") for path, name in (getter.get("inputObject") or {}).items()]
    if category in ("xpath", "iframe-xpath"):
        places = dict(getter.get("xpathObject") or {})
        frame = str(places.pop("iframe", "")) if category == "iframe-xpath" else ""
        return [_part(path, name, **({"frame": frame} if frame else {})) for path, name in places.items()]
    raise NotJudgedYet(f"the category {category!r} of what a page shows")


def _part(xpath: str, name: object, **more: object) -> dict[str, object]:
    if isinstance(name, dict):
        return {"name": str(name.get("name", "")), "xpath": xpath, "attribute": str(name.get("attribute", "")), **more}
    return {"name": "" if name is None else str(name), "xpath": xpath, **more}
