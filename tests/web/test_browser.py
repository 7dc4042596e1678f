"""The pages in a real Chromium: a replay by keys, hostile texts, a run that grows, the live screen."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.records import Happening, SetTask
from tests.web.browser import Visit
from tests.web.composed import write_composed
from tests.web.recorded import (
    KEY,
    STEPS,
    add_steps,
    begin_episode,
    begin_run,
    end_episode,
    write_long,
    write_run,
)
from tests.web.site import Site
from tests.web.test_model import write_talk

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.slow]

PICTURE = "document.querySelector('#picture').complete && document.querySelector('#picture').naturalWidth"
PANEL = "document.querySelector('#panel').textContent"


@pytest.fixture(scope="module")
def bell() -> Iterator[socket.socket]:
    """A port that the browser's driver rings to say how far it is."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture(scope="module")
def computer(site: Site, bell: socket.socket) -> Iterator[SandboxComputer]:
    policy = [f"localhost:{site.port}", f"localhost:{bell.getsockname()[1]}"]
    with SandboxComputer(image="full", look="light", size=(800, 600), network=policy) as found:
        yield found


def at(site: Site, path: str) -> str:
    return f"http://localhost:{site.port}{path}"


def replay(site: Site, episode: Path) -> str:
    return at(site, f"/replay/{site.names(episode)}")


def on_step(number: int) -> str:
    return f"document.querySelector('#count').textContent.startsWith('{number} /') && {PICTURE}"


def test_an_episode_is_replayed_by_keys(site: Site, place: Path, computer: SandboxComputer) -> None:
    rings = "document.querySelectorAll('#drawing circle.ink').length"
    visit = Visit(computer).open(replay(site, write_run(place))).wait(on_step(1)).wait(f"{PANEL}.includes('toolbar')")
    visit.look("click", rings).look("box", "document.querySelector('#drawing .box').getAttribute('x')")
    visit.press("ArrowRight").wait(on_step(2)).look("double click", rings)
    visit.press("ArrowRight").wait(on_step(3))
    visit.look("drag", "document.querySelector('#drawing polyline.ink').getAttribute('points')")
    visit.press("ArrowRight").press("ArrowRight").wait(on_step(5))
    visit.look("typed", "document.querySelector('#drawing .word').textContent")
    visit.press("End").wait(on_step(12)).press("Home").wait(on_step(1))
    visit.press("n").wait(on_step(8)).look("stands out", "document.querySelector('#what').textContent")
    visit.press("2").wait(f"{PANEL}.includes('could not be seen')")
    visit.press("3").wait(f"{PANEL}.includes('side effect, high')")
    visit.press("5").wait(f"{PANEL}.includes('1400 tokens in')")
    visit.press("Home").press("t").wait("document.querySelectorAll('tr.pick').length === 40")
    visit.press("m").wait("document.querySelector('#picture').src.includes('marks.png')")
    visit.press("?").wait("document.querySelector('#help').open").look("address", "location.hash")
    seen = visit.run()
    assert visit.complaints() == []
    assert (seen["click"], seen["double click"], seen["box"]) == (1, 2, "430")
    assert seen["drag"] == "200,200 360,260 520,420"
    assert seen["typed"] == "type: naïve <b>text</b>↵second line"
    assert "not understood" in seen["stands out"]
    assert seen["address"] == "#1"


def write_two(root: Path) -> list[Path]:
    """Write a run of two episodes, the first of them failed, by an agent with a very long name."""
    folders = []
    with begin_run(root) as record:
        for seed, score in enumerate((0.0, 1.0)):
            key = replace(KEY, seed=seed, agent="prompted,model=" + "very-long-" * 20)
            writer = begin_episode(root, key)
            add_steps(writer, STEPS)
            record.add(end_episode(writer, key, score=score, calls=1, cost_usd=None))
            folders.append(writer.folder)
        record.commit()
        record.seal()
    return folders


