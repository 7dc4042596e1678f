"""Probes that look into a page in Chromium: its address, its source, what stands in it."""

from __future__ import annotations

import base64
import json
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.browsers.parse import setting
from proctor.vocabulary.apps.browsers.profiles import Browser
from proctor.vocabulary.apps.chromium.parse import chromium_extensions, page_answers
from proctor.vocabulary.apps.chromium.probes import web_tabs
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE, DEBUGGING_PORT, print_of
from proctor.vocabulary.formats.documents.parse_pdf import legible, page_texts
from proctor.vocabulary.formats.documents.probes import pages_of_pdf

_SETTINGS = "chrome://settings"
_LOOKS = {"1": "light", "2": "dark"}
_CHOSEN_LOOK = """
(() => {
  const find = root => {
    for (const node of root.querySelectorAll('*')) {
      if (node.id == 'colorSchemeModeSelect') return node
      const inside = node.shadowRoot && find(node.shadowRoot)
      if (inside) return inside
    }
  }
  const choice = find(document)
  // Until the page knows what is set, none of its options is marked, and the first is shown.
  return choice?.querySelector('option[selected]') ? choice.value : null
})()
"""
_FIND = """
(parts => {
  const found = {}
  for (const part of parts) {
    const root = part.frame ? document.querySelector(part.frame)?.contentDocument : document
    if (!root) continue
    const nodes = []
    if (part.xpath) {
      const all = root.evaluate(part.xpath, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null)
      for (let n = 0; n < all.snapshotLength; n++) nodes.push(all.snapshotItem(n))
    } else nodes.push(...root.querySelectorAll(part.css))
    const node = nodes[part.nth]
    if (!node) continue
    const held = part.attribute == 'value' && 'value' in node ? node.value
      : part.attribute ? node.getAttribute(part.attribute) : node.textContent
    found[part.name] = (held ?? '').trim()
  }
  return found
})
"""


class PagePart(BaseModel):
    """A place in a page, and what its text is called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    xpath: str = ""
    css: str = ""
    nth: Annotated[int, Field(ge=0)] = 0
    """Which of several."""
    attribute: str = ""
    """What is taken in place of the text; of a field, `value` is what stands in it now."""
    frame: str = ""
    """The CSS selector of the frame that it is in."""


def script() -> bytes:
    """Return the program that asks a page."""
    return files(__package__).joinpath("ask_page.py").read_bytes()


@PROBES.register_live()
def page_address(context: ProbeContext) -> dict[str, object]:
    """The address of the front page in Chromium."""
    addresses = _addresses(context)
    if not addresses:
        raise CannotSee("absent", "no page is open in Chromium")
    return {"path": "The address in front", "text": addresses[0]}


@PROBES.register_live(page_answers)
def page_source(context: ProbeContext, url: str = "") -> dict[str, object]:
    """The current source of the front page in Chromium, or of the one with an address."""
    [held] = _ask(context, url, "document.documentElement.outerHTML")
    return {"path": "The page", "text": str(held)}


@PROBES.register_live(page_answers)
def page_parts(
    context: ProbeContext, parts: Annotated[list[PagePart], Field(min_length=1)], url: str = ""
) -> dict[str, object]:
    """The texts of some parts of the front page in Chromium, as JSON, without missing ones.

    A part without a name is told alone, as it is.
    """
    asked = json.dumps([part.model_dump() for part in parts])
    [held] = _ask(context, url, f"({_FIND})({asked})")
    found = held if isinstance(held, dict) else {}
    alone = len(parts) == 1 and not parts[0].name
    return {"path": "What the page shows", "text": str(found.get("", "")) if alone else json.dumps(found)}


@PROBES.register_live(page_answers, setting)
def browser_look(context: ProbeContext) -> dict[str, object]:
    """Whether Chromium itself is light, dark, or follows the system.

    While its page of settings is open that tells, because what is set is written down seconds later only.
    """
    path = f"{CHROMIUM_PROFILE}/Preferences"
    data = context.read_beside(path)  # a new profile is not written down at once
    kept = parsed(path, setting, "chromium", data, "browser.theme.color_scheme2") if data else None
    look = _LOOKS.get(str(kept), "system")
    if any(address.startswith(_SETTINGS) for address in _addresses(context)):
        [shown] = _ask(context, _SETTINGS, _CHOSEN_LOOK)
        look = look if shown is None else _LOOKS.get(str(shown), "system")
    return {"path": "The look of Chromium", "look": look}


@PROBES.register_with(chromium_extensions)
def web_extensions(context: ProbeContext, browser: Browser = "chromium") -> dict[str, object]:
    """The extensions in Chromium's profile, with name and folder, including unpacked ones."""
    kept = [context.read_beside(f"{CHROMIUM_PROFILE}/{name}") for name in ("Secure Preferences", "Preferences")]
    return {"browser": browser, "extensions": parsed("Chromium's settings", chromium_extensions, *kept)}


def _addresses(context: ProbeContext) -> list[str]:
    tabs = web_tabs(context)["tabs"]
    return [str(tab["url"]) for tab in tabs] if isinstance(tabs, list) else []


def _ask(context: ProbeContext, url: str, expression: str) -> list[object]:
    web_tabs(context)  # what answers there is Chromium itself, where the computer can tell
    result = context.run(["python3", "-I", "-", str(DEBUGGING_PORT), url, expression], input=script())
    if result.code != 0:
        raise CannotSee("absent", result.stderr.strip().rpartition("\n")[2][:300] or "Chromium does not answer")
    answers: list[object] = parsed("what a page says", page_answers, result.stdout)
    return answers


@PROBES.register_with(page_texts, legible)
def printed_page(context: ProbeContext, url: str) -> dict[str, object]:
    """The text on each page that a web page took when `print_page` printed it."""
    done = context.run(["base64", print_of(url)], reader=True)
    if done.code != 0:
        raise CannotSee("absent", f"{url} was not printed")
    return {"path": url, "pages": pages_of_pdf(context, base64.b64decode(done.stdout), url)}
