"""Tabs as events tell of them; pages that open too much are bounded."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.browser.tabs import MOST_DOWNLOADS, MOST_NOTED, MOST_TABS, Dialog, Tabs


class Told(list[tuple[str, str, dict[str, Any]]]):
    """Everything that was sent."""

    def __call__(self, method: str, session: str, **parameters: Any) -> None:
        self.append((method, session, parameters))


def page(target: str, url: str = "about:blank", kind: str = "page") -> dict[str, Any]:
    return {"targetInfo": {"targetId": target, "type": kind, "url": url, "title": target.upper()}}


def opened(tabs: Tabs, *targets: str) -> None:
    for target in targets:
        tabs.hear("Target.targetCreated", page(target), "")
        tabs.hear("Target.attachedToTarget", {**page(target), "sessionId": f"s-{target}"}, "")


def test_a_new_page_is_attached_to_and_greeted() -> None:
    told = Told()
    tabs = Tabs(told, greeting=[("Page.enable", {})])
    opened(tabs, "a")
    assert told == [
        ("Target.attachToTarget", "", {"targetId": "a", "flatten": True}),
        ("Page.enable", "s-a", {}),
    ]
    (tab,) = tabs.all
    assert (tab.number, tab.session, tab.title) == (1, "s-a", "A")


def test_what_is_no_page_of_the_user_is_no_tab() -> None:
    told = Told()
    tabs = Tabs(told)
    tabs.hear("Target.targetCreated", page("a", "chrome://omnibox-popup.top-chrome/"), "")
    tabs.hear("Target.targetCreated", page("b", kind="service_worker"), "")
    tabs.hear("Target.targetCreated", page("c", "devtools://devtools/bundled/devtools_app.html"), "")
    assert tabs.all == []
    assert told == [("Target.closeTarget", "", {"targetId": "c"})]


def test_tabs_without_end_are_closed_as_they_come() -> None:
    told = Told()
    tabs = Tabs(told)
    opened(tabs, *(f"t{number}" for number in range(MOST_TABS + 30)))
    assert len(tabs.all) == MOST_TABS
    assert sum(method == "Target.closeTarget" for method, *_ in told) >= 30
    assert tabs.turned_away >= 30


def test_downloads_without_end_are_cancelled_until_another_page_comes() -> None:
    told = Told()
    tabs = Tabs(told)
    opened(tabs, "a")
    for number in range(MOST_DOWNLOADS + 2):
        tabs.hear("Browser.downloadWillBegin", {"guid": f"g{number}"}, "")
    assert [parameters["guid"] for method, _, parameters in told if method == "Browser.cancelDownload"] == [
        "g50",
        "g51",
    ]
    tabs.hear("Page.frameNavigated", {"frame": {"id": "a", "url": "file:///next"}}, "s-a")
    tabs.hear("Browser.downloadWillBegin", {"guid": "later"}, "")
    assert told[-1][2].get("guid") == "g51"


def test_dialogs_loading_and_crashes_are_known() -> None:
    tabs = Tabs(Told())
    opened(tabs, "a")
    (tab,) = tabs.all
    tabs.hear("Page.frameStartedLoading", {"frameId": "a"}, "s-a")
    assert tab.loading == {"a"}
    tabs.hear("Page.javascriptDialogOpening", {"type": "confirm", "message": "Sure?"}, "s-a")
    assert tab.dialog == Dialog(kind="confirm", message="Sure?")
    tabs.hear("Page.javascriptDialogClosed", {}, "s-a")
    assert tab.dialog is None
    tabs.hear("Page.lifecycleEvent", {"name": "load", "frameId": "a", "loaderId": "L1"}, "s-a")
    tabs.hear("Page.frameStoppedLoading", {"frameId": "a"}, "s-a")
    assert (tab.loaded, tab.loading) == ("L1", set())
    tabs.hear("Inspector.targetCrashed", {}, "s-a")
    assert tab.crashed
    tabs.hear("Page.frameNavigated", {"frame": {"id": "a", "url": "file:///again"}}, "s-a")
    assert (tab.crashed, tab.url) == (False, "file:///again")
    tabs.hear("Target.targetDestroyed", {"targetId": "a"}, "")
    assert tabs.all == []


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "Target.targetCreated", "Target.attachedToTarget", "Target.targetCrashed", "Page.frameNavigated",
                    "Target.detachedFromTarget", "Page.javascriptDialogOpening", "Page.frameStartedLoading",
                    "Browser.downloadWillBegin", "Page.lifecycleEvent", "Inspector.targetCrashed", "Else.what",
                ]
            ),
            st.dictionaries(
                st.sampled_from(["targetInfo", "targetId", "sessionId", "frameId", "frame", "type", "message"]), _PLAIN
            ),
            st.sampled_from(["", "s-a", "other"]),
        ),
        max_size=10,
    )
)  # fmt: skip
def test_events_of_any_shape_break_nothing(events: list[tuple[str, dict[str, Any], str]]) -> None:
    tabs = Tabs(Told())
    opened(tabs, "a")
    for event in events:
        tabs.hear(*event)
    assert all(isinstance(tab.title, str) for tab in tabs.all)


def test_only_the_pages_of_a_context_are_tabs_and_the_last_one_ends_the_browser() -> None:
    told = Told()
    tabs = Tabs(told)
    opened(tabs, "first")
    tabs.keep_to("mine")
    assert tabs.all == []
    opened(tabs, "other")
    for target in ("a", "b"):
        info = {"targetInfo": {**page(target)["targetInfo"], "browserContextId": "mine"}}
        tabs.hear("Target.targetCreated", info, "")
        tabs.hear("Target.attachedToTarget", {**info, "sessionId": f"s-{target}"}, "")
    assert [tab.target for tab in tabs.all] == ["a", "b"]
    tabs.hear("Target.targetDestroyed", {"targetId": "first"}, "")
    tabs.hear("Target.targetDestroyed", {"targetId": "a"}, "")
    assert "Browser.close" not in [method for method, *_ in told]
    tabs.hear("Target.targetDestroyed", {"targetId": "b"}, "")
    assert told[-1] == ("Browser.close", "", {})


def test_the_first_word_of_a_page_is_kept_and_no_other() -> None:
    tabs = Tabs(Told())
    tabs.notes["told"] = None
    for name, payload in (("other", "x"), ("told", "first" * 2000), ("told", "second"), ("told", None)):
        tabs.hear("Runtime.bindingCalled", {"name": name, "payload": payload}, "s-a")
    assert tabs.notes == {"told": ("first" * 2000)[:MOST_NOTED]}
