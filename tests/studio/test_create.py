"""Making a task: what a person prepared and showed becomes setup, an answer key, proposals of what to judge."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import SpecError
from proctor.records import Hit, Step
from proctor.studio.create.capture_setup import setup_of
from proctor.studio.create.draft import Making, probes_of
from proctor.studio.create.mark import template_of
from proctor.studio.create.near_misses import follow_solution, near_misses_of
from proctor.studio.create.propose_checks import proposals
from proctor.studio.create.sight import ChangedFile, Looking, Sight, read_settings
from proctor.studio.record.pages import close
from proctor.studio.studio import Studio
from proctor.suites.folder import folder_suite
from proctor.tasks.load import load_task
from tests.studio import displayed
from tests.studio.displayed import ENCODINGS, GREETING, UPDATE, typing
from tests.studio.visiting import Visitor

NOTES = "Documents/notes.txt"
Found = TypeVar("Found")


def looked(
    *, before: Sight | None = None, after: Sight | None = None, files: Any = (), steps: Any = (), trouble: str = ""
) -> Looking:
    """Return what a companion saw at a desk."""
    seen = Looking(lambda _: None, ["mousepad"])
    seen.prepared, seen.left, seen.files, seen.steps = before or Sight(), after or Sight(), list(files), list(steps)
    seen.trouble = trouble
    return seen


def window(title: str, app: str = "Mousepad", argv: tuple[str, ...] = ("/usr/bin/mousepad",)) -> dict[str, Any]:
    return {"title": title, "app": app, "argv": list(argv), "minimised": False}


def text(path: str, before: str | None, after: str | None) -> ChangedFile:
    kind = "created" if before is None else "deleted" if after is None else "changed"
    both = (None if each is None else each.encode() for each in (before, after))
    return ChangedFile(path, kind, "file", *both)


# -- a prepared desktop ---------------------------------------------------------------------------------------------


def test_files_settings_and_windows_become_setup_steps() -> None:
    files = [text(NOTES, None, "milk\n"), ChangedFile("Pictures/a.png", "created", "file", None, b"\x89PNG\0"),
             ChangedFile("Empty", "created", "folder"), text("old.txt", "x", None)]  # fmt: skip
    before = Sight(settings={"xfconf xsettings /Net/ThemeName": "Light", "dconf /a/b": "1"})
    after = Sight((window(f"~/{NOTES} - Mousepad"),), {"xfconf xsettings /Net/ThemeName": "Dark", "dconf /a/b": "2",
                                                       "xfconf xfwm4 /general/snap": "true"})  # fmt: skip
    steps, assets = setup_of(before, after, files)
    assert {"setup": "text_file", "path": NOTES, "text": "milk\n"} in steps
    assert {"setup": "folder", "path": "Empty"} in steps
    assert {"setup": "remove_file", "path": "old.txt"} in steps
    assert {"setup": "xfconf", "channel": "xsettings", "property": "/Net/ThemeName", "value": "Dark"} in steps
    assert {"setup": "dconf", "key": "/a/b", "value": "2"} in steps
    assert any(step.get("type") == "bool" for step in steps)
    assert steps[-1] == {"setup": "launch", "argv": ["mousepad", NOTES], "window": f"~/{NOTES} - Mousepad"}
    ((name, data),) = assets.items()
    assert (name.endswith(".png"), data) == (True, b"\x89PNG\0")


def test_parts_of_the_desktop_are_not_started_again() -> None:
    after = Sight((window("Desktop", "xfdesktop"), window("Calculator", "", ())))
    assert setup_of(Sight(), after, ())[0] == []


def test_settings_are_read_as_their_programs_print_them() -> None:
    printed = (
        "[xfconf xsettings]\n/Net/ThemeName    Greybird\n/Xft/List   <<UNSUPPORTED>>\n[xfconf xfce4-session]\n/x 1\n"
        "[dconf]\n[org/xfce/mousepad]\nfont='Mono 10'\n[/]\ntop=1\n"
    )
    found = read_settings(printed)
    assert found == {
        "xfconf xsettings /Net/ThemeName": "Greybird",
        "dconf /org/xfce/mousepad/font": "'Mono 10'",
        "dconf /top": "1",
    }


@given(st.text())
def test_whatever_is_printed_is_read(printed: str) -> None:
    assert isinstance(read_settings(printed), dict)


# -- proposals ------------------------------------------------------------------------------------------------------


def test_what_changed_is_proposed_with_what_was_seen() -> None:
    found = proposals(Sight(), Sight((window("~/x - Mousepad"),)), [text(NOTES, "milk\n", "milk\neggs\n")])
    whole, part, shown = found
    assert whole.check == {"check": "text_is", "of": {"probe": "text", "path": NOTES}, "text": "milk\neggs\n"}
    assert (whole.before, whole.after, whole.accepted) == ("milk\n", "milk\neggs\n", True)
    assert (part.check["lines"], part.accepted) == (["eggs"], False)
    assert (shown.kind, shown.accepted) == ("window", False)


def test_a_moved_file_is_known_again() -> None:
    found = proposals(Sight(), Sight(), [text("a.txt", "x", None), text("b/a.txt", None, "x")])
    assert [each.check["check"] for each in found] == ["nothing_there", "digest_is"]
    assert all(each.accepted for each in found)


def test_settings_windows_and_answers_are_proposed() -> None:
    before = Sight((window("one"), window("two")), {"xfconf c /p": "1", "dconf /k": "uint32 5"})
    after = Sight((window("two"),), {"xfconf c /p": "2", "dconf /k": "uint32 6", "dconf /s": "'text'"})
    found = proposals(before, after, [], "42")
    values = [each.check["value"] for each in found if each.kind == "setting"]
    assert sorted(values, key=str) == ["2", 6, "text"]
    assert [each.check["check"] for each in found if each.kind == "window"] == ["window_closed"]
    (answer,) = [each for each in found if each.kind == "answer"]
    assert answer.check["text"] == "42"


def test_mail_and_calendars_are_looked_at_where_a_task_has_them() -> None:
    setup = [{"setup": "mail_service", "accounts": [{"address": "a@example.org"}]}]
    posted, box = probes_of(setup)
    letter = {"subject": "Hi", "recipients": ["b@example.org"], "own": "See you.\n"}
    then = Sight(services={posted.key: {"letters": []}, box.key: {"letters": [{"subject": "Old"}]}})
    now = Sight(services={posted.key: {"letters": [letter]}, box.key: {"letters": []}})
    found = proposals(then, now, [])
    assert [each.check["check"] for each in found] == ["mail_sent", "no_message"]
    assert found[0].check["to"] == ["b@example.org"]
    assert found[0].check["says"] == ["See you."]


def test_near_misses_follow_from_the_solution() -> None:
    solution = [
        {"move": "press", "keys": "ctrl+End"},
        {"move": "type", "text": "eggs"},
        {"move": "press", "keys": "ctrl+s"},
    ]
    names = {each["name"]: each["moves"] for each in near_misses_of(solution)}
    assert names["not saved"] == solution[:2]
    assert names["misspelt: egsg"][1]["text"] == "egsg"
    assert len(names) >= 3


def test_near_misses_follow_a_solution_that_is_edited() -> None:
    end, text = {"move": "press", "keys": "ctrl+End"}, {"move": "type", "text": "eggs"}
    waits, save = {"move": "await_window", "title": "Save as"}, {"move": "press", "keys": "ctrl+s"}
    misses = near_misses_of([end, text, waits, save])
    misses[0]["accepted"] = False
    written = {"name": "mine", "moves": [waits, end, save], "accepted": True}
    shorter = follow_solution([*misses, written], [end, text, waits, save], [end, text, save])
    assert all(waits not in each["moves"] for each in shorter)  # type: ignore[operator]
    assert shorter[:-1] == [
        {**each, "accepted": place > 0} for place, each in enumerate(near_misses_of([end, text, save]))
    ]
    assert shorter[-1] == {"name": "mine", "moves": [end, save], "accepted": True}
    milk = {"move": "type", "text": "milk"}
    other = follow_solution(shorter, [end, text, save], [end, milk, save])
    assert "misspelt: milk" not in {each["name"] for each in other}
    assert {"misspelt: mikl", "without typing milk"} <= {each["name"] for each in other}
    assert follow_solution([{"name": "all", "moves": [text], "accepted": True}], [text], []) == []


def test_a_proposal_that_was_removed_does_not_come_back() -> None:
    solution = [{"move": "type", "text": "eggs"}, {"move": "press", "keys": "ctrl+s"}]
    _, *left = near_misses_of(solution)
    longer = [*solution, {"move": "press", "keys": "ctrl+w"}]
    assert "not saved" not in {each["name"] for each in follow_solution(left, solution, longer)}


MOVES = st.sampled_from(["type", "press", "click", "await_window"])


@given(st.lists(MOVES.map(lambda move: {"move": move, "text": "a", "keys": "x"})))
def test_no_near_miss_is_the_solution(solution: list[dict[str, Any]]) -> None:
    assert all(each["moves"] and each["moves"] != solution for each in near_misses_of(solution))


# -- a task ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def making(tmp_path: Path) -> Making:
    return Making.begin(tmp_path / "making", tmp_path / "tasks", name="buy-eggs", person="Ann", apps=["mousepad"])


def shown_steps() -> list[Step]:
    hit = Hit(role="text", app="mousepad", window="~/Documents/notes.txt - Mousepad", box=(0, 0, 400, 300))
    return [
        Step(action={"type": "press", "keys": "ctrl+End"}, element=hit),
        Step(action={"type": "type", "text": "eggs"}, element=hit),
        Step(action={"type": "press", "keys": "ctrl+s"}, element=hit),
        Step(action={"type": "done"}),
    ]


def fill(making: Making) -> None:
    opened = Sight((window(f"~/{NOTES} - Mousepad"),))
    making.take_prepared(looked(after=opened, files=[text(NOTES, None, "milk\n")]))
    changed = [text(NOTES, "milk\n", "milk\neggs\n")]
    making.take_demonstration(looked(before=opened, after=opened, files=changed, steps=shown_steps()))
    making.change({"instruction": "Put eggs on the list.", "paraphrases": ["We need eggs."]}, making.draft["version"])


def test_a_making_becomes_an_ordinary_task_file_with_its_test(making: Making, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no check"):
        making.task()
    fill(making)
    written = {path.name for path in making.write()}
    assert written == {"buy-eggs.json", "test_buy_eggs.py"}
    task = load_task(tmp_path / "tasks" / "buy-eggs.json")
    assert (task.id, task.instruction, task.expected) == ("tasks/buy-eggs-v1", "Put eggs on the list.", (NOTES,))
    assert [call.name for call in task.setup] == ["text_file", "launch"]
    assert [call.name for call in task.solution][-3:] == ["press", "type", "press"]
    assert len(task.near_misses) >= 2
    assert folder_suite(tmp_path / "tasks").get("buy-eggs-v1") is not None


def test_marked_values_make_it_a_template(making: Making, tmp_path: Path) -> None:
    fill(making)
    making.change(
        {"marks": [{"name": "thing", "value": "eggs", "others": ["tea", 'salt \\ "x"']}]}, making.draft["version"]
    )
    making.write()
    suite = folder_suite(tmp_path / "tasks")
    drawn = {suite.task("buy-eggs-varied", seed).instruction for seed in range(12)}
    assert drawn == {"Put eggs on the list.", "Put tea on the list.", 'Put salt \\ "x" on the list.'}
    one = suite.task("buy-eggs-varied", 0)
    word = one.instruction.removeprefix("Put ").removesuffix(" on the list.")
    assert any(call.arguments.get("text") == word for call in one.solution)


@pytest.mark.parametrize(
    "mark", [{"name": "Bad name", "value": "eggs", "others": ["x"]}, {"name": "a", "value": "nowhere", "others": ["x"]},
             {"name": "a", "value": "eggs", "others": []}],
)  # fmt: skip
def test_a_mark_that_cannot_be_is_refused(making: Making, mark: dict[str, Any]) -> None:
    fill(making)
    with pytest.raises(SpecError):
        template_of(making.task(), [mark])


def test_everything_is_on_disk_at_once(making: Making, tmp_path: Path) -> None:
    fill(making)
    again = Making(tmp_path / "making" / making.id, tmp_path / "tasks")
    assert again.draft == making.draft
    assert again.task().digest == making.task().digest


def test_two_tabs_do_not_destroy_each_others_work(making: Making) -> None:
    version = making.draft["version"]
    making.change({"instruction": "first"}, version)
    with pytest.raises(ValueError, match="elsewhere"):
        making.change({"instruction": "second"}, version)


def test_who_leaves_early_changes_nothing(making: Making) -> None:
    fill(making)
    before = making.draft["solution"]
    making.take_demonstration(looked(trouble="It was left."))
    assert making.draft["solution"] == before
    assert making.draft["notes"] == ["It was left."]


# -- the pages ------------------------------------------------------------------------------------------------------


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(folder=tmp_path / "studio", computer="tests.studio.displayed:Displayed")
    yield made
    close(made)


@pytest.fixture
def visitor(studio: Studio) -> Visitor:
    return Visitor(studio)


def until(ask: Callable[[], Found | None]) -> Found:
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def at_desk(visitor: Visitor, making: str, stage: str, keys: str) -> None:
    """Sit down, type something, and say that it is done."""
    desk = visitor.tell(f"{making}/desk", {"stage": stage})["address"].replace("/desk/", "/desks/")
    until(lambda: visitor.get(desk).json()["state"] == "working")
    assert visitor.tell(f"{making}/desk", {"stage": stage})["address"].endswith(desk.rpartition("/")[2])
    with visitor.websocket_connect(f"{desk}/screen") as socket:
        assert socket.receive_bytes() == displayed.VERSION
        socket.send_bytes(GREETING + ENCODINGS + typing(keys) + UPDATE)
        assert socket.receive_bytes() == b"heard"
    visitor.tell(f"{desk}/end", {"word": "done"})
    found = until(lambda: (status := visitor.get(desk).json())["state"] == "over" and status or None)
    assert found["making"] == making.replace("makings", "making")


def test_a_task_is_made_through_the_pages(visitor: Visitor) -> None:
    assert visitor.get("/create").status_code == 200
    begun = visitor.tell("/create/makings", {"name": "type-it", "apps": ["mousepad"]})
    assert visitor.get(begun["address"]).status_code == 200
    making = f"/create/makings/{begun['id']}"
    at_desk(visitor, making, "prepare", "x")
    assert visitor.get(making).json()["prepared"]
    at_desk(visitor, making, "demonstrate", "hello")
    status = visitor.get(making).json()
    assert status["demonstrated"]
    assert {"move": "type", "text": "hello"} in status["solution"]
    assert "no check" in status["missing"]
    assert visitor.post(f"{making}/prove", json={}).status_code == 400
    check = {"check": {"check": "window_open", "of": {"probe": "windows"}, "title": "x"}, "accepted": True}
    fields = {"instruction": "Type it.", "checks": [check]}
    assert visitor.tell(f"{making}/change", {"version": status["version"], "fields": fields})["missing"] == ""
    assert visitor.post(f"{making}/change", json={"version": 1, "fields": {}}).status_code == 409
    solution = [move for move in status["solution"] if move["move"] != "await_window"]
    edited = visitor.tell(f"{making}/change", {"version": status["version"] + 1, "fields": {"solution": solution}})
    assert all(
        {"move": "await_window"}.items() - move.items() for miss in edited["near_misses"] for move in miss["moves"]
    )
    file = Path(visitor.tell(f"{making}/write", {})["file"])
    assert json.loads(file.read_text())["id"] == "tasks/type-it-v1"
    (row,) = visitor.get("/create/makings").json()["makings"]
    assert (row["name"], row["state"]) == ("type-it", "demonstrated")


@pytest.mark.parametrize(
    "data", [{"name": "../x", "apps": ["mousepad"]}, {"name": "x", "apps": ["nonsense"]}, {"name": "x", "apps": []},
             {"name": "", "apps": ["mousepad"]}, {"name": 5}],
)  # fmt: skip
def test_what_cannot_be_a_task_is_refused(visitor: Visitor, data: dict[str, Any]) -> None:
    assert visitor.post("/create/makings", json=data).status_code == 400
    for name in ("nothing", "..%2f..%2fetc", "a" * 200):
        assert visitor.get(f"/create/makings/{name}").status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "other"},
        {"setup": "x"},
        {"instruction": []},
        {"apps": ["nonsense"]},
        {"checks": [5]},
        {"level": "2"},
        {"near_misses": [{"name": "x"}]},
        {"marks": [{"name": "x", "value": 5, "others": []}]},
        {"events": [{"name": "x", "do": [], "when": "soon"}]},
    ],
)
def test_what_cannot_be_changed_is_refused(visitor: Visitor, fields: dict[str, Any]) -> None:
    begun = visitor.tell("/create/makings", {"name": "x", "apps": ["mousepad"]})
    answer = visitor.post(f"/create/makings/{begun['id']}/change", json={"version": 1, "fields": fields})
    assert answer.status_code == 400, answer.text


def test_a_draft_with_nonsense_says_what_is_wrong(visitor: Visitor) -> None:
    begun = visitor.tell("/create/makings", {"name": "x", "apps": ["mousepad"]})
    making = f"/create/makings/{begun['id']}"
    fields = {"instruction": "x", "setup": [{"setup": "no_such"}], "checks": [{"check": 5, "accepted": True}]}
    found = visitor.tell(f"{making}/change", {"version": 1, "fields": fields})
    assert found["missing"]
    assert visitor.post(f"{making}/desk", json={"stage": "demonstrate"}).status_code == 400
    assert visitor.post(f"{making}/write", json={}).status_code == 400


NOTE = {"setup": "notification", "title": "Call", "text": "In ten minutes."}
ACCEPTED = {"check": {"check": "file_exists", "of": {"probe": "file", "path": NOTES}}, "accepted": True}


def test_events_that_are_placed_become_the_tasks_own(visitor: Visitor) -> None:
    begun = visitor.tell("/create/makings", {"name": "x", "apps": ["mousepad"]})
    making = f"/create/makings/{begun['id']}"
    event = {"name": "a call", "do": [NOTE], "when": {"actions": 3}, "times": 2, "needed": True}
    fields = {"instruction": "Write it.", "checks": [ACCEPTED], "events": [event]}
    assert visitor.tell(f"{making}/change", {"version": 1, "fields": fields})["missing"] == ""
    (placed,) = load_task(Path(visitor.tell(f"{making}/write", {})["file"])).events
    assert (placed.name, placed.when.actions, placed.times, placed.needed) == ("a call", 3, 2, True)
    assert placed.do[0].arguments == {"title": "Call", "text": "In ten minutes."}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"when": {}}, "nothing says when"),
        ({"when": {"after": ["another"]}}, "unknown event 'another'"),
        ({"when": {"actions": 999}}, "can never happen"),
        ({"do": [{"setup": "mail_service"}]}, "mail_service"),
        ({"do": []}, "do"),
    ],
)
def test_what_cannot_happen_is_said_beside_the_task(visitor: Visitor, change: dict[str, Any], said: str) -> None:
    begun = visitor.tell("/create/makings", {"name": "x", "apps": ["mousepad"]})
    making = f"/create/makings/{begun['id']}"
    event = {"name": "a call", "do": [NOTE], "when": {"actions": 3}, **change}
    fields = {"instruction": "Write it.", "checks": [ACCEPTED], "events": [event]}
    assert said in visitor.tell(f"{making}/change", {"version": 1, "fields": fields})["missing"]
    assert visitor.post(f"{making}/write", json={}).status_code == 400


def test_a_proof_is_shown_by_the_next_studio_until_the_task_is_changed(visitor: Visitor, studio: Studio) -> None:
    begun = visitor.tell("/create/makings", {"name": "type-it", "apps": ["mousepad"]})
    making = f"/create/makings/{begun['id']}"
    at_desk(visitor, making, "demonstrate", "hello")
    check = {"check": {"check": "window_open", "of": {"probe": "windows"}, "title": "x"}, "accepted": True}
    fields = {"instruction": "Type it.", "checks": [check]}
    visitor.tell(f"{making}/change", {"version": visitor.get(making).json()["version"], "fields": fields})
    visitor.tell(f"{making}/prove", {"quick": True})
    held = until(lambda: (found := visitor.get(making).json()["proof"]) and not found["going_on"] and found or None)
    assert held["trouble"] == ""
    assert held["outcomes"]
    later = Visitor(Studio(folder=studio.folder, computer=studio.computer))
    assert later.get(making).json()["proof"] == held
    version = later.get(making).json()["version"]
    later.tell(f"{making}/change", {"version": version, "fields": {"instruction": "Type something else."}})
    assert not later.get(making).json()["proof"]
