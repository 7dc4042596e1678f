"""A Wayland desktop by VNC: wayvnc in a sway without a screen, started here by a user without rights."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.actions.action import Move, Press
from proctor.computers.backends.vnc.computer import VncComputer
from tests.computers.xvnc import free_port
from tests.vnc.ready import open_when_ready

pytestmark = [pytest.mark.sandbox, pytest.mark.turns(by="file")]
BLUE = (0x33, 0x66, 0x99)
CONFIG = """
output HEADLESS-1 resolution 800x500 bg #336699 solid_color
bindsym Ctrl+a exec touch {folder}/ctrl+a
bindsym Ctrl+Shift+F5 exec touch {folder}/ctrl+shift+f5
exec wayvnc --render-cursor 127.0.0.1 {port}
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    # Not pytest's own: another user has to get in, and a socket's path has to be short.
    with tempfile.TemporaryDirectory(prefix="wayvnc-") as place:
        if os.geteuid() == 0:
            os.chown(place, *_someone())
        yield Path(place)


@pytest.fixture(scope="module")
def computer(folder: Path) -> Iterator[VncComputer]:
    for program in ("sway", "wayvnc"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: apt-get install sway wayvnc")
    port = free_port()
    (folder / "config").write_text(CONFIG.format(folder=folder, port=port))
    env = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
        "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
    }  # fmt: skip
    argv = ["sway", "--config", str(folder / "config")]
    if os.geteuid() == 0:  # sway does not start as root
        user, group = _someone()
        argv = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *argv]
    with subprocess.Popen(argv, env=env, stderr=subprocess.DEVNULL) as process:
        try:
            with open_when_ready(f"127.0.0.1:{port}", process) as computer:
                yield computer
        finally:
            process.kill()


def _someone() -> tuple[int, int]:
    """Return the ids of the user for tests."""
    entry = pwd.getpwnam(os.environ["PROCTOR_TEST_USER"])
    return entry.pw_uid, entry.pw_gid


def test_it_is_seen(computer: VncComputer) -> None:
    shown = computer.screenshot(cursor=False)
    assert shown.size == (800, 500)
    assert shown.getpixel((10, 480)) == BLUE
    assert computer.facts()["server"] == "WayVNC"


def test_the_pointer_goes_where_it_is_sent(computer: VncComputer) -> None:
    computer.perform(Move(x=400, y=300))
    computer.wait_for(lambda c: c.screenshot(cursor=False).getpixel((402, 306)) != BLUE, what="a pointer drawn there")


@pytest.mark.parametrize("keys", ["ctrl+a", "ctrl+shift+f5"])
def test_keys_arrive_together(computer: VncComputer, folder: Path, keys: str) -> None:
    computer.perform(Press(keys=keys))
    computer.wait_for(lambda _: (folder / keys).exists(), what="the program that the keys start")
