"""Any machine that shows itself by VNC: seen and touched over RFB, and with ssh commands, files and a tree too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal, Self

from PIL import Image

from proctor.computers.backends.vnc.options import check_tree, guessed_display, make_plan
from proctor.computers.capabilities import Parts
from proctor.computers.channels.atspi.desktop import DesktopTree
from proctor.computers.channels.rfb.address import Address
from proctor.computers.channels.rfb.film import Films, RfbSource, VncViewer
from proctor.computers.channels.rfb.keys import Guest
from proctor.computers.channels.rfb.link import Link
from proctor.computers.channels.rfb.options import check_guest
from proctor.computers.channels.rfb.parts import VncKeys, VncPointer, VncScreen
from proctor.computers.channels.rfb.rest import PictureRest
from proctor.computers.channels.ssh.client import Ssh, parse_target
from proctor.computers.channels.ssh.parts import SshFiles, SshShell
from proctor.computers.computer import Pace
from proctor.computers.existing_machine import ForeignComputer
from proctor.computers.incidents import Incidents
from proctor.computers.parts.clock import PatientClock
from proctor.errors import ComputerError, SpecError


class VncComputer(ForeignComputer):
    """A machine behind a VNC server; it is there before and after, and only looked at and touched."""

    backend = "vnc"
    home = "wherever its user has it"
    example: ClassVar[Mapping[str, Any]] = {"address": "localhost:1"}

    def __init__(
        self,
        *,
        address: str,
        password: str = "",
        password_file: str = "",
        password_env: str = "",
        user: str = "",
        security: Literal["auto", "none", "vnc", "tls", "x509"] = "auto",
        ca: str = "",
        encoding: Literal["auto", "raw", "tight", "zrle"] = "auto",
        quality: int | None = None,
        guest: Literal["linux", "windows", "macos"] = "linux",
        typing_ms: int | None = None,
        ssh: str = "",
        known_hosts: str = "",
        identity: str = "",
        tree: bool = False,
        display: str = "",
        timeout_sec: float = 10.0,
        pace: Pace = "settle",
        clip_sec: float = 0.0,
    ) -> None:
        """Describe a machine; it is called with `start` or `with`.

        Args:
            address: `host:port`, `host:display`, or the path of a Unix socket.
            password: What the server asks for; never recorded.
            password_file: A file that holds the password.
            password_env: A variable of the environment that holds it.
            user: A user's name, for servers that ask for one (VeNCrypt's Plain).
            security: `auto`, or only `none`, `vnc` (a password), `tls` (hidden from others) or `x509` (and the server
                shows a certificate).
            ca: File with the certificates that vouch for the server.
            encoding: How pictures are sent: `auto`, `raw`, `tight` or `zrle`.
            quality: 0 to 9 lets the server send pictures as JPEG; without it they are exact.
            guest: What runs there: `linux`, `windows` or `macos`; decides what Alt, Command and AltGr are.
            typing_ms: Pause after each character; by itself none for X servers and 20 ms for others.
            ssh: `user@host` or `user@host:port` of the same machine, for commands and files.
            known_hosts: File with the host keys that ssh trusts; your own when not given.
            identity: File with the key that ssh shows.
            tree: Whether the elements of its applications are read over ssh, on a Linux desktop with AT-SPI.
            display: Whose desktop that is, such as `:1`, where the user has several.
            timeout_sec: Patience with each answer of the server.
            pace: `settle` waits for a quiet screen after each action; `realtime` does not.
            clip_sec: How many seconds of the screen `clip` can look back; 0 keeps none.
        """
        plan = make_plan(
            address=address, password=password, password_file=password_file, password_env=password_env, user=user,
            security=security, ca=ca, encoding=encoding, quality=quality, timeout_sec=timeout_sec,
        )  # fmt: skip
        check_guest(guest, typing_ms)
        check_tree(tree, display, ssh=ssh, guest=guest)
        if ssh and guest == "windows":
            raise SpecError("ssh= speaks with a plain shell, which Windows has not", remedy="leave ssh= out")
        incidents = Incidents()
        self._guest = guest
        self._link = Link(plan, partial(incidents.note, "display"))
        self._ssh = Ssh(parse_target(ssh, known_hosts=known_hosts, identity=identity)) if ssh else None
        self._tree: DesktopTree | None = None
        if tree and self._ssh:
            guess = guessed_display(plan.address)
            self._tree = DesktopTree(self._ssh, lambda: self.size, incidents, display=display, guess=guess)
        self._films = Films(lambda: RfbSource(self._link.another(), lambda: self._link.hands.at), clip_sec)
        super().__init__(self._made_of(plan.address, guest, typing_ms), pace=pace)
        self.incidents = incidents
        self._closed = False

    def _made_of(self, address: Address, guest: Guest, typing_ms: int | None) -> Parts:
        clock = PatientClock()
        return Parts(
            screen=VncScreen(self._link),
            pointer=VncPointer(self._link, clock),
            keys=VncKeys(self._link, clock, guest, typing_ms),
            tree=self._tree,
            shell=SshShell(self._ssh) if self._ssh else None,
            files=SshFiles(self._ssh) if self._ssh else None,
            clip=self._films,
            viewer=VncViewer(address, self._films),
            rest=PictureRest(self._link, clock),
            clock=clock,
        )

    def start(self) -> Self:
        """Call the server, and the machine by ssh; return when the screen was seen."""
        if self._closed:
            raise ComputerError("this computer is closed", remedy="open another one")
        if self._link.is_open:
            return self
        try:
            self._link.open()
            if self._ssh:
                self._ssh.open()
            if self._tree:
                self._tree.open()
            self._films.start(self.size)
        except BaseException:
            self._let_go()
            raise
        return self

    def close(self) -> None:
        """Hang up; the machine stays as it is."""
        self._let_go()
        self._closed = True
        super().close()

    def _let_go(self) -> None:
        self._films.end()
        self._link.close()
        if self._tree:
            self._tree.close()
        if self._ssh:
            self._ssh.close()

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to find this machine again; never a password."""
        client = self._link.client
        return {
            **super().facts(),
            "address": str(self._link.plan.address),
            "server": client.name,
            "security": client.security,
            "guest": self._guest,
            "ssh": str(self._ssh.target) if self._ssh else "",
            "tree": self._tree.found if self._tree else "",
        }

    def autopsy(self) -> dict[str, Any]:
        """Tell whether the way to the machine is gone, which nothing on it can bring about."""
        found: dict[str, Any] = {"lost": self._link.lost, "reopened": self._link.reopened}
        if not self._link.plan.address.path:
            try:
                self._link.plan.address.dial(self._link.plan.timeout_sec).close()
            except ConnectionRefusedError:
                found["ended"] = "its VNC server no longer listens"
            except OSError as error:
                found["outside"] = f"the machine cannot be reached any more: {error.strerror or error}"
        return found

    def grab_anew(self) -> Image.Image:
        """Return the whole screen, sent once more, whatever of it is known already."""
        self._link.look(lambda client: client.see_anew())
        return self._link.client.screenshot(cursor=True)

    # -- the clipboard --------------------------------------------------------------------------------------------

    def clipboard(self) -> str:
        """Return the text that was last copied on the machine, as far as its server tells."""
        self._link.look(lambda client: client.refresh())
        return self._link.client.clipboard.text

    def set_clipboard(self, text: str) -> None:
        """Let programs on the machine paste a text."""
        self._link.look(lambda client: client.clipboard.give(text))
