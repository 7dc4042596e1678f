"""Any machine that shows itself by VNC."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Self

from PIL import Image

from proctor.computers.backends.vnc.options import VncOptions, check_ssh, guessed_display, make_plan
from proctor.computers.capabilities import Parts
from proctor.computers.channels.atspi.desktop import DesktopTree
from proctor.computers.channels.remote_files import RemoteFiles
from proctor.computers.channels.remote_shell import RemoteShell
from proctor.computers.channels.rfb.address import Address
from proctor.computers.channels.rfb.film import Films, RfbSource, VncViewer
from proctor.computers.channels.rfb.keys import Guest
from proctor.computers.channels.rfb.link import RfbLink
from proctor.computers.channels.rfb.options import check_typing
from proctor.computers.channels.rfb.parts import VncKeys, VncPointer, VncScreen
from proctor.computers.channels.rfb.rest import PictureRest
from proctor.computers.channels.ssh.client import Ssh, parse_target
from proctor.computers.existing_machine import ForeignComputer, not_ours
from proctor.computers.incidents import Incidents
from proctor.computers.options import take_options
from proctor.computers.parts.clock import PatientClock
from proctor.errors import ComputerError


class VncComputer(ForeignComputer):
    """A machine behind a VNC server; it is there before and after, and only looked at and touched."""

    backend = "vnc"
    home = "wherever its user has it"
    system = "a desktop on another machine"
    example: ClassVar[Mapping[str, Any]] = {"address": "localhost:1"}

    Options = VncOptions

    def __init__(self, options: VncOptions | None = None, /, **given: object) -> None:
        told = take_options(VncOptions, options, given)
        plan = make_plan(told)
        check_typing(told.typing_ms)
        check_ssh(told)
        incidents = Incidents()
        self._guest = told.guest
        self._link = RfbLink(plan, partial(incidents.note, "display"))
        self._ssh: Ssh | None = None
        self._tree: DesktopTree | None = None
        if told.ssh:
            self._ssh = Ssh(parse_target(told.ssh, known_hosts=told.known_hosts, identity=told.identity))
        if told.tree and self._ssh:
            guess = guessed_display(plan.address)
            self._tree = DesktopTree(self._ssh, lambda: self.size, incidents, display=told.display, guess=guess)
        self._films = Films(lambda: RfbSource(self._link.another(), lambda: self._link.hands.at), told.clip_sec)
        super().__init__(self._made_of(plan.address, told.guest, told.typing_ms), pace=told.pace)
        self.incidents = incidents
        self._closed = False

    def _made_of(self, address: Address, guest: Guest, typing_ms: int | None) -> Parts:
        clock = PatientClock()
        return Parts(
            screen=VncScreen(self._link),
            pointer=VncPointer(self._link, clock),
            keys=VncKeys(self._link, clock, guest, typing_ms),
            tree=self._tree,
            shell=RemoteShell(self._ssh) if self._ssh else None,
            files=RemoteFiles(self._ssh) if self._ssh else None,
            clip=self._films,
            viewer=VncViewer(address.dial, self._films),
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
        """Tell which connection is gone, and why.

        Whoever has a shell on the machine can have ended its servers.

        One that breaks the protocol was neither ended nor cut.
        """
        link = self._link
        found: dict[str, Any] = {"lost": link.lost, "reopened": link.reopened}
        if link.nonsense:
            return {**found, "ended": link.lost}
        why = link.lost or self._cannot_be_called()
        if why:
            found["outside"] = not_ours(f"the VNC server at {link.plan.address}", why)
        elif self._ssh and (why := self._ssh.why_lost()):
            found["outside"] = not_ours(f"the ssh server of {self._ssh.target.host}", why)
        return found

    def _cannot_be_called(self) -> str:
        """Return why the server does not answer a call; empty where it does."""
        try:
            self._link.plan.address.dial(self._link.plan.timeout_sec).close()
        except OSError as error:
            return error.strerror or str(error)
        return ""

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
