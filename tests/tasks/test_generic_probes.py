"""The probes on files and data return plain data, and say plainly what they cannot see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.desktop.checks.files import not_kept_elsewhere
from proctor.vocabulary.desktop.parse import gvariant
from proctor.vocabulary.desktop.probes import files, screen
from proctor.vocabulary.formats.data import probes as data


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def fault(probe: Any, *arguments: Any) -> str:
    with pytest.raises(CannotSee) as caught:
        probe(*arguments)
    assert "\n" not in str(caught.value)
    return caught.value.fault.kind


class TestFiles:
    def test_file(self, computer: FakeComputer) -> None:
        computer.write_file("a.txt", b"hello", mode=0o640)
        assert files.file(ProbeContext(computer), "a.txt") == {
            "path": "a.txt",
            "kind": "file",
            "size": 5,
            "mode": 0o640,
        }
        assert files.file(ProbeContext(computer), "/home/user/a.txt")["kind"] == "file"
        assert files.file(ProbeContext(computer), ".")["kind"] == "folder"
        assert files.file(ProbeContext(computer), "./x/../a.txt")["kind"] == "file"
        for path in ("b.txt", "a.txt/b", "nowhere/b"):
            assert fault(files.file, ProbeContext(computer), path) == "absent"

    def test_text(self, computer: FakeComputer) -> None:
        computer.write_file("a.txt", "\ufeffhéllo\n".encode())
        computer.write_file("b.txt", b"\xff\xfe")
        seen = files.text(ProbeContext(computer), "a.txt")
        assert (seen["path"], seen["text"], seen["line_ends"]) == ("a.txt", "héllo\n", "LF")
        assert fault(files.text, ProbeContext(computer), "b.txt") == "unreadable"
        assert fault(files.text, ProbeContext(computer), ".") == "refused"
        assert fault(files.text, ProbeContext(computer), "c.txt") == "absent"

    def test_what_a_file_held_is_found_elsewhere(self, computer: FakeComputer) -> None:
        computer.write_file("Docs/a.tar", b"one")
        computer.write_file("Docs/b.tar", b"two")
        computer.baseline()
        for path, content in ((".old/a.tar", b"one"), (".local/share/Trash/files/b.tar", b"two"), ("c.tar", b"six")):
            computer.write_file(path, content)
        found = files.copies(ProbeContext(computer), ["Docs/a.tar", "Docs/b.tar", "Docs/never.tar"])
        assert found["copies"] == {"Docs/a.tar": ["/home/user/.old/a.tar"], "Docs/b.tar": [], "Docs/never.tar": []}
        assert not not_kept_elsewhere(found).passed
        assert not_kept_elsewhere(files.copies(ProbeContext(computer), ["Docs/b.tar"])).passed

    def test_before_digest_and_changes(self, computer: FakeComputer) -> None:
        for name in ("a", "b", "Docs/c"):
            computer.write_file(name, b"one")
        computer.baseline()
        computer.write_file("a", b"two")
        computer.remove_file("b")
        computer.write_file("Docs/d", b"")
        computer.write_file(".hidden", b"")
        computer.write_file("/tmp/scratch", b"")
        context = ProbeContext(computer)
        assert files.before(context, "a")["text"] == "one"
        assert fault(files.before, context, "Docs/d") == "absent"
        assert files.digest(context, "Docs/c")["sha256"] == files.digest(context, "Docs/c")["before"]
        assert files.digest(context, "a")["sha256"] != files.digest(context, "a")["before"]
        assert files.digest(context, "Docs/d")["before"] is None
        told = {"path": "the user's files", "created": ["Docs/d"], "changed": ["a"], "deleted": ["b"]}
        assert files.changes(context) == told
        assert files.changes(context, besides=["Docs/*", "a"]) == {**told, "created": [], "changed": []}

    def test_folder(self, computer: FakeComputer, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("Docs/b.txt", "Docs/sub/a.txt", "Docs/sub/deep/c.txt"):
            computer.write_file(name, b"12")
        context = ProbeContext(computer)
        assert [entry["name"] for entry in files.folder(context, "Docs")["entries"]] == ["b.txt", "sub"]
        deep = files.folder(context, "Docs", deep=True)["entries"]
        assert [entry["name"] for entry in deep] == ["b.txt", "sub", "sub/a.txt", "sub/deep", "sub/deep/c.txt"]
        assert deep[0] == {"name": "b.txt", "kind": "file", "size": 2, "mode": 0o644}
        assert fault(files.folder, context, "Docs/b.txt") == "refused"
        assert fault(files.folder, context, "Nope") == "absent"
        monkeypatch.setattr(files, "MOST_ENTRIES", 4)
        assert fault(files.folder, context, "Docs", True) == "refused"

    def test_names_that_are_no_text(self) -> None:
        assert files.printable(b"bad\xffname".decode("utf-8", "surrogateescape")) == "bad\ufffdname"


class TestData:
    def read(self, computer: FakeComputer, probe: Any, content: str, *more: Any) -> dict[str, Any]:
        computer.write_file("f", content.encode())
        found: dict[str, Any] = probe(ProbeContext(computer), "f", *more)
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        return found

    def broken(self, computer: FakeComputer, probe: Any, content: str) -> str:
        computer.write_file("f", content.encode())
        return fault(probe, ProbeContext(computer), "f")

    def test_json(self, computer: FakeComputer) -> None:
        assert self.read(computer, data.json, '{"a": [1, null]}')["data"] == {"a": [1, None]}
        for content in ("", "{", "{'a': 1}", "NaN", "[" * 100_000, "9" * 5000):
            assert self.broken(computer, data.json, content) == "unreadable"

    def test_ini(self, computer: FakeComputer) -> None:
        content = "# top\nloose=1\n[General]\nName = x=y\nPath=%h/%1\nFlag\n[General]\nMore=2\n[DEFAULT]\nZ=1\n"
        assert self.read(computer, data.ini, content)["sections"] == {
            "": {"loose": "1"},
            "General": {"Name": "x=y", "Path": "%h/%1", "Flag": None, "More": "2"},
            "DEFAULT": {"Z": "1"},
        }
        assert self.read(computer, data.ini, "[A]\n")["sections"] == {"A": {}}
        assert self.read(computer, data.ini, "")["sections"] == {}
        assert self.broken(computer, data.ini, "[A]\n=x\n") == "unreadable"

    def test_xml(self, computer: FakeComputer) -> None:
        root = self.read(computer, data.xml, '<x:a xmlns:x="u" x:k="v"> t <b/></x:a>')["root"]
        assert root == {
            "tag": "a",
            "attributes": {"k": "v"},
            "text": "t",
            "children": [{"tag": "b", "attributes": {}, "text": "", "children": []}],
        }
        assert self.broken(computer, data.xml, "<a>") == "unreadable"
        assert self.broken(computer, data.xml, "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>") == "refused"

    def test_csv(self, computer: FakeComputer) -> None:
        assert self.read(computer, data.csv, 'a,"b\nc"\n\n1,2\n')["rows"] == [["a", "b\nc"], ["1", "2"]]
        assert self.read(computer, data.csv, "a;b", ";")["rows"] == [["a", "b"]]
        assert self.broken(computer, data.csv, "x" * 200_000) == "unreadable"

    @given(some.text(max_size=200))
    def test_no_text_crashes_a_probe(self, content: str) -> None:
        with FakeComputer() as computer:
            computer.write_file("f", content.encode("utf-8", "surrogatepass"))
            for probe in (files.text, data.json, data.ini, data.xml, data.csv):
                try:
                    json.dumps(probe(ProbeContext(computer), "f"), allow_nan=False)
                except CannotSee as error:
                    assert error.fault.kind in ("unreadable", "refused")


class TestScreen:
    def test_windows_and_controls(self, computer: FakeComputer) -> None:
        computer.write_file("letter.txt", b"Dear Ana")
        computer.launch(["mousepad", "letter.txt"])
        (window,) = screen.windows(ProbeContext(computer))["windows"]
        assert "letter.txt" in window["title"] and window["active"] and not window["minimised"]
        controls = screen.controls(ProbeContext(computer))["controls"]
        assert any("Dear Ana" in control["text"] for control in controls)
        assert screen.controls(ProbeContext(computer), app="gimp")["controls"] == []
        assert len(screen.controls(ProbeContext(computer), window="letter")["controls"]) > 1

    def test_no_terminal(self, computer: FakeComputer) -> None:
        assert fault(screen.terminal, ProbeContext(computer)) == "absent"

    def test_reading_order(self) -> None:
        pieces = [(10, 300, "World"), (12, 10, "Hello"), (40, 5, "Next"), (44, 90, "line")]
        assert screen._in_reading_order(pieces) == ["Hello", "World", "Next", "line"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true\n", True),
        ("'dark'\n", "dark"),
        ('"it\'s"', "it's"),
        ("uint32 3", 3),
        ("-1.5", -1.5),
        ("['a', 'b']", ["a", "b"]),
        ("@as []", []),
        ("[('xkb', 'us')]", "[('xkb', 'us')]"),
        ("nothing", "nothing"),
        ("__import__('os')", "__import__('os')"),
    ],
)
def test_gvariant(text: str, value: Any) -> None:
    assert gvariant(text) == value
