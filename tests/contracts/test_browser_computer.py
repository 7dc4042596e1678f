"""The browser keeps every promise of the contract that it has parts for, and bears hostile pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.actions.action import Click, Press, Tap, Type
from proctor.computers.backends.browser import reuse as parking
from proctor.computers.backends.browser.computer import BrowserComputer
from proctor.computers.backends.browser.tabs import MOST_TABS
from proctor.errors import ComputerError, SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.testing import ComputerContract
from proctor.vocabulary.apps.miniwob.probes import miniwob_reward
from proctor.vocabulary.apps.miniwob.setup import miniwob_page

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]


class TestBrowserComputer(ComputerContract):
    def new_computer(self) -> BrowserComputer:
        return BrowserComputer(clip_sec=5)


def page(body: str) -> str:
    return f"data:text/html,<title>shop</title>{body}"


@pytest.fixture(scope="module")
def browser() -> Iterator[BrowserComputer]:
    with BrowserComputer(size=(800, 600)) as computer:
        yield computer


def show(computer: BrowserComputer, body: str) -> None:
    assert computer.parts.pages
    computer.parts.pages.open(page(body))
    computer.settle()


def test_elements_frames_and_shadows_are_in_the_tree_where_they_are(browser: BrowserComputer) -> None:
    show(
        browser,
        "<label>Name <input id=n value=Ann></label><button disabled>off</button><div style='height:3000px'></div>"
        "<button>below</button><div id=h></div><iframe style='position:fixed;left:50px;top:200px;border:0' "
        "srcdoc='<button>inner</button>'></iframe><script>document.body.onkeydown=0;"
        "h.style='position:fixed;top:400px';h.attachShadow({mode:'open'}).innerHTML='<button>shade</button>'</script>",
    )
    names = {node.name: node for node in browser.tree().nodes}
    assert names["Name"].text == "Ann" and "editable" in browser.locate(role="entry").find().states
    assert "enabled" not in names["off"].states
    assert "below" not in names
    inner = names["inner"].box
    assert inner and inner.x >= 50 and inner.y >= 200
    hit = browser.element_at(*inner.center)
    assert hit and hit.name == "inner" and hit.box == inner
    assert names["shade"].box and names["shade"].box.y >= 400


def test_what_is_clicked_and_typed_arrives(browser: BrowserComputer) -> None:
    show(browser, "<input id=n><button onclick='document.title=n.value'>go</button>")
    performed = browser.locate(role="entry").type("naïve 日本 😀")
    assert performed.verified is True
    clicked = browser.locate(role="push button", name="go").click()
    assert clicked.element and clicked.element.name == "go"
    front = browser.active_window()
    assert front and front.title == "naïve 日本 😀"


def test_what_a_page_draws_a_moment_later_is_waited_for(browser: BrowserComputer) -> None:
    later = "requestAnimationFrame(()=>setTimeout(()=>document.body.style.background='rgb(0,128,0)',20))"
    show(browser, f'<body style="margin:0;height:100vh" onclick="{later}">')
    assert browser.screenshot(cursor=False).getpixel((400, 300)) == (255, 255, 255)
    assert browser.perform(Click(x=400, y=300)).settled
    assert browser.screenshot(cursor=False).getpixel((400, 300)) == (0, 128, 0)


def test_a_page_that_replaces_itself_is_waited_for(browser: BrowserComputer) -> None:
    how = "performance.getEntriesByType('navigation')[0].type"
    body = f"<button onclick='location.reload()'>go</button><script>document.title={how}</script>"
    browser.write_file("page.html", body.encode())
    assert browser.parts.pages
    browser.parts.pages.open("file:///home/user/page.html")
    assert browser.locate(role="push button", name="go").click().settled
    front = browser.active_window()
    assert front and front.title == "reload"


def test_dialogs_are_seen_and_answered(browser: BrowserComputer) -> None:
    show(browser, "<button onclick='document.title=confirm(\"Sure?\")'>ask</button>")
    browser.locate(name="ask", role="push button").click()
    assert browser.locate(text="Sure?").exists
    browser.locate(role="push button", name="Cancel").click()
    front = browser.active_window()
    assert front and front.title == "false"


def test_dialogs_without_end_keep_nobody(browser: BrowserComputer) -> None:
    show(browser, "<button onclick='for(;;)alert(1)'>loop</button>")
    browser.locate(name="loop", role="push button").click()
    for _ in range(2):
        browser.perform(Press(keys="Return"))
    assert browser.tree().nodes
    show(browser, "<p>past it</p>")
    assert browser.locate(text="past it").exists


def test_a_page_that_hangs_is_said_to_and_left(browser: BrowserComputer) -> None:
    show(browser, "<button onclick='for(;;);'>hang</button>")
    x, y = browser.locate(name="hang", role="push button").box.center
    browser.pace = "realtime"
    browser.perform(Click(x=x, y=y))
    browser.pace = "settle"
    reasons = browser.wait_for(lambda c: c.tree().degraded, what="the page to hang", timeout_sec=30)
    assert "not answered" in reasons[0]
    assert browser.screenshot().size == browser.size
    show(browser, "<p>alive</p>")
    assert browser.locate(text="alive").exists and len(browser.windows()) == 1


def test_tabs_without_end_are_bounded(browser: BrowserComputer) -> None:
    show(browser, "<button onclick='open(\"about:blank\")'>tab</button>")
    assert browser.parts.pages
    browser.parts.pages.evaluate("0")
    running = browser._kiosk.browser
    for _ in range(MOST_TABS + 3):
        try:
            running.new_tab("about:blank")
        except ComputerError as error:
            assert "no more tabs could be opened" in error.message
            break
    assert len(browser.windows()) <= MOST_TABS
    assert running.forget()
    assert len(browser.windows()) == 1


def test_scripts_that_throw_and_addresses_that_are_none_are_errors(browser: BrowserComputer) -> None:
    show(browser, "<script>throw new Error('loud')</script><p>calm</p>")
    assert browser.locate(text="calm").exists
    assert browser.parts.pages
    with pytest.raises(ComputerError, match="loud"):
        browser.parts.pages.evaluate("(() => { throw new Error('loud') })()")
    with pytest.raises(ComputerError, match="cannot be opened"):
        browser.parts.pages.open("https://example.org/")
    with pytest.raises(SpecError, match="not the address of a page"):
        browser.parts.pages.open("javascript:alert(1)")


def test_a_download_is_a_file_of_the_user(browser: BrowserComputer) -> None:
    show(browser, "<a download=note.txt href='data:text/plain,hello'>get</a>")
    browser.locate(role="link", name="get").click()
    browser.wait_for(lambda c: any(f.path.endswith("note.txt") for f in c.list_files("Downloads")), what="the download")
    assert browser.read_file("Downloads/note.txt") == b"hello"


def test_a_phone_is_touched() -> None:
    with BrowserComputer(phone=True) as phone:
        show(
            phone,
            "<meta name=viewport content='width=device-width'><button style='margin:100px' "
            "ontouchstart='document.title=navigator.maxTouchPoints'>tap</button>",
        )
        assert "pointer" not in phone.capabilities
        x, y = phone.locate(role="push button").box.center
        phone.perform(Tap(x=x, y=y))
        front = phone.active_window()
        assert front and front.title == "5"


def test_a_clean_browser_is_handed_on_empty_and_a_used_one_is_not() -> None:
    try:
        one = BrowserComputer(reuse=True, size=(800, 600)).start()
        machine = one.desktop.machine
        show(one, "<input>")
        one.locate(role="entry").click()
        one.perform(Type(text="secret"))
        one.close()
        with pytest.raises(ComputerError, match="closed"):
            one.screenshot()
        with BrowserComputer(reuse=True, size=(800, 600)) as other:
            assert other.desktop.machine is machine
            assert other.parts.pages and other.parts.pages.address() == "about:blank"
            other.write_file("left.txt", b"behind")
        with BrowserComputer(reuse=True, size=(800, 600)) as third:
            assert third.desktop.machine is not machine
    finally:
        parking.discard_all()


def small() -> BrowserComputer:
    return BrowserComputer(reuse=True, size=(800, 600))


def looks(computer: BrowserComputer) -> tuple[object, ...]:
    """What an agent could tell a used browser by."""
    assert computer.parts.pages
    computer.write_file("../../tmp/page.html", b"<body style='margin:0'><input autofocus><p>some text</p>")
    computer.parts.pages.open("file:///tmp/page.html")
    computer.settle()
    shape = "[devicePixelRatio, innerWidth, innerHeight, history.length, document.cookie, localStorage.length].join()"
    return computer.parts.pages.evaluate(shape), computer.screenshot().tobytes()


LEAVING = {
    "zoom": [Press(keys="ctrl+plus"), Press(keys="ctrl+plus")],
    "clipboard": [Click(x=60, y=12), Type(text="secret"), Press(keys="ctrl+a"), Press(keys="ctrl+c")],
    "pointer": [Click(x=700, y=500)],
    "find": [Press(keys="ctrl+f"), Type(text="text")],
    "tabs": [Press(keys="ctrl+t"), Press(keys="ctrl+n")],
    "fullscreen": [Press(keys="F11")],
}


def test_nothing_of_an_episode_is_left_to_the_next() -> None:
    try:
        with small() as fresh:
            machine, first = fresh.desktop.machine, looks(fresh)
        for actions in LEAVING.values():
            with small() as used:
                assert used.desktop.machine is machine
                looks(used)
                assert used.parts.pages
                used.parts.pages.evaluate("(document.cookie = 'a=1', localStorage.setItem('a', 1), 0)")
                for action in actions:
                    used.perform(action)
            with small() as after:
                assert after.desktop.machine is machine
                assert looks(after) == first
                after.perform(Click(x=60, y=12))
                after.perform(Press(keys="ctrl+v"))
                assert after.parts.pages
                assert after.parts.pages.evaluate("document.querySelector('input').value") == ""
    finally:
        parking.discard_all()


@pytest.mark.parametrize("keys", ["Caps_Lock", "alt+F4"])
def test_what_cannot_be_taken_back_ends_a_browser(keys: str) -> None:
    try:
        with small() as used:
            machine = used.desktop.machine
            used.perform(Press(keys=keys))
        with small() as after:
            assert after.desktop.machine is not machine
    finally:
        parking.discard_all()


def test_what_a_page_first_told_is_kept_outside(browser: BrowserComputer) -> None:
    shown = browser.parts.pages
    assert shown
    show(browser, "<p>first</p>")
    shown.note("told")
    assert shown.first_note("told") is None
    shown.evaluate("(told('lost'), told('won'), 0)")
    show(browser, "<script>told('won')</script>")
    assert shown.first_note("told") == "lost"
    shown.note("told")
    assert shown.first_note("told") is None


def rewards(computer: BrowserComputer, *keys: str) -> float:
    """Lose the problem of a page, press keys, solve what is there then; return what the page is said to have given."""
    miniwob_page(SetupContext(computer), "click-test-2", 1)
    if "lose" in keys:
        computer.locate(role="push button", name="TWO").click()
    for key in keys:
        if key != "lose":
            computer.perform(Press(keys=key))
            computer.locate(name="START").click()
    computer.locate(role="push button", name="ONE").click()
    reward = miniwob_reward(ProbeContext(computer), "click-test-2")["raw"]
    assert isinstance(reward, int | float)
    return reward


def test_a_problem_of_miniwob_is_ended_once() -> None:
    pytest.importorskip("miniwob")
    try:
        with BrowserComputer(reuse=True, scale=2, size=(1000, 640)) as computer:
            assert rewards(computer) == 1
            assert rewards(computer, "lose", "F5") == -1
            with pytest.raises(CannotSee, match="loaded anew"):
                rewards(computer, "F5")
    finally:
        parking.discard_all()


def test_a_browser_that_its_user_closed_shows_nothing_and_breaks_nothing() -> None:
    with BrowserComputer(size=(800, 600)) as computer:
        show(computer, "<p>here</p>")
        computer.perform(Press(keys="alt+F4"))
        computer.wait_for(lambda c: not c.windows(), what="the end of the browser")
        assert computer.tree().degraded == ("no page is open",)
        assert computer.screenshot().size == computer.size
        computer.perform(Click(x=5, y=5))
        assert computer.parts.pages and computer.parts.pages.address() == ""
