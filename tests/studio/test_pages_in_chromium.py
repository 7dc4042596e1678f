"""Small things that people stumble over, in a real Chromium: the focus, what dialogs say, what is shown first."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from tests.studio.killing import Killable, studio
from tests.studio.sets import drawn
from tests.web.browser import Visit
from tests.web.recorded import write_run

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow, pytest.mark.turns]

TAB = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
WORKING = "document.querySelector('#state').textContent === 'recording'"
PROOF = {
    "going_on": False, "state": "not proven", "outcomes": [], "total": 0, "mutants": 3, "variants": 1,
    "survived": [{"label": label, "why": "still passes"} for label in ("a line more", "a line less", "another name")],
    "rejected": [{"label": "a blank at the end", "why": "no longer passes"}],
}  # fmt: skip
# As if the studio had a proof of the task that is made here: a real one takes minutes.
PROVEN = f"""const real = window.fetch;
window.fetch = async (at, options) => {{
  const answer = await real(at, options);
  if ((options && options.method) || !String(at).includes("/create/makings/")) return answer;
  return new Response(JSON.stringify({{ ...await answer.json(), proof: {json.dumps(PROOF)} }}));
}};"""
NATIVE = "window.native = 0; for (const kind of ['alert', 'confirm', 'prompt']) window[kind] = () => { native += 1; }"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    folder = tmp_path_factory.mktemp("studio")
    write_run(folder / "runs/tour")
    for name in ("first", "second"):
        drawn(folder / "work", name=name)
    with studio(folder / "work", "--run", str(folder / "runs")) as found:
        yield found


@pytest.fixture(scope="module")
def computer(running: Killable) -> Iterator[SandboxComputer]:
    port = running.root.rpartition(":")[2]
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{port}"]) as found:
        yield found


def enter(running: Killable, computer: SandboxComputer, path: str) -> Visit:
    root = running.root.replace("127.0.0.1", "localhost")
    visit = (
        Visit(computer).open(root + running.tell("/studio/invitation", {})["path"]).wait("location.pathname === '/'")
    )
    visit.look("named", "fetch('/studio/person', { method: 'POST', body: JSON.stringify({ name: 'Ann' }), "
               "headers: { 'Content-Type': 'application/json' } }).then(() => 1)")  # fmt: skip
    return visit.open(root + path).look("native", NATIVE)


def write(visit: Visit, text: str) -> Visit:
    return visit._call("Input.insertText", text=text)


def tab(visit: Visit) -> Visit:
    for kind in ("rawKeyDown", "keyUp"):
        visit._call("Input.dispatchKeyEvent", type=kind, **TAB)
    return visit


def test_tab_after_the_value_of_a_mark_goes_on_and_nothing_typed_is_lost(
    running: Killable, computer: SandboxComputer
) -> None:
    making = running.tell("/create/makings", {"name": "vary-it", "apps": ["mousepad"]})
    visit = enter(running, computer, making["address"]).wait("document.querySelector('#title').textContent")
    for name in ("first", "second"):
        visit.look("added", "document.querySelector('#mark').click()")
        visit.wait(f"document.querySelectorAll('#marks .mark').length === {['first', 'second'].index(name) + 1}")
        visit.look("there", "document.querySelector('#marks .mark:last-child input').select(), "
                   "document.querySelector('#marks .mark:last-child input').focus()")  # fmt: skip
        for part in (name, "Ann", f"Bob\nCleo {name}"):
            tab(write(visit, part))
    rows = "[...document.querySelectorAll('#marks .mark')]"
    fields = f"{rows}.map((row) => [...row.querySelectorAll('input, textarea')].map((each) => each.value))"
    visit.wait(f"JSON.stringify({fields}).includes('Cleo second')").look("fields", fields)
    visit.look("focus", "document.activeElement.textContent")
    seen = visit.run()
    assert visit.complaints() == []
    assert seen["fields"] == [["first", "Ann", "Bob\nCleo first"], ["second", "Ann", "Bob\nCleo second"]]
    assert seen["focus"] == "×"


def test_an_end_says_what_it_does_and_no_dialog_is_the_browsers_own(
    running: Killable, computer: SandboxComputer
) -> None:
    making = running.tell("/create/makings", {"name": "prepare-it", "apps": ["mousepad"]})["id"]
    desks = {
        "free": "/record/desks/" + running.tell("/record/desks", {"task": "", "kind": "record"})["id"],
        "asked": "/record/desks/" + running.tell("/record/desks", {"task": "sign-the-letter", "kind": "record"})["id"],
        "prepared": running.tell(f"/create/makings/{making}/desk", {"stage": "prepare"})["address"].replace(
            "desk/", "desks/"
        ),
    }
    told = {}
    for name, desk in desks.items():
        running.state(desk, "working")
        visit = enter(running, computer, desk.replace("desks", "desk")).wait(WORKING)
        for word in ("done", "leave"):
            visit.look("press", f"document.querySelector('#{word}').click()").wait(
                "document.querySelector('#ending').open"
            )
            visit.look(word, "document.querySelector('#ending').innerText")
            visit.look("goal", "!document.querySelector('#shown').hidden") if word == "done" else None
            visit.look("back", "document.querySelector('#ending-back').click()")
        told[name] = visit.look("native", "window.native").run()
        running.tell(f"{desk}/end", {"word": "leave"})
    assert [each["native"] for each in told.values()] == [0, 0, 0]
    assert {name: each["goal"] for name, each in told.items()} == {"free": True, "asked": False, "prepared": False}
    assert "Nothing is judged" in told["free"]["done"]
    assert "setup steps" in told["prepared"]["done"] and "The desktop is judged" not in told["prepared"]["done"]
    assert "The desktop is judged" in told["asked"]["done"]
    assert all("The recording is kept" in each["leave"] for each in told.values())


def test_a_screen_is_kept_in_no_set_that_nobody_chose(running: Killable, computer: SandboxComputer) -> None:
    desk = "/record/desks/" + running.tell("/record/desks", {"task": "", "kind": "record"})["id"]
    running.state(desk, "working")
    visit = enter(running, computer, desk.replace("desks", "desk")).wait(WORKING)
    chord = {"key": "s", "code": "KeyS", "modifiers": 3, "windowsVirtualKeyCode": 83}
    for kind in ("rawKeyDown", "keyUp"):
        visit._call("Input.dispatchKeyEvent", type=kind, **chord)
    visit.wait("document.querySelector('#keep-set').options.length === 3")
    visit.look("chosen", "document.querySelector('#keep-set').value").look(
        "can", "!document.querySelector('#keep').disabled"
    )
    visit.look("kept", "document.querySelector('#kept').children.length")
    seen = visit.run()
    running.tell(f"{desk}/end", {"word": "leave"})
    assert (seen["chosen"], seen["can"], seen["kept"]) == ("", False, 0)


def test_a_reviewer_sees_the_verdict_once_they_ask_for_it(running: Killable, computer: SandboxComputer) -> None:
    (run,) = [each for each in running.ask("/review-data")["runs"] if each["name"] == "tour"]
    (episode,) = running.ask(f"/review-data/{run['id']}")["episodes"]
    visit = enter(running, computer, f"/review/{run['id']}/{episode['id']}")
    visit.wait("document.querySelector('#told').textContent").look("before", "document.body.innerText")
    visit.look("hidden", "document.querySelector('#verdict').hidden")
    visit.look("ask", "document.querySelector('#show-verdict').click()")
    seen = visit.look("after", "document.querySelector('#verdict').innerText").run()
    assert seen["hidden"] is True
    assert "false finish" not in seen["before"]
    assert seen["after"] == "failed: false finish"


def test_what_may_differ_is_allowed_together_and_for_a_reason(running: Killable, computer: SandboxComputer) -> None:
    making = running.tell("/create/makings", {"name": "allow-it", "apps": ["mousepad"]})
    visit = enter(running, computer, "/")._call("Page.enable")
    visit._call("Page.addScriptToEvaluateOnNewDocument", source=PROVEN)
    visit.open(running.root.replace("127.0.0.1", "localhost") + making["address"]).wait(
        "document.querySelector('#admit')"
    )
    press, told = (
        "document.querySelector('#admit').click()",
        "document.querySelector('#survivors [role=alert]').textContent",
    )
    visit.look("pressed", press).look("nothing chosen", told)
    boxes = "document.querySelectorAll('#survivors input[type=checkbox]')"
    visit.look("chosen", f"[0, 1, 3].forEach((place) => {boxes}[place].click())")
    visit.look("again", press).look("no reason", told)
    visit.look("reason", "document.querySelector('#why').value = 'nobody minds'").look("admitted", press)
    visit.wait("document.querySelector('#saved').textContent.startsWith('saved')").look("left", f"{boxes}.length")
    seen = visit.run()
    assert (seen["nothing chosen"], seen["no reason"], seen["left"]) == ("Select what may differ.", "Say why.", 1)
    kept = running.ask(f"/create/makings/{making['id']}")["may_differ"]
    assert kept == [
        {"which": each, "why": "nobody minds"} for each in ("a line more", "a line less", "a blank at the end")
    ]
