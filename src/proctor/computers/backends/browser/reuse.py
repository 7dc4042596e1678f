"""Browsers that are handed on: in a new context, and only where nothing but pages was touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from proctor.computers.backends.browser.browser import Browser
from proctor.computers.backends.browser.own_context import OwnContext
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.selection import forget_selections
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine import state
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.values import Performed
from proctor.errors import ProctorError
from proctor.home import HOME

MOST_KEPT = 2
"""Browsers that wait in one process."""
HELD = frozenset({"mouse_down", "mouse_up", "key_down", "key_up"})
"""Actions after which a button or key may still be held."""
ITS_OWN = tuple(f"{HOME}/{name}" for name in (".config/chromium", ".cache", ".pki")) + ("/tmp", "/var/tmp")
"""Where the browser itself writes."""


@dataclass(frozen=True)
class KeptBrowser:
    """A browser that waits for its next computer."""

    sandbox: Sandbox
    browser: Browser
    context: OwnContext
    incidents: Incidents


_WAITING: list[tuple[object, KeptBrowser]] = []


def take(key: object) -> KeptBrowser | None:
    """Return a browser that waits and was opened just so, if there is one that still answers."""
    for place, (known, kept) in enumerate(_WAITING):
        if known == key:
            del _WAITING[place]
            if _answers(kept):
                return kept
            kept.sandbox.close()
            return None
    return None


def keep(key: object, kept: KeptBrowser) -> bool:
    """Keep a clean browser, where the oldest of another kind makes room; tell whether it did."""
    if len(_WAITING) >= MOST_KEPT:
        if _WAITING[0][0] == key:
            return False
        _WAITING.pop(0)[1].sandbox.close()
    _WAITING.append((key, kept))
    return True


def discard_all() -> None:
    """Close every browser that waits; those of a process that ends are closed with it."""
    while _WAITING:
        _WAITING.pop()[1].sandbox.close()


def is_clean(kept: KeptBrowser, history: Sequence[Performed]) -> bool:
    """Empty a browser; tell whether nothing is held, nothing was written and nothing broke."""
    if len(kept.incidents) or any(performed.action.kind in HELD for performed in history):
        return False
    try:
        return kept.context.begin() and kept.sandbox.look(_reset_input) and _is_untouched(kept.sandbox)
    except (ProctorError, OSError):
        return False


def _reset_input(x11: X11) -> bool:
    """Put the pointer where it was at first and empty the clipboard.

    Tell whether that took, and nothing is held or locked.
    """
    place = (x11.size[0] // 2, x11.size[1] // 2)
    x11.move(*place)
    empty = forget_selections(x11)
    now = x11.pointer()
    return empty and (now.x, now.y, now.state) == (*place, 0)


def _answers(kept: KeptBrowser) -> bool:
    try:
        return kept.browser.front() is not None
    except (ProctorError, OSError):
        return False


def _is_untouched(sandbox: Sandbox) -> bool:
    """Tell whether no file was changed but those always written; changes count from here then."""
    baseline = sandbox.baseline
    if baseline is None:
        return False
    now = state.scan(sandbox.desktop.machine)
    clean = all(change.path.startswith(ITS_OWN) for change in state.compare(baseline.manifest, now))
    if clean:
        # What was packed away still holds of everything but the browser's own files, and nobody asks how those were.
        sandbox.baseline = replace(baseline, manifest=now)
    return clean
