"""Each option of a sandbox does what it says, seen by the programs inside; what is wrong is refused by name."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from proctor.actions.action import Click
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.images import store
from proctor.computers.sandbox_machine.options import builds_in
from proctor.errors import ImageError, SpecError, UnknownName

real = pytest.mark.sandbox
CLOCK = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
# What a program sees of time: the wall clock, the steady one, waits of every kind, and files it makes.
TIMES = """
import json, os, threading, time
began = time.time(), time.monotonic()
time.sleep(0.2)
waited = threading.Event().wait(0.2)
lock = threading.Lock()
lock.acquire()
lock.acquire(timeout=0.2)
ended = time.time(), time.monotonic()
open("fresh", "w").close()
fresh = os.stat("fresh").st_mtime
os.utime("fresh", (1e9, 1e9))
print(json.dumps({
    "began": began, "ended": ended, "fresh": fresh, "set": os.stat("fresh").st_mtime,
}))
"""


def shell(computer: SandboxComputer, script: str) -> str:
    done = computer.run(["bash", "-ec", script])
    assert done.code == 0, done.stderr
    return done.stdout.strip()


def stamp(computer: SandboxComputer, command: str) -> float:
    return float(shell(computer, command))


# -- size --------------------------------------------------------------------------------------------------------------


@real
@pytest.mark.parametrize(
    ("look", "size"),
    [
        ("light", (320, 320)),
        ("light", (1366, 768)),
        ("xfce", (1281, 721)),
        ("light", (2560, 1440)),
        ("xfce", (800, 1280)),
    ],
)
def test_any_size(look: Any, size: tuple[int, int]) -> None:
    with SandboxComputer(look=look, size=size) as computer:
        assert computer.screenshot().size == computer.size == size
        width, height = size
        assert f"{width}x{height}" in shell(computer, "xdpyinfo | grep dimensions")
        app = computer.launch(["galculator"])
        assert app.window is not None
        box = app.window.box
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= width
        # The far corner can be reached.
        computer.perform(Click(x=width - 1, y=height - 1))
        assert computer.pointer_position() == (width - 1, height - 1)


# -- language ----------------------------------------------------------------------------------------------------------


@real
def test_applications_speak_the_language() -> None:
    with SandboxComputer(look="light", size=(1024, 768), locale="de_DE.UTF-8", clock=CLOCK) as computer:
        computer.launch(["mousepad"])
        assert {"Datei", "Bearbeiten", "Hilfe"} <= {node.name for node in computer.tree().nodes if node.role == "menu"}
        assert shell(computer, "date +%x") == "02.03.2026"
        assert shell(computer, 'printf "%\'.2f" 1234,5') == "1.234,50"
        assert computer.execute("import locale\nlocale.setlocale(locale.LC_ALL, '')").output == "'de_DE.UTF-8'\n"
        assert any(node.name.startswith("Mo 02 Mär") for node in computer.tree().nodes)
        assert computer.facts()["locale"] == "de_DE.UTF-8"


@real
@pytest.mark.parametrize("locale", ["ja_JP.UTF-8", "zh_CN.UTF-8", "C.UTF-8"])
def test_other_languages_start_too(locale: str) -> None:
    with SandboxComputer(look="light", size=(800, 600), locale=locale) as computer:
        assert shell(computer, "locale charmap") == "UTF-8"
        computer.launch(["mousepad"])
        menus = [node.name for node in computer.tree().nodes if node.role == "menu"]
        assert menus
        assert ("File" in menus) == (locale == "C.UTF-8")


# -- time --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clocked() -> Iterator[SandboxComputer]:
    options: dict[str, Any] = {"timezone": "Europe/Berlin", "clock": "2026-03-02T09:00:00"}
    with SandboxComputer(size=(1280, 720), **options) as computer:
        yield computer


BERLIN = CLOCK - timedelta(hours=1)


@real
def test_the_clock_says_what_was_asked_for(clocked: SandboxComputer) -> None:
    now = stamp(clocked, "date +%s.%N")
    assert BERLIN.timestamp() <= now < BERLIN.timestamp() + 300
    assert shell(clocked, "date '+%Z %:z %A'") == "CET +01:00 Monday"
    seen = [
        stamp(clocked, "env -i /bin/date +%s.%N"),  # whatever the environment
        stamp(clocked, "python3 -c 'import time; print(time.time())'"),
        stamp(clocked, "perl -MTime::HiRes -e 'print Time::HiRes::time'"),
        stamp(clocked, "echo $EPOCHREALTIME"),
        float(clocked.execute("import datetime\ndatetime.datetime.now().timestamp()").output),
        float(clocked.run(["date", "+%s.%N"], root=True).stdout),
        stamp(clocked, "date +%s.%N"),
    ]
    assert seen == sorted(seen)
    assert now <= seen[0]
    assert seen[-1] < now + 60
    assert clocked.facts()["clock"] == "2026-03-02T09:00:00+01:00"
    assert clocked.locate(app="xfce4-panel", name="2026-03-02").box.y < 30


@real
def test_the_clock_goes_on_and_waits_are_true(clocked: SandboxComputer) -> None:
    began = time.monotonic()
    told = json.loads(clocked.run(["python3", "-c", TIMES]).stdout)
    took = time.monotonic() - began
    wall, steady = (told["ended"][kind] - told["began"][kind] for kind in (0, 1))
    assert 0.59 <= steady <= took
    assert wall == pytest.approx(steady, abs=0.05)
    assert told["began"][0] <= told["fresh"] + 0.01
    assert told["fresh"] <= told["ended"][0] + 1
    assert told["set"] == 1e9
    # What the image remembers of its files still holds: Python need not compile itself again.
    assert clocked.run(["python3", "-v", "-c", "pass"]).stderr.count("is stale") == 0


@real
def test_files_have_the_times_of_the_clock(clocked: SandboxComputer) -> None:
    clocked.write_file("note.txt", b"hello")
    inside = stamp(clocked, "stat -c %.Y note.txt")
    now = stamp(clocked, "date +%s.%N")
    assert BERLIN.timestamp() <= inside <= now
    outside = next(entry for entry in clocked.list_files() if entry.path.endswith("note.txt"))
    assert outside.modified == pytest.approx(inside, abs=0.01)
    shell(
        clocked,
        "touch -d '2020-02-29 12:00' note.txt; cp -p note.txt copy.txt; tar cf a.tar copy.txt; rm copy.txt; tar xf a*",
    )
    for command in ("stat -c %y copy.txt", "ls -l --full-time copy.txt", "find copy.txt -printf %t", "tar tvf a.tar"):
        assert "2020" in shell(clocked, command)
        assert "12:00" in shell(clocked, command)
    assert shell(clocked, "find . -newermt '2020-02-28' ! -newermt '2020-03-01' -name copy.txt") == "./copy.txt"
    assert shell(clocked, "touch new; test new -nt copy.txt && echo newer") == "newer"
    assert shell(clocked, "touch -d 'next friday' plan; date -r plan +%F") == "2026-03-06"


@real
@pytest.mark.parametrize("clock", ["2041-06-01T00:00:00Z", datetime(1999, 12, 31, 23, 59, 50, tzinfo=UTC)])
def test_any_clock(clock: Any) -> None:
    with SandboxComputer(look="light", size=(800, 600), clock=clock) as computer:
        wanted = datetime.fromisoformat(clock) if isinstance(clock, str) else clock
        assert wanted.timestamp() <= stamp(computer, "date +%s.%N") < wanted.timestamp() + 60
        computer.launch(["mousepad"])
        told = json.loads(computer.run(["python3", "-c", TIMES]).stdout)
        assert told["ended"][1] - told["began"][1] < 5
        assert abs(told["fresh"] - told["ended"][0]) < 1
        assert told["set"] == 1e9
        # The clock starts again with its desktop; files are never from the future.
        computer.write_file("note.txt", b"x")
        computer.restore(computer.snapshot())
        assert wanted.timestamp() <= stamp(computer, "date +%s.%N") < wanted.timestamp() + 60
        assert stamp(computer, "stat -c %.Y note.txt") <= stamp(computer, "date +%s.%N")
        assert "/etc/ld.so.preload" not in {change.path for change in computer.changes()}


@real
def test_without_a_clock_the_time_is_the_real_one() -> None:
    with SandboxComputer(look="light", size=(800, 600), timezone="Asia/Tokyo") as computer:
        assert abs(stamp(computer, "date +%s.%N") - time.time()) < 5
        assert shell(computer, "date +%Z; test -e /etc/ld.so.preload || echo plain") == "JST\nplain"
        assert computer.facts()["clock"] is None


@pytest.mark.sandbox("full")
@pytest.mark.turns(day=2)
def test_large_applications_live_with_a_clock() -> None:
    with SandboxComputer(image="full", look="light", size=(1280, 720), clock=CLOCK) as computer:
        formula = '<table:table-cell table:formula="of:=YEAR(TODAY())*10000+MONTH(TODAY())*100+DAY(TODAY())"/>'
        computer.write_file("today.fods", SHEET.format(cell=formula).encode())
        shell(computer, "soffice --headless --convert-to csv today.fods >/dev/null 2>&1")
        assert computer.read_file("today.csv").strip() == b"20260302"
        page = "data:text/html,<script>document.write(new Date().toISOString())</script>"
        assert "2026-03-02T09:0" in shell(computer, f"chromium --headless --dump-dom '{page}' 2>/dev/null")
        for program, title in (("chromium", "Chromium"), ("soffice", "LibreOffice"), ("vlc", "VLC")):
            app = computer.launch([program], window=title, timeout_sec=60)
            assert app.window is not None
            # Big enough to work in, and no first-run questions in front.
            assert app.window.box.width >= 600
            assert app.window.box.height >= 400
            computer.settle(timeout_sec=10)
            assert len(computer.windows()) == 1, [window.title for window in computer.windows()]
            computer.run(["pkill", "-f", program])
            computer.wait_for(lambda c: not c.windows(), what="its end")


SHEET = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.2" '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" '
    'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
    '<table:table table:name="T"><table:table-row>{cell}</table:table-row></table:table>'
    "</office:spreadsheet></office:body></office:document>"
)


# -- theme and limits --------------------------------------------------------------------------------------------------


def brightness(computer: SandboxComputer) -> float:
    """Return how bright the menu bar of an editor is, of 255."""
    app = computer.launch(["mousepad"])
    assert app.window is not None
    bar = computer.locate(role="menu bar", app="mousepad").box
    grey = computer.screenshot(cursor=False).convert("L").crop((bar.x, bar.y, bar.x + bar.width, bar.y + bar.height))
    return sum(value * count for value, count in enumerate(grey.histogram())) / (bar.width * bar.height)


@real
@pytest.mark.parametrize("look", ["xfce", "light"])
def test_themes(look: Any) -> None:
    seen = {}
    for theme in ("light", "dark"):
        with SandboxComputer(look=look, size=(1024, 768), theme=theme) as computer:  # type: ignore[arg-type]
            seen[theme] = brightness(computer)
    assert seen["dark"] < 100 < 150 < seen["light"]


@real
def test_limits_are_told() -> None:
    with SandboxComputer(look="light", size=(800, 600), memory_mb=1500, processes=200, disk_mb=100) as computer:
        limits = computer.facts()["limits"]
        assert {name: limits[name] for name in ("memory_mb", "processes", "disk_mb")} == {
            "memory_mb": 1500,
            "processes": 200,
            "disk_mb": 100,
        }
        assert limits["memory_held_by"] in ("cgroup", "watched")
        assert limits["processes_held_by"] in ("cgroup", "rlimit")
        usage = computer.usage()
        assert usage.disk_bytes + usage.disk_free_bytes == pytest.approx(100 << 20, rel=0.02)
        assert 5 < usage.processes < 200
        assert 30 << 20 < usage.memory_bytes < 400 << 20


@real
def test_same_options_same_pixels() -> None:
    def picture(look: Any) -> bytes:
        with SandboxComputer(look=look, size=(1024, 768), clock=CLOCK) as computer:
            return computer.screenshot().tobytes()

    for look in ("xfce", "light"):
        assert len({picture(look) for _ in range(3)}) == 1


# -- what is wrong is refused before anything starts -------------------------------------------------------------------

WRONG: list[tuple[str, object]] = [
    ("size", (10, 10)), ("size", (8000, 100)), ("size", (True, 720)), ("size", "1280x720"), ("size", None),
    ("size", (1280,)), ("size", (1e3, 1e3)), ("locale", "en_US.utf8"), ("locale", "xx_XX.UTF-8"), ("locale", 5),
    ("timezone", "Europe/Berln"), ("timezone", "Europe"), ("timezone", "../../etc/passwd"),
    ("timezone", "localtime"), ("timezone", "leapseconds"), ("timezone", ""), ("timezone", None),
    ("clock", "tomorrow"), ("clock", "2026-13-01"), ("clock", 5), ("clock", "1970-01-01"), ("clock", "2500-01-01"),
    ("theme", "pink"), ("theme", []), ("look", "kde"), ("look", None), ("memory_mb", 10), ("memory_mb", "1024"),
    ("memory_mb", True), ("processes", 1), ("processes", None), ("disk_mb", 0), ("network", "on"), ("network", []),
    ("vnc_password", "short"), ("vnc_password", "much too long"), ("vnc_password", "pässword"),
    ("vnc_password", 12345678), ("image", 5),
]  # fmt: skip


@real
@pytest.mark.parametrize(("option", "value"), WRONG)
def test_wrong_values_are_refused_by_name(option: str, value: object) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(SpecError) as caught:
        SandboxComputer(**options)
    assert option.replace("timezone", "time") in caught.value.message
    assert caught.value.remedy


@real
def test_a_secret_is_not_repeated() -> None:
    with pytest.raises(SpecError) as caught:
        SandboxComputer(vnc_password="my secret")
    assert "my secret" not in str(caught.value)


@real
def test_near_misses_are_suggested() -> None:
    for option, value, near in (("timezone", "Europe/Berln", "Europe/Berlin"), ("locale", "de_DE", "de_DE.UTF-8")):
        options: dict[str, Any] = {option: value}
        with pytest.raises(UnknownName) as caught:
            SandboxComputer(**options)
        assert near in caught.value.remedy


def test_an_image_that_does_not_exist() -> None:
    with pytest.raises(ImageError, match="no-such-image") as caught:
        SandboxComputer(image="no-such-image")
    assert "proctor images build" in caught.value.remedy


@pytest.mark.sandbox("full")
def test_the_builds_of_applications_are_known() -> None:
    builds = builds_in(store.find("full"))
    assert builds["libreoffice-calc"].startswith("4:7.") and {"gimp", "vlc", "thunderbird"} <= builds.keys()
    assert "libc6" not in builds