@pytest.mark.parametrize("width", [1600, 1280, 390])
def test_results_lead_to_replays_and_to_the_next(
    site: Site, place: Path, computer: SandboxComputer, width: int
) -> None:
    first, second = write_two(place)
    run = site.names(first).partition("/")[0]
    fits = "document.documentElement.scrollWidth <= innerWidth"
    visit = Visit(computer, size=(width, 900)).open(at(site, f"/run/{run}"))
    visit.wait("document.querySelector('table.grid td a') && document.querySelector('.p-card-figure')")
    visit.look("run", "document.querySelector('main').innerText").look("run fits", fits)
    visit.look("grid first", "document.querySelector('table.grid').getBoundingClientRect().bottom < "
               "document.querySelector('.p-card').getBoundingClientRect().top")  # fmt: skip
    visit.open(at(site, f"/report/{run}")).wait("document.querySelector('table.grid')").look("report fits", fits)
    visit.open(replay(site, first)).wait(on_step(1)).look("replay fits", fits)
    visit.look("why", "document.querySelector('#why').innerText")
    visit.look("legend", "document.querySelector('#legend').innerText")
    visit.press("j").wait(f"location.pathname.endsWith('{site.names(second).partition('/')[2]}')").wait(on_step(1))
    visit.look("next", "document.querySelector('#why').hidden")
    seen = visit.run()
    assert visit.complaints() == []
    assert (seen["run fits"], seen["report fits"], seen["replay fits"], seen["grid first"]) == (True,) * 4
    assert "price unknown" in seen["run"] and "0/1" not in seen["run"] and "1/2 pass" in seen["run"]
    assert seen["why"] == "Failed: The file notes.txt has 3 lines, not 4."
    assert "not understood" in seen["legend"] and "completes" not in seen["legend"]
    assert seen["next"] is True


def test_what_a_model_was_sent_is_shown(site: Site, place: Path, computer: SandboxComputer) -> None:
    ready = "document.querySelector('#tabs').textContent.includes('Model') && location.hash === '#1'"
    visit = Visit(computer).open(replay(site, write_talk(place))).wait(ready).press("c")
    visit.wait("document.querySelector('#panel img.sent') && document.querySelector('#panel img.sent').naturalWidth")
    visit.look("panel", PANEL).look("folded", "document.querySelectorAll('#panel details:not([open])').length")
    seen = visit.run()
    assert visit.complaints() == []
    assert "This is the screen now. <b>" in seen["panel"]
    assert "I click." in seen["panel"]
    assert "orders" not in seen["panel"]
    # Standing orders and the raw request of both calls are made when they are opened.
    assert seen["folded"] == 4


def test_a_long_episode_asks_only_for_what_it_shows(site: Site, place: Path, computer: SandboxComputer) -> None:
    episode = write_long(place, 200)
    ready = "document.querySelectorAll('#timeline .mark').length === 201"
    visit = Visit(computer).open(replay(site, episode)).wait(on_step(1)).wait(ready)
    frame = visit.look("strip", "document.querySelector('#timeline').getBoundingClientRect().toJSON()").run()["strip"]
    assert sum(".png" in url for url in visit.asked()) <= 4
    assert len(visit.asked()) < 30
    assert (episode / "steps.jsonl").stat().st_size > 150_000
    again = Visit(computer).open(replay(site, episode)).wait(ready)
    again.click(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2).wait(on_step(101)).run()


EVIL = (
    "</script><script>window.owned=1</script><img src=x onerror='window.owned=1'><svg onload='window.owned=1'>"
    "`${window.owned=1}`{{constructor.constructor('window.owned=1')()}}\"'>"
    "<iframe srcdoc='<script>top.owned=1</script>'>"
)


