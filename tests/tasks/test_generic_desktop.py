"""Setup steps and probes that need a real desktop: files, settings, the clipboard, windows, the screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import SetupFailed
from proctor.tasks.call import Call
from proctor.tasks.examine import examine
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.ground import Ground
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, make, see, tool

pytestmark = [pytest.mark.sandbox, pytest.mark.turns(by="file")]


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1280, 720), clock="2026-03-12T09:30:00") as opened:
        yield opened


def do(computer: SandboxComputer, call: Call, assets: Path | None = None) -> None:
    found = tool(call)
    found.function(SetupContext(computer, assets), **found.prepare(call.arguments))


def look(computer: SandboxComputer, call: Call) -> Any:
    found = tool(call)
    with nullcontext() if found.live else Ground(computer):
        return found.function(ProbeContext(computer), **found.prepare(call.arguments))


def check(computer: SandboxComputer, call: Call) -> Finding:
    return examine(call, lambda probe: look(computer, probe))


class TestFiles:
    def test_contents(self, computer: SandboxComputer, tmp_path: Path) -> None:
        (tmp_path / "p.bin").write_bytes(b"\0\xff")
        do(computer, make.asset_file("Made/p.bin", "p.bin"), tmp_path)
        assert computer.read_file("Made/p.bin") == b"\0\xff"
        do(computer, make.json_file("Made/a.json", {"a": [1, "é"]}))
        assert check(computer, expect.json_value(see.json("Made/a.json"), ["a", 1], "é")).passed
        do(computer, make.ini_file("Made/a.ini", {"General": {"Name": "x"}, "B": {}}))
        assert look(computer, see.ini("Made/a.ini"))["sections"] == {"General": {"Name": "x"}, "B": {}}
        do(computer, make.csv_file("Made/a.csv", [["a", 1], ["b,c", None]]))
        assert check(computer, expect.csv_rows(see.csv("Made/a.csv"), [["a", 1], ["b,c", ""]])).passed
        do(computer, make.big_file("Made/big", 5 * 2**30))
        assert check(computer, expect.size_between(see.file("Made/big"), 5 * 2**30, 5 * 2**30)).passed
        do(computer, make.big_file("Made/named", 9, begins="name\n"))
        assert computer.read_file("Made/named") == b"name\n" + bytes(4)

    def test_places(self, computer: SandboxComputer) -> None:
        do(computer, make.text_file("Work/a.txt", "one"))
        do(computer, make.folder("Work/empty"))
        do(computer, make.copy_file("Work", "Copies/Work"))
        do(computer, make.move_file("Work/a.txt", "Moved/b.txt"))
        do(computer, make.symlink("Links/w", "/home/user/Work"))
        assert check(computer, expect.folder_holds(see.folder("Work"), exactly=["empty"])).passed
        assert check(computer, expect.text_is(see.text("Copies/Work/a.txt"), "one")).passed
        assert check(computer, expect.text_is(see.text("Moved/b.txt"), "one")).passed
        assert check(computer, expect.link_to(see.link("Links/w"), "/home/user/Work")).passed
        do(computer, make.remove_file("Moved"))
        assert look(computer, see.folder("."))["entries"]
        with pytest.raises(CannotSee):
            look(computer, see.folder("Moved"))
        for call in (make.remove_file("Moved"), make.move_file("nope", "x"), make.copy_file("nope", "x")):
            with pytest.raises(SetupFailed):
                do(computer, call)

    def test_properties(self, computer: SandboxComputer) -> None:
        do(computer, make.text_file("Work/run.sh", "#!/bin/sh\n"))
        do(computer, make.executable("Work/run.sh"))
        do(computer, make.read_only("Work/run.sh"))
        do(computer, make.modified("Work/run.sh", "2026-02-01T08:00:00"))
        assert check(computer, expect.mode_is(see.file("Work/run.sh"), "555")).passed
        assert computer.run(["stat", "-c", "%y", "Work/run.sh"]).stdout.startswith("2026-02-01 08:00:00")
        for call in (make.executable("nope"), make.read_only("nope"), make.folder("Work/run.sh/x")):
            with pytest.raises(SetupFailed):
                do(computer, call)


class TestState:
    def test_command(self, computer: SandboxComputer) -> None:
        do(computer, make.command(["tee", "made-by-root"], root=True, input="x"))
        assert computer.run(["stat", "-c", "%U", "made-by-root"]).stdout.strip() == "root"
        with pytest.raises(SetupFailed, match=r"'ls /nope' ended with status 2: .*No such file"):
            do(computer, make.command(["ls", "/nope"]))

    def test_clipboard(self, computer: SandboxComputer) -> None:
        do(computer, make.clipboard("Grüße\nan alle"))
        assert check(computer, expect.clipboard_is(see.clipboard(), "Grüße\nan alle")).passed
        with pytest.raises(CannotSee, match="holds no text"):
            look(computer, see.clipboard("primary"))
        computer.run(["xclip", "-selection", "clipboard", "-in"], input=b"x" * 2_000_000)
        with pytest.raises(CannotSee, match="more than the 1,000,000 bytes"):
            look(computer, see.clipboard())

    def test_settings(self, computer: SandboxComputer) -> None:
        schema, key = "org.xfce.mousepad.preferences.view", "word-wrap"
        do(computer, make.gsetting(schema, key, "true"))
        assert check(computer, expect.setting_is(see.gsetting(schema, key), True)).passed
        assert check(computer, expect.setting_is(see.dconf(f"/{schema.replace('.', '/')}/{key}"), True)).passed
        do(computer, make.dconf(f"/{schema.replace('.', '/')}/{key}", "false"))
        assert check(computer, expect.setting_is(see.gsetting(schema, key), False)).passed
        with pytest.raises(CannotSee):
            look(computer, see.dconf("/never/set"))
        with pytest.raises(CannotSee):
            look(computer, see.gsetting(schema, "no-such-key"))
        with pytest.raises(SetupFailed):
            do(computer, make.gsetting(schema, "no-such-key", "true"))

    def test_xfconf(self, computer: SandboxComputer) -> None:
        do(computer, make.xfconf("xsettings", "/Proctor/Number", "3", type="int"))
        assert check(computer, expect.setting_is(see.xfconf("xsettings", "/Proctor/Number"), 3)).passed
        assert isinstance(look(computer, see.xfconf("xfwm4", "/general/workspace_names"))["value"], list)
        with pytest.raises(CannotSee):
            look(computer, see.xfconf("xsettings", "/Proctor/Nothing"))

    def test_processes(self, computer: SandboxComputer) -> None:
        assert check(computer, expect.process_running(see.processes(), "xfwm4")).passed
        assert check(computer, expect.process_gone(see.processes(), "mousepad")).passed


def test_windows_and_screen(computer: SandboxComputer) -> None:
    do(computer, make.text_file("letter.txt", "The invoice number is 4711"))
    do(computer, make.launch(["mousepad", "letter.txt"], window="letter.txt"))
    do(computer, make.launch(["galculator"]))
    do(computer, make.arrange("letter.txt", 40, 60, 700, 400))
    placed = look(computer, see.windows())["windows"]
    assert [40, 60, 700, 400] in [window["box"] for window in placed]
    do(computer, make.minimise("letter.txt"))
    assert check(computer, expect.window_minimised(see.windows(), "letter.txt")).passed
    do(computer, make.focus_window("letter.txt"))
    assert check(computer, expect.window_active(see.windows(), "letter.txt")).passed
    do(computer, make.maximise("letter.txt"))
    assert check(computer, expect.text_in_controls(see.controls(window="letter"), "invoice number")).passed
    do(computer, make.close_window("galculator"))
    assert check(computer, expect.window_closed(see.windows(), "galculator")).passed
    assert check(computer, expect.window_open(see.windows(), "letter.txt", app="mousepad")).passed
    with pytest.raises(SetupFailed, match="no window has 'nothing'"):
        do(computer, make.focus_window("nothing"))
    pytest.importorskip("rapidocr_onnxruntime")
    seen = {see.screen_text().key: look(computer, see.screen_text())}
    assert examine(expect.text_on_screen(see.screen_text(), "invoice number"), lambda probe: seen[probe.key]).passed
    assert not examine(expect.text_on_screen(see.screen_text(), "parking"), lambda probe: seen[probe.key]).passed


def test_terminal(computer: SandboxComputer) -> None:
    do(computer, make.launch(["lxterminal", "-e", "sh -c 'echo ready steady; read x'"]))
    computer.wait_for(lambda opened: "steady" in (opened.terminal() or ""), what="the terminal's text")
    assert check(computer, expect.terminal_shows(see.terminal(), ["ready steady"])).passed
    assert look(computer, see.cursor())["path"] == "the pointer"


def test_settings_are_read_whatever_becomes_of_the_program_that_keeps_them(computer: SandboxComputer) -> None:
    probe = see.xfconf("xsettings", "/Net/ThemeName")
    assert look(computer, probe)["value"]
    # As an agent could: the program that knows the settings is there and says nothing.
    computer.run(["xfconf-query", "-c", "xsettings", "-p", "/Net/ThemeName"])
    assert computer.run(["pkill", "-STOP", "-x", "xfconfd"]).code == 0
    try:
        assert look(computer, probe)["value"]
    finally:
        computer.run(["pkill", "-CONT", "-x", "xfconfd"])
    assert look(computer, probe)["value"]
