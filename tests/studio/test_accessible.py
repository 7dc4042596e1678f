"""Every page of the studio in a real Chromium, light and dark, with its dialogs: axe finds nothing wrong with it."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from tests.studio.killing import Killable, studio
from tests.studio.sets import drawn
from tests.web.browser import Visit
from tests.web.recorded import write_run

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.axe, pytest.mark.slow]

TASK = "sign-the-letter"
# Nothing is left to come, neither data nor a transition of colours.
SETTLED = (
    "document.readyState === 'complete' && performance.now() - Math.max(0, ...performance.getEntriesByType('resource')"
    ".map((each) => each.responseEnd)) > 300 && document.getAnimations().every((each) => each.playState !== 'running')"
)
ASK = """axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
    `${id}: ${html.slice(0, 160)}: ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`)))"""
DIALOGS = "[...document.querySelectorAll('dialog')].forEach((each) => each.open || each.showModal())"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    folder = tmp_path_factory.mktemp("studio")
    write_run(folder / "runs/tour")
    drawn(folder / "work")
    with studio(folder / "work", "--run", str(folder / "runs")) as found:
        yield found


@pytest.fixture(scope="module")
def computer(running: Killable) -> Iterator[SandboxComputer]:
    port = running.root.rpartition(":")[2]
    with SandboxComputer(image="full", look="light", size=(800, 600), network=[f"localhost:{port}"]) as found:
        yield found


@pytest.fixture(scope="module")
def pages(running: Killable) -> list[str]:
    """Return the address of every page, with something to show on each."""
    over = sit_down(running)
    running.tell(f"{over}/end", {"word": "done"})
    running.state(over, "over", "failed")
    working = sit_down(running)
    run = next(each for each in running.ask("/review-data")["runs"] if each["name"] == "tour")
    (episode,) = running.ask(f"/review-data/{run['id']}")["episodes"]
    made = next(row for row in running.ask("/refine-data")["episodes"] if row["agent"] == "human")
    item = running.ask("/annotate-data/screens/next")["item"]
    making = running.tell("/create/makings", {"name": "type-it", "apps": ["mousepad"]})
    refine = made["address"]
    return [
        "/", "/record", desk_page(over), desk_page(working), "/record/desk/nothing",
        "/annotate", "/annotate/screens", f"/annotate/screens/items/{item}",
        "/review", f"/review/{run['id']}", f"/review/{run['id']}/{episode['id']}",
        "/refine", refine, f"{refine}/diff", f"{refine}/key",
        "/create", making["address"], f"/replay/{run['id']}/{episode['id']}", "/no/such/page",
    ]  # fmt: skip


def sit_down(running: Killable) -> str:
    desk = "/record/desks/" + running.tell("/record/desks", {"task": TASK, "kind": "record"})["id"]
    running.state(desk, "working")
    return desk


def desk_page(desk: str) -> str:
    return desk.replace("desks", "desk")


def axe() -> str:
    return importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(running: Killable, computer: SandboxComputer, pages: list[str], dark: bool) -> None:
    root = running.root.replace("127.0.0.1", "localhost")
    invitation = running.tell("/studio/invitation", {})["path"]
    visit, script = Visit(computer, dark=dark), f"{axe()}; 0"
    # Whoever is not let in is told so in a page too.
    visit.open(f"{root}/record").wait(SETTLED).look("axe", script).look("not let in", ASK)
    visit.open(root + invitation).wait(SETTLED)
    for page in pages:
        visit.open(root + page).wait(SETTLED).look("axe", script).look(page, ASK)
        visit.look("dialogs", DIALOGS).look(f"dialogs of {page}", ASK)
    seen = visit.run()
    found = {page: seen[page] for page in seen if page not in ("axe", "dialogs")}
    assert len(found) == 2 * len(pages) + 1
    assert {page: wrong for page, wrong in found.items() if wrong != []} == {}