def write_hostile(root: Path) -> Path:
    """Write a run in which every text is an attack."""
    key = replace(KEY, task=f"tour/{EVIL}", agent=EVIL)
    record = begin_run(root)
    writer = begin_episode(root, key, instruction=EVIL)
    element = {"role": EVIL, "name": EVIL, "text": EVIL, "app": EVIL, "window": EVIL, "box": [1, 2, EVIL, 4]}
    step: dict[str, Any] = {"reply": EVIL, "thought": EVIL, "problem": EVIL, "refused": EVIL, "output": EVIL}
    step |= {"trouble": EVIL, "broke": EVIL}
    writer.note(trouble=({"whose": EVIL, "why": EVIL, "broken": True}, EVIL, None))
    call = {"model": EVIL, "error": EVIL}
    add_steps(writer, ({**step, "action": {"type": "type", "text": EVIL}, "element": element, "calls": [call]},))
    add_steps(writer, ({**step, "action": {"type": EVIL, "x": EVIL}, "element": element},), first=1)
    record.add(end_episode(writer, key, steps=2, error=EVIL, defect=EVIL))
    record.commit()
    (writer.folder / "verdict.json").write_text(
        json.dumps(
            {"feedback": [EVIL], "finding": {"check": EVIL, "score": 0, "feedback": [EVIL]}, "evidence": {EVIL: EVIL}}
        )
    )
    (writer.folder / "changes.json").write_text(json.dumps([{"path": EVIL, "kind": EVIL, "collateral": EVIL}]))
    record.close()
    return writer.folder


def test_texts_of_agents_are_only_shown(site: Site, computer: SandboxComputer) -> None:
    episode = write_hostile(site.folder / "<img src=x onerror=window.owned=1>")
    visit = Visit(computer).open(replay(site, episode)).wait(on_step(1)).wait(f"{PANEL}.includes('<script>')")
    for key in ("2", "3", "4", "5", "6"):
        visit.press(key).wait("document.querySelector('#panel').children.length")
    visit.press("1").press("ArrowRight").wait(on_step(2)).wait(f"{PANEL}.includes('<script>')")
    visit.look("replay", "window.owned").look("instruction", "document.querySelector('#instruction').textContent")
    visit.look("made", "document.querySelectorAll('script, iframe, #panel img, #panel svg').length")
    visit.open(at(site, f"/run/{site.names(episode).split('/')[0]}")).wait("document.querySelector('.p-table td a')")
    # Long enough for a picture to fail and its handler to run.
    visit.look("pause", "new Promise((done) => setTimeout(done, 500))").look("run", "window.owned")
    visit.look("task", "document.querySelector('.p-table td a').textContent")
    visit.look("made by the list", "document.querySelectorAll('iframe, img[src=x]').length")
    visit.open(at(site, "/")).wait("document.querySelector('td a')").look("runs", "window.owned")
    seen = visit.run()
    assert (seen["replay"], seen["run"], seen["runs"]) == (None, None, None)
    assert (seen["instruction"], seen["task"]) == (EVIL, f"tour/{EVIL}")
    # The replay has one script of its own.
    assert (seen["made"], seen["made by the list"]) == (1, 0)


def test_a_run_is_filtered_and_opened(site: Site, place: Path, computer: SandboxComputer) -> None:
    with begin_run(place) as record:
        for seed in range(60):
            key = replace(KEY, seed=seed, task=f"tour/task-{seed % 3}-v1")
            score = float(seed % 2)
            record.add(end_episode(begin_episode(place, key), key, steps=0, score=score, modes=()))
        record.commit()
        record.seal()
    run = at(site, f"/run/{site.names(next(place.glob('episodes/*/*/*/0'))).split('/')[0]}")
    rows = "document.querySelectorAll('.p-table tbody tr').length"
    visit = Visit(computer).open(run).wait(f"{rows} === 50")
    visit.look("success", "document.querySelector('.p-card-figure').textContent")
    visit.look("focus", "document.querySelector('.p-filters input[aria-label=task]').focus()")
    for letter in "task-1":
        visit.press(letter)
    visit.wait(f"{rows} === 20").look("open", "document.querySelector('.p-table td a').click()")
    assert visit.wait("location.href.includes('/replay/')").run()["success"].endswith("success 50 %")


