"""The scenes of the settling battery: applications as they are opened, and the lines of what is done in them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources

from proctor.actions.action import Click, InputAction, Move, Press, Scroll, Type
from proctor.computers.computer import Computer
from proctor.computers.sandbox.computer import SandboxComputer
from proctor.computers.settling import Settling
from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.tasks.setup import make
from proctor.tasks.shelves import run as set_up
from proctor.tasks.stage import Stage

PORT = 8000
SITE = "Town"
OPEN_SEC = 90.0
OWNER = ("grace@town.example", "open-sesame", "Grace Hopper")


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One application, and what is done in it."""

    app: str
    image: str
    steps: tuple[str, ...]
    run: tuple[str, ...] = ()
    """How it is started; empty where the steps begin at the desktop."""
    window: str | None = None
    """What the title of its window says when it is open."""
    prepare: tuple[str, ...] = ()
    """What is done first and not measured."""
    mail: bool = False


@cache
def scenes() -> tuple[Scene, ...]:
    """Return the whole battery."""
    text = resources.files("proctor.bench").joinpath("settling.toml").read_text(encoding="utf-8")
    found = []
    for entry in tomllib.loads(text)["scene"]:
        steps = tuple(line for line in entry.pop("steps").splitlines() if line)
        run, prepare = (tuple(entry.pop(name, ())) for name in ("run", "prepare"))
        found.append(Scene(steps=steps, run=run, prepare=prepare, **entry))
    return tuple(found)


def read_step(line: str, screen: Box, window: Box) -> InputAction:
    """Return the action that a line stands for; raises SpecError where it stands for none."""
    words = line.split(" ", 1)
    area = screen if words[0] == "desk" else window
    kind, _, rest = line.removeprefix("desk ").partition(" ")
    if kind == "press":
        return Press(keys=rest)
    if kind == "type":
        return Type(text=rest)
    try:
        across, down, *notches = map(float, rest.split())
    except ValueError:
        raise SpecError(f"the line {line!r} of the settling battery cannot be read") from None
    x, y = area.x + int(across * (area.width - 1)), area.y + int(down * (area.height - 1))
    match kind, notches:
        case "click", []:
            return Click(x=x, y=y)
        case "right", []:
            return Click(x=x, y=y, button="right")
        case "double", []:
            return Click(x=x, y=y, count=2)
        case "move", []:
            return Move(x=x, y=y)
        case "scroll", [number]:
            return Scroll(x=x, y=y, dy=int(number))
    raise SpecError(f"the line {line!r} of the settling battery cannot be read")


def action_of(line: str, computer: Computer) -> InputAction:
    """Return the action of a line on a computer as it is now."""
    screen = Box(0, 0, *computer.size)
    front = computer.active_window()
    # A window may stick out beyond the screen.
    return read_step(line, screen, (front.box.intersect(screen) if front else None) or screen)


@contextmanager
def opened(scene: Scene, settling: Settling) -> Iterator[SandboxComputer]:
    """Open a scene's application on a desktop of its own."""
    with SandboxComputer(image=scene.image, network="loopback") as computer:
        computer.settling = settling
        for name, text in _files().items():
            computer.write_file(name, text.encode())
        stage = Stage(computer)
        if scene.mail:
            _open_mail(stage)
        if scene.run and scene.run[0] in ("chromium", "firefox-esr"):
            set_up(make.browser_profile("firefox" if scene.run[0] == "firefox-esr" else "chromium"), stage)
            server = ["python3", "-m", "http.server", str(PORT), "--bind", "127.0.0.1", "--directory", "site"]
            computer.launch(server, wait=False)
            computer.wait_for(_served, what="the web server")
        if scene.run:
            computer.launch(scene.run, window=scene.window, timeout_sec=OPEN_SEC)
        for line in scene.prepare:
            computer.perform(action_of(line, computer))
        computer.settling = "careful"
        computer.settle(timeout_sec=20)
        computer.settling = settling
        yield computer


def _served(computer: Computer) -> bool:
    ask = f"import socket; socket.create_connection(('localhost', {PORT})).close()"
    return computer.run(["python3", "-c", ask]).code == 0


def _open_mail(stage: Stage) -> None:
    address, password, name = OWNER
    letters = [
        {
            "from": f"Ada Lovelace <ada{number}@town.example>",
            "to": f"{name} <{address}>",
            "subject": f"Lamp {number}",
            "date": f"2026-03-{number:02} 10:00".replace(" ", "T") + ":00",
            "text": f"Lamp {number} in the street is out.\n" * number,
        }
        for number in range(1, 13)
    ]
    account = {"address": address, "password": password, "name": name, "folders": {"INBOX": letters}}
    set_up(make.mail_service([account]), stage)
    set_up(make.thunderbird(address, password, name, [], "mail"), stage)


def _files() -> dict[str, str]:
    """Return the files that scenes find in the home folder."""
    rows = "".join(f"Street {number},{number * 7},{number % 5}\n" for number in range(1, 41))
    lines = "".join(f"<p>street {number}: {'lamp ' * (number % 9)}</p>" for number in range(1, 400))
    cells = "".join(f'<img src="lamp{number}.svg" width="160">' for number in range(12))
    lamps = {
        f"site/lamp{number}.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><circle cx="80" '
        f'cy="60" r="{10 + number * 4}" fill="hsl({number * 30},70%,50%)"/></svg>'
        for number in range(12)
    }
    form = (
        "<form action=index.html><p><label>Name <input name=a></label><p><label>Kind <select name=b><option>lamp"
        "<option>road<option>tree</select></label><p><label><input type=checkbox name=c> urgent</label>"
        "<p><button>Send</button></form>"
    )
    # What is fetched by a script, as most pages do, is drawn after the page itself.
    late = (
        "<div id=list>...</div><script>fetch('long.html').then(r=>r.text()).then(t=>{document.getElementById('list')"
        ".innerHTML=t.slice(0,3000)})</script>"
    )
    pages = {
        "index": "<h1>Town</h1><p><a href=long.html>Streets</a> <a href=form.html>Tell us</a>",
        "long": f"<h1>Streets</h1>{lines}",
        "form": form,
        "late": late,
        "pictures": cells,
    }
    head = f"<!doctype html><meta charset=utf-8><title>{SITE}: {{}}</title>"
    site = {f"site/{name}.html": head.format(name) + body for name, body in pages.items()}
    return {"notes.txt": "Milk\nEggs\n" * 20, "table.csv": f"street,lamps,out\n{rows}", **site, **lamps}
