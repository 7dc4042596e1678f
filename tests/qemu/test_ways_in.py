"""Commands and files go by the guest agent and by OSWorld's server as they do in any computer; faults are told."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from proctor.computers.backends.qemu.parts import ServerScreen
from proctor.computers.capabilities import Parts
from proctor.computers.channels.guest_agent.client import Declined, GuestAgent
from proctor.computers.channels.guest_agent.commands import AgentCommands
from proctor.computers.channels.osworld.commands import OsworldCommands, OsworldTree
from proctor.computers.channels.osworld.server import OsworldServer
from proctor.computers.channels.remote_files import PiecemealFiles
from proctor.computers.channels.remote_shell import RemoteShell
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ComputerLost, SpecError
from proctor.testing.actions import ActingContract
from proctor.testing.files import KeepingContract
from tests.qemu.guest_agent import StandIn, stand_in
from tests.qemu.osworld_server import World, serving


class Blank:
    size = (64, 48)

    def screenshot(self, *, cursor: bool) -> Image.Image:
        return Image.new("RGB", self.size)


class ByAgent(Computer):
    backend = "by-agent"

    def __init__(self, agent: GuestAgent) -> None:
        commands = AgentCommands(lambda: agent, "")
        super().__init__(Parts(screen=Blank(), shell=RemoteShell(commands), files=PiecemealFiles(commands)))


class ByServer(Computer):
    backend = "by-server"

    def __init__(self, port: int) -> None:
        server = OsworldServer(lambda timeout_sec: socket.create_connection(("127.0.0.1", port), timeout_sec))
        super().__init__(
            Parts(
                screen=ServerScreen(server),
                tree=OsworldTree(server),
                shell=RemoteShell(OsworldCommands(server)),
                files=PiecemealFiles(server),
            )
        )


class WaysIn(KeepingContract):
    """What either gives."""

    mousepad = False
    made: ClassVar[Computer]

    @pytest.fixture
    def computer(self) -> Iterator[Computer]:
        yield self.made

    def new_computer(self) -> Computer:
        return self.made

    test_commands_return = ActingContract.test_commands_return_output_and_status
    test_commands_at_home = ActingContract.test_commands_run_in_the_home_folder_unless_told
    test_commands_that_cannot_be_run = ActingContract.test_commands_that_cannot_be_run_are_the_machines_error

    def test_large_files_travel_in_pieces(self, computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
        at_once = 30_000
        monkeypatch.setattr("proctor.computers.channels.remote_files.AT_ONCE", at_once)
        for size in (at_once - 1, at_once, 2 * at_once + 17):
            data = bytes(range(251)) * (size // 251 + 1)
            computer.write_file("large", data[:size], mode=0o600)
            assert computer.read_file("large") == data[:size]
        assert computer.file_info("large").mode & 0o777 == 0o600
        with pytest.raises(OSError) as refused:
            computer.read_file("large", most=size - 1)
        assert refused.value.errno == errno.EFBIG
        assert len(computer.read_file("large", most=size)) == size

    def test_links_are_followed_only_if_wanted(self, computer: Computer) -> None:
        computer.write_file("real", b"x")
        computer.run(["ln", "-sf", "real", "link"])
        assert computer.read_file("link") == b"x"
        with pytest.raises(OSError) as refused:
            computer.read_file("link", follow=False)
        assert refused.value.errno == errno.ELOOP

    def test_output_that_is_not_text_and_signals_are_told(self, computer: Computer) -> None:
        assert computer.run(["printf", r"\377\000x"]).stdout == "\ufffd\0x"
        assert computer.run(["sh", "-c", "kill -TERM $$"]).code == -15
        with pytest.raises(ComputerError, match="nosuchprogram"):
            computer.run(["nosuchprogram"], env={"A": "b"})

    def test_what_is_no_command_is_refused(self, computer: Computer) -> None:
        for argv in ([], ["a\0b"]):
            with pytest.raises(SpecError, match="not a command"):
                computer.run(argv)
        with pytest.raises(SpecError, match="name of a variable"):
            computer.run(["true"], env={"a b": "c"})


class TestByAgent(WaysIn):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with stand_in(tmp_path_factory.mktemp("home")) as (line, _):
            cls.made = ByAgent(GuestAgent(line))
            yield


class TestByServer(WaysIn):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with serving(World(tmp_path_factory.mktemp("home"))) as port:
            cls.made = ByServer(port)
            yield


# -- the agent --------------------------------------------------------------------------------------------------------


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[tuple[GuestAgent, StandIn]]:
    with stand_in(tmp_path) as (line, other):
        yield GuestAgent(line), other


def test_what_was_said_before_is_passed_over(agent: tuple[GuestAgent, StandIn]) -> None:
    client, other = agent
    other.noise = b'{"return": {"half": \xff{"return": 7}\n{"return": [1, 2'
    assert client.answers(5)
    assert client.run(["/bin/echo", "hello"], timeout_sec=10).stdout == b"hello\n"


def test_a_user_who_is_not_there_is_named(agent: tuple[GuestAgent, StandIn]) -> None:
    commands = AgentCommands(lambda: agent[0], "no-such-user")
    with pytest.raises(ComputerError, match="no user 'no-such-user'"):
        commands.shell("true", timeout_sec=10)


def test_the_agents_refusal_is_told_in_its_words(agent: tuple[GuestAgent, StandIn]) -> None:
    with pytest.raises(Declined, match="guest-shutdown has not been found"):
        agent[0].ask("guest-shutdown")
    with pytest.raises(Declined, match="Failed to execute"):
        agent[0].run(["/no/such/program"], timeout_sec=5)


def test_output_that_was_cut_off_is_not_taken_for_all(agent: tuple[GuestAgent, StandIn]) -> None:
    agent[1].truncated = True
    with pytest.raises(ComputerError, match="more than the guest agent keeps"):
        AgentCommands(lambda: agent[0], "").shell("echo x", timeout_sec=10)


def test_an_agent_that_is_not_there_yet_is_no_error() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client = GuestAgent(ours)
        assert not client.answers(0.05)
        theirs.sendall(b"\xff")
        assert not client.answers(0.05)
        with pytest.raises(ComputerLost, match="did not answer"):
            client.ask("guest-ping", timeout_sec=0.05)


def test_an_agent_that_goes_away_or_talks_nonsense_is_lost() -> None:
    for answer, reason in (
        (b"", "connection"),
        (b"[1]\n", "not a message"),
        (b"{\n", "not JSON"),
        (b"\x80\n", "not JSON"),
    ):
        ours, theirs = socket.socketpair()

        def act(theirs: socket.socket = theirs, answer: bytes = answer) -> None:
            said = theirs.recv(4096)
            number = said.rpartition(b": ")[2].split(b"}")[0]
            theirs.sendall(b'\xff{"return": ' + number + b"}\n")
            theirs.recv(4096)
            theirs.sendall(answer)
            theirs.close()

        thread = threading.Thread(target=act)
        thread.start()
        with ours, pytest.raises(ComputerLost, match=reason):
            GuestAgent(ours).ask("guest-ping", timeout_sec=5)
        thread.join()


# -- OSWorld's server -------------------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[World, ByServer, OsworldServer]]:
    world = World(tmp_path)
    with serving(world) as port:
        yield world, ByServer(port), OsworldServer(lambda sec: socket.create_connection(("127.0.0.1", port), sec))


def test_the_tree_is_read_as_osworld_writes_it(world: tuple[World, ByServer, OsworldServer]) -> None:
    computer = world[1]
    node = computer.locate(role="push button", name="Save").find()
    assert (node.app, node.window, node.box) == ("gedit", "notes.txt", (20, 30, 60, 24))
    hit = computer.element_at(25, 35)
    assert hit and hit.name == "Save"
    assert (frame := computer.element_at(200, 200)) and frame.role == "frame"
    assert computer.element_at(900, 900) is None


def test_pictures_come_from_the_server(world: tuple[World, ByServer, OsworldServer]) -> None:
    computer = world[1]
    assert computer.screenshot().getpixel((5, 5)) == (51, 102, 153)
    assert computer.size == (64, 48)


def test_a_server_that_is_not_up_yet_is_no_error(world: tuple[World, ByServer, OsworldServer]) -> None:
    assert world[2].answers(5)
    world[0].up = False
    assert not world[2].answers(5)


@pytest.mark.parametrize(
    ("path", "status", "body", "reason"),
    [
        ("/accessibility", 200, b"{}", "no tree"),
        ("/accessibility", 200, b"not json", "not JSON"),
        ("/accessibility", 200, b'{"AT": "<desktop-frame><open>"}', "cannot be read"),
        ("/accessibility", 500, b"boom", "answered /accessibility with 500: boom"),
    ],
)
def test_answers_that_make_no_sense_are_told(
    world: tuple[World, ByServer, OsworldServer], path: str, status: int, body: bytes, reason: str
) -> None:
    world[0].answers[path] = (status, body)
    with pytest.raises(ComputerError, match=reason):
        world[1].tree()


def test_broken_pictures_and_commands_are_told(world: tuple[World, ByServer, OsworldServer]) -> None:
    world[0].screenshot = b"\x89PNG broken"
    with pytest.raises(ComputerLost, match="not a picture"):
        world[1].screenshot()
    world[0].answers["/execute"] = (500, b'{"status": "error", "message": "timed out after 120 seconds"}')
    with pytest.raises(ComputerError, match="timed out after 120"):
        world[1].run(["true"])
    world[0].answers["/execute"] = (200, b'{"status": "success", "output": "mktemp: no space", "error": ""}')
    with pytest.raises(ComputerError, match="no space"):
        world[1].run(["true"])


def test_a_server_that_is_gone_is_lost() -> None:
    def nobody(timeout_sec: float) -> socket.socket:
        raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens")

    with pytest.raises(ComputerLost, match="did not answer"):
        OsworldServer(nobody).tree()