def test_a_live_episode_is_followed(site: Site, place: Path, computer: SandboxComputer, bell: socket.socket) -> None:
    record = begin_run(place)
    writer = begin_episode(place)
    add_steps(writer, STEPS[:2])

    def go_on() -> None:
        bell.accept()[0].close()
        add_steps(writer, STEPS[2:4], first=2)
        record.add(end_episode(writer, steps=4))
        record.commit()
        record.close()

    badges = "document.querySelector('#badges').textContent"
    visit = Visit(computer).open(replay(site, writer.folder)).wait(on_step(2)).wait(f"{badges}.includes('live')")
    visit.ring(bell.getsockname()[1]).wait(on_step(5)).wait(f"{badges}.includes('failed')")
    later = threading.Thread(target=go_on)
    later.start()
    visit.run()
    later.join()
    assert visit.complaints() == []


def test_the_screen_of_a_running_episode(site: Site, place: Path, computer: SandboxComputer) -> None:
    record = begin_run(place)
    writer = begin_episode(place)
    add_steps(writer, STEPS[:1])
    with tempfile.TemporaryDirectory() as folder:
        watch = computer.watch(path=Path(folder) / "rfb")
        (writer.folder / "live.json").write_text(json.dumps({"rfb": str(watch.address), "pid": os.getpid()}))
        canvas = "document.querySelector('#screen canvas')"
        lit = f"{canvas}.getContext('2d').getImageData(400, 580, 1, 1).data[3]"
        visit = Visit(computer).open(replay(site, writer.folder)).wait(on_step(1)).press("l")
        visit.wait(f"{canvas}.width === 800 && {lit} === 255").press("l")
        visit.wait("document.querySelector('#screen').hidden")
        visit.run()
        assert visit.complaints() == []
        watch.close()
    writer.close()
    record.close()


def test_a_video_is_played(site: Site, place: Path, computer: SandboxComputer) -> None:
    episode = write_run(place)
    recorder = computer.record(episode / "video.mp4")
    visit = Visit(computer).open(replay(site, episode)).wait(on_step(1))
    visit.run()
    recorder.stop()
    visit = Visit(computer).open(replay(site, episode)).wait(on_step(1)).press("7")
    visit.wait("document.querySelector('video').readyState >= 2").run()
    assert visit.complaints() == []


NODES = "JSON.stringify([...document.querySelectorAll('.graph .node')].map((node) => node.classList[1]))"


def test_what_happened_by_itself_is_pinned_to_the_strip_and_listed(
    site: Site, place: Path, computer: SandboxComputer
) -> None:
    record = begin_run(place)
    writer = begin_episode(place)
    came = Happening(
        name="the train is cancelled", due=1.0, at=2.0, step=2, seen=2, answered=4, recovery=1, undone_step=5
    )
    writer.note(events=(came, Happening(name="<b>a dialog</b>", missed="the episode ended before its moment came")))
    add_steps(writer)
    record.add(end_episode(writer))
    record.commit()
    record.close()
    visit = Visit(computer).open(replay(site, writer.folder)).wait(on_step(1))
    visit.look("pins", "[...document.querySelectorAll('#timeline .event title')].map((e) => e.textContent).join()")
    visit.look("legend", "document.querySelector('#legend').innerText")
    visit.look("beside", "document.querySelector('#problems').textContent")
    visit.press("ArrowRight").press("ArrowRight").wait(on_step(3)).wait(f"{PANEL}.includes('happened here')")
    visit.look("step", PANEL).press("Home").wait(on_step(1))
    tab = "[...document.querySelectorAll('#tabs button')].find((each) => each.textContent === 'Events')"
    visit.look("chosen", f"{tab}.click()").wait(f"{PANEL}.includes('1 of 2 happened')").look("list", PANEL)
    visit.look("jump", "document.querySelector('#panel .jump').click()").wait(on_step(3))
    seen = visit.run()
    assert visit.complaints() == []
    assert seen["pins"] == "the train is cancelled"
    assert "happened by itself" in seen["legend"]
    assert seen["beside"] == "Did not happen: <b>a dialog</b> (the episode ended before its moment came)"
    assert "the application in use has the focus again after 1 action" in seen["step"]
    assert "first action after it: step 5" in seen["list"] and "undone before step 6" in seen["list"]


