"""The tabs of a browser as its events tell of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

MOST_TABS = 20
"""Tabs that may be open at once; later ones are closed as they come."""
MOST_DOWNLOADS = 50
"""Downloads that are let through while the page in front is the same; later ones are cancelled."""
MOST_FRAMES = 1000
MOST_NOTED = 4000
"""Characters that a page may tell by a function that it was given."""

Tell = Callable[..., object]
"""Sends a command of the DevTools protocol without waiting: method, session, parameters."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialog:
    """What a page asks its user before it goes on."""

    kind: str
    """`alert`, `confirm`, `prompt` or `beforeunload`."""
    message: str = ""


@dataclass(kw_only=True)
class Tab:
    """One page that is open."""

    number: int
    target: str
    session: str = ""
    url: str = ""
    title: str = ""
    dialog: Dialog | None = None
    dialogs: int = 0
    """How many were opened since the page was."""
    loading: set[str] = field(default_factory=set)
    """Frames that are being loaded."""
    loaded: str = ""
    """What was loaded last, by the browser's own name for it."""
    world: int = 0
    """Where our own script is, in the page as it is now; 0 where it is not yet."""
    crashed: bool = False


class Tabs:
    """Keeps the tabs; told every event, it only ever sends commands in return."""

    def __init__(self, tell: Tell, *, greeting: Iterable[tuple[str, dict[str, Any]]] = ()) -> None:
        self._tell = tell
        self._greeting = tuple(greeting)
        self._tabs: dict[str, Tab] = {}
        self._number = 0
        self._downloads = 0
        self.context = ""
        """The context whose pages are meant; empty for all."""
        self.notes: dict[str, str | None] = {}
        """What pages told by the functions that were given to them: the first word of each, None before it."""
        self.turned_away = 0
        """Tabs and downloads that were too many."""
        self.drawn = 0
        """Grows with everything that is heard of pages."""

    @property
    def all(self) -> list[Tab]:
        """The tabs that can be spoken to, oldest first."""
        return [tab for tab in self._tabs.values() if tab.session]

    def by_session(self, session: str) -> Tab | None:
        """Return the tab of a session."""
        return next((tab for tab in self._tabs.values() if tab.session == session), None) if session else None

    def by_target(self, target: str) -> Tab | None:
        """Return a tab by the browser's own name for it."""
        return self._tabs.get(target)

    def keep_to(self, context: str) -> None:
        """Forget every tab, and mean only those of a context from now on."""
        self._tabs.clear()
        self.notes.clear()
        self.context, self._downloads = context, 0

    def hear(self, method: str, said: dict[str, Any], session: str) -> None:
        """Take note of an event."""
        self.drawn += 1
        domain, _, name = method.partition(".")
        if domain == "Target":
            self._target(name, said)
        elif domain == "Browser":
            self._download(name, said)
        elif domain == "Page" and (tab := self.by_session(session)):
            self._page(tab, name, said)
        elif method == "Runtime.bindingCalled" and self.notes.get(_text(said.get("name")), "") is None:
            self.notes[_text(said.get("name"))] = _text(said.get("payload"))[:MOST_NOTED]
        elif method == "Inspector.targetCrashed" and (tab := self.by_session(session)):
            self._note_crash(tab)

    def _target(self, name: str, said: dict[str, Any]) -> None:
        info = said.get("targetInfo")
        target = _text(info.get("targetId")) if isinstance(info, dict) else _text(said.get("targetId"))
        if name == "targetDestroyed":
            self._remove(target)
        elif isinstance(info, dict) and _text(info.get("url")).startswith("devtools:"):
            self.turned_away += 1
            self._tell("Target.closeTarget", "", targetId=target)
        elif self.context and isinstance(info, dict) and info.get("browserContextId") != self.context:
            return
        elif name == "targetCrashed" and (tab := self._tabs.get(target)):
            self._note_crash(tab)
        elif isinstance(info, dict) and info.get("type") == "page" and target and not _is_furniture(info):
            tab = self._tabs.get(target) or self._add_tab(target)
            if tab is None:
                return
            tab.url, tab.title = _text(info.get("url"))[:4000], _text(info.get("title"))[:500]
            if name == "attachedToTarget" and not tab.session:
                tab.session = _text(said.get("sessionId"))
                for method, parameters in self._greeting:
                    self._tell(method, tab.session, **parameters)
        elif name == "detachedFromTarget" and (lost := self.by_session(_text(said.get("sessionId")))):
            self._remove(lost.target)

    def _remove(self, target: str) -> None:
        """Let go of a tab.

        With the last one of a context the browser ends, as it would if there were no window beneath.
        """
        if self._tabs.pop(target, None) and self.context and not self._tabs:
            self._tell("Browser.close", "")

    def _add_tab(self, target: str) -> Tab | None:
        if len(self._tabs) >= MOST_TABS:
            self.turned_away += 1
            self._tell("Target.closeTarget", "", targetId=target)
            return None
        self._number += 1
        self._tabs[target] = tab = Tab(number=self._number, target=target)
        self._tell("Target.attachToTarget", "", targetId=target, flatten=True)
        return tab

    def _note_crash(self, tab: Tab) -> None:
        tab.crashed, tab.dialog, tab.world = True, None, 0
        tab.loading.clear()

    def _page(self, tab: Tab, name: str, said: dict[str, Any]) -> None:
        frame = _text(said.get("frameId"))
        if name == "javascriptDialogOpening":
            tab.dialog = Dialog(kind=_text(said.get("type"))[:20], message=_text(said.get("message"))[:4000])
            tab.dialogs += 1
        elif name == "javascriptDialogClosed":
            tab.dialog = None
        elif name == "frameStartedLoading" and len(tab.loading) < MOST_FRAMES:
            tab.loading.add(frame)
        elif name == "lifecycleEvent" and said.get("name") == "load" and frame == tab.target:
            tab.loaded = _text(said.get("loaderId"))
        elif name in ("frameStoppedLoading", "frameDetached"):
            tab.loading.discard(frame)
        elif name == "frameNavigated" and isinstance(inner := said.get("frame"), dict) and not inner.get("parentId"):
            tab.url, tab.world, tab.crashed = _text(inner.get("url"))[:4000], 0, False
            tab.dialog, tab.dialogs, self._downloads = None, 0, 0

    def _download(self, name: str, said: dict[str, Any]) -> None:
        if name != "downloadWillBegin":
            return
        self._downloads += 1
        if self._downloads > MOST_DOWNLOADS:
            self.turned_away += 1
            self._tell("Browser.cancelDownload", "", guid=_text(said.get("guid")))


def _is_furniture(info: dict[str, Any]) -> bool:
    """Tell whether it is a page of the browser's own surface, such as the list below its address."""
    return ".top-chrome" in _text(info.get("url"))


def _text(data: object) -> str:
    return data.encode("utf-8", "replace").decode() if isinstance(data, str) else ""
