"""The tree of a desktop behind VNC, read over a real sshd from a real AT-SPI bus, and what is said without one."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Click, Type
from proctor.computers import meet
from proctor.computers.backends.vnc.computer import VncComputer
from proctor.computers.backends.vnc.options import guessed_display
from proctor.computers.channels.atspi.buses import Bus, find_bus
from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.rfb.address import parse_address
from proctor.computers.channels.ssh.client import Ssh, SshTarget, parse_target
from proctor.computers.fit import MachineNeeds
from proctor.errors import ComputerError, SpecError
from tests.computers.sshd import Sshd, sshd
from tests.computers.xvnc import Server, enter, xvnc

on_a_machine = [
    pytest.mark.sandbox,
    pytest.mark.turns(by="file"),
    # Without root, programs of the image belong to another user than the one who logs in.
    pytest.mark.skipif(os.geteuid() != 0, reason="a desktop of one's own on the host needs root"),
]


class Told(Ssh):
    """An ssh whose machine says what it is told to say."""

    def __init__(self, said: str) -> None:
        super().__init__(SshTarget(host="there"))
        self.said = said

    def shell(self, script: str, *arguments: str, **options: Any) -> CommandOutput:
        return CommandOutput(code=0, stdout=self.said.encode(), stderr=b"")


# -- options and finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tree": True}, "read over ssh"),
        ({"tree": True, "ssh": "me@there", "guest": "macos"}, "Linux desktops"),
        ({"tree": "yes please", "ssh": "me@there"}, "neither yes nor no"),
        ({"display": ":1", "ssh": "me@there"}, "is not a desktop"),
        ({"display": "one", "ssh": "me@there", "tree": True}, "is not a desktop"),
    ],
)
def test_a_tree_that_cannot_be_had_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        VncComputer(address="localhost:1", **options)


def test_the_tree_is_a_part_where_it_is_asked_for() -> None:
    needs = MachineNeeds(capabilities=frozenset({"tree"}))
    given = {"address": "localhost:1", "ssh": "me@there"}
    assert "accessibility tree" in meet("vnc", needs, given).lacks[0]
    assert meet("vnc", needs, {**given, "tree": True}).lacks == ()


def test_the_bus_of_the_right_desktop_is_found() -> None:
    said = "1000\n:1\tunix:path=/a\n:1.0\tunix:path=/a\n:2\tunix:path=/b\n\tunix:path=/run/user/1000/bus\n"
    assert find_bus(Told(said), "", ":2").address == "unix:path=/b"
    assert find_bus(Told(said), ":1", ":2").address == "unix:path=/a"
    assert find_bus(Told(said), "", ":7").address in ("unix:path=/a", "unix:path=/b")
    alone = find_bus(Told("1000\n\tunix:path=/run/user/1000/bus\n"), "", ":1")
    assert (alone.uid, alone.address, alone.display) == (1000, "unix:path=/run/user/1000/bus", "")
    for nothing, display in (("1000\n", ""), (said, ":9")):
        with pytest.raises(ComputerError, match="session bus"):
            find_bus(Told(nothing), display, "")
    with pytest.raises(ComputerError, match="who its user is"):
        find_bus(Told("no such thing\n"), "", "")


def test_a_display_is_guessed_from_the_port() -> None:
    assert guessed_display(parse_address("localhost:3")) == ":3"
    assert guessed_display(parse_address("localhost::5907")) == ":7"
    assert guessed_display(parse_address("localhost::7000")) == ""
    assert guessed_display(parse_address("/run/rfb")) == ""


@pytest.mark.parametrize("path", ["\0abstract", "relative", "/a:b", "/a\nb"])
def test_only_sockets_with_a_plain_path_are_led_here(path: str) -> None:
    with pytest.raises(OSError, match="no such socket"):
        Told("").dial(path)


def test_a_socket_there_is_led_here_by_a_real_sshd(tmp_path: Path) -> None:
    (tmp_path / "sshd").mkdir()
    with sshd(tmp_path / "sshd") as there, socket.socket(socket.AF_UNIX) as listening:
        options = there.options
        ssh = Ssh(parse_target(options.pop("ssh"), **options))
        ssh.open()
        try:
            listening.bind(str(tmp_path / "bus"))
            listening.listen()
            for word in (b"one", b"two"):
                with ssh.dial(str(tmp_path / "bus")) as ours, listening.accept()[0] as theirs:
                    ours.sendall(word)
                    assert theirs.recv(10) == word
            with ssh.dial(str(tmp_path / "nobody")) as nobody:
                assert nobody.recv(1) == b""
            with subprocess.Popen(
                ["sleep", "100"], env={"DISPLAY": ":4567", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/there"}
            ) as process:
                found = find_bus(ssh, ":4567", "")
                process.kill()
            assert found == Bus(os.geteuid(), "unix:path=/there", ":4567")
        finally:
            ssh.close()
        with pytest.raises(OSError, match="no such socket"):
            ssh.dial(str(tmp_path / "bus"))


# -- a real desktop ---------------------------------------------------------------------------------------------------


@contextmanager
def desktop(server: Server) -> Iterator[dict[str, str]]:
    """Have buses for accessibility run beside a display; their sockets have one path here and in the image."""
    (server.share / server.share.name).symlink_to(".")
    runtime = server.share / "run"
    runtime.mkdir(mode=0o700)
    env = {
        "DISPLAY": f":{server.display}",
        "XDG_RUNTIME_DIR": str(runtime),
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
        "GTK_USE_PORTAL": "0",
    }
    with enter(
        server.share,
        ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address={env['DBUS_SESSION_BUS_ADDRESS']}"],
        env=env,
        stdout=-1,
    ) as bus:
        try:
            assert bus.stdout and bus.stdout.readline().startswith(b"unix:")
            yield env
        finally:
            bus.kill()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    with sshd(tmp_path_factory.mktemp("sshd")) as there, xvnc() as server, ExitStack() as running:
        env = running.enter_context(desktop(server))
        for argv in (["openbox"], ["mousepad", "--disable-server"]):
            process = running.enter_context(enter(server.share, argv, env=env))
            running.callback(process.kill)
        yield server, _options(there)


def _options(there: Sshd) -> dict[str, str]:
    return there.options


@pytest.mark.usefixtures("machine")
class TestOnADesktop:
    """What a person sees is in the tree, and what is clicked is known."""

    pytestmark = on_a_machine

    def test_elements_are_seen_hit_and_typed_into(self, machine: tuple[Server, dict[str, str]]) -> None:
        server, options = machine
        with VncComputer(address=server.address, tree=True, display=f":{server.display}", **options) as computer:
            assert computer.facts()["tree"] == f":{server.display}"
            text = computer.locate(role="text", app="mousepad")
            box = text.box
            assert box
            x, y = box.center
            done = computer.perform(Click(x=x, y=y))
            assert done.element and (done.element.role, done.element.app) == ("text", "mousepad")
            assert computer.perform(Type(text="naïve")).verified
            assert text.text == "naïve"
            menu = computer.locate(role="menu", name="File", app="mousepad").box
            assert menu and menu.height < box.height

    def test_a_bus_that_is_gone_leaves_an_empty_tree_that_says_why(
        self, machine: tuple[Server, dict[str, str]]
    ) -> None:
        server, options = machine
        with VncComputer(address=server.address, tree=True, display=f":{server.display}", **options) as computer:
            assert computer.tree().nodes
            assert computer._ssh
            computer._ssh.close()
            lost = computer.tree()
            assert not lost.nodes and lost.degraded
            assert computer.element_at(10, 10) is None
            assert computer.incidents
            assert computer.screenshot().size == (640, 480)

    def test_a_display_without_a_desktop_is_named(self, machine: tuple[Server, dict[str, str]]) -> None:
        server, options = machine
        with pytest.raises(ComputerError, match="display :4321"):
            VncComputer(address=server.address, tree=True, display=":4321", **options).start()