def test_a_graph_is_lit_as_its_subtasks_are_completed(site: Site, place: Path, computer: SandboxComputer) -> None:
    episode = write_composed(place)
    steps = [json.loads(line) for line in (episode / "steps.jsonl").read_text().splitlines()]
    first, *_, last = (number for number, step in enumerate(steps, 1) if step.get("nodes"))
    visit = Visit(computer).open(replay(site, episode)).wait(on_step(1)).press("g")
    visit.wait("document.querySelectorAll('.graph .node').length === 4").look("begin", NODES)
    visit.look("edges", "document.querySelectorAll('.graph .edge').length")
    visit.look("title", "document.querySelector('.graph .node title').textContent")
    visit.look("on the strip", "document.querySelectorAll('#timeline .completes').length")
    for _ in range(first - 1):
        visit.press("ArrowRight")
    visit.wait(on_step(first)).wait("document.querySelector('.graph .now')").look("first", NODES)
    visit.look("covered", "document.querySelector('#covered').textContent").picture()
    visit.press("1").wait(f"{PANEL}.includes('Subtasks it completed')").press("g").press("End")
    visit.wait("document.querySelectorAll('.graph .completed').length === 4")
    visit.look("jump", "[...document.querySelectorAll('.jump')].at(-1).click()").wait(on_step(last))
    seen = visit.run()
    assert visit.complaints() == []
    assert json.loads(seen["begin"]) == ["open", "waiting", "waiting", "waiting"]
    assert json.loads(seen["first"]) == ["completed", "open", "open", "waiting"]
    assert (seen["edges"], seen["on the strip"]) == (4, 4)
    assert seen["title"].startswith("a: ")
    assert seen["covered"] == "1 of 4 subtasks completed · coverage 13 %"


def test_a_graph_of_attacks_is_only_shown(site: Site, place: Path, computer: SandboxComputer) -> None:
    node = {"id": EVIL, "app": EVIL, "ask": EVIL, "subtask": EVIL}
    text = json.dumps({"graph": {"nodes": [node, {**node, "id": "__proto__"}], "edges": [[EVIL, "__proto__"]]}})
    digest = hashlib.sha256(text.encode()).hexdigest()
    record = begin_run(place)
    (place / "tasks").mkdir(exist_ok=True)
    (place / "tasks" / f"{digest}.json").write_text(text)
    writer = begin_episode(place)
    writer.note(task=SetTask(digest=digest))
    add_steps(writer, ({"nodes": [EVIL, {"id": 1}, None, "elsewhere"]}, {"nodes": EVIL}))
    record.add(end_episode(writer, steps=2))
    record.commit()
    record.close()
    visit = Visit(computer).open(replay(site, writer.folder)).wait(on_step(1))
    visit.wait(f"{PANEL}.includes('<script>')").press("g").wait("document.querySelector('.graph .completed.now')")
    visit.look("owned", "window.owned").look("shown", "document.querySelector('.graph title').textContent")
    visit.look("made", "document.querySelectorAll('script, iframe, #panel img, #panel svg svg').length")
    seen = visit.run()
    assert visit.complaints() == []
    assert seen["owned"] is None
    assert seen["shown"].startswith(EVIL)
    assert seen["made"] == 1


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark(site: Site, computer: SandboxComputer, dark: bool) -> None:
    place = site.folder / "colours"
    episode = next(place.glob("episodes/*/*/*/0"), None) or write_run(place)
    ask = "getComputedStyle(document.body).backgroundColor"
    visit = Visit(computer, dark=dark).open(replay(site, episode)).wait(on_step(1)).look("replay", ask)
    seen = visit.open(at(site, "/")).wait("document.querySelector('td a')").look("list", ask).run()
    expected = "rgb(20, 23, 28)" if dark else "rgb(246, 247, 249)"
    assert seen == {"replay": expected, "list": expected}
