"""The checks on files, texts, data, screens and programs: each accepts what is right and says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.tasks.findings import Fault, Finding
from proctor.vocabulary.desktop.checks import files, screen, state, text
from proctor.vocabulary.formats.data import checks as values


def accepted(finding: Finding) -> None:
    assert finding.passed and finding.feedback == ()


def refused(finding: Finding, *words: str) -> None:
    assert finding.score == 0.0 and finding.feedback
    assert all(line.endswith(".") for line in finding.feedback)
    said = " ".join(finding.feedback)
    assert all(word in said for word in words), said


def there(kind: str = "file", size: int = 10, mode: int = 0o644) -> dict[str, Any]:
    return {"path": "a.txt", "kind": kind, "size": size, "mode": mode}


def says(words: str, path: str = "a.txt") -> dict[str, Any]:
    return {"path": path, "text": words}


class TestFiles:
    def test_file_exists(self) -> None:
        accepted(files.file_exists(there()))
        refused(files.file_exists(there("folder")), "is a folder, not a file")
        refused(files.file_exists(there("other")), "a pipe or device")

    def test_folder_exists(self) -> None:
        accepted(files.folder_exists(there("folder")))
        refused(files.folder_exists(there("link")), "is a link, not a folder")

    def test_nothing_there(self) -> None:
        accepted(files.nothing_there(Fault("absent", "there is nothing at a.txt")))
        refused(files.nothing_there(Fault("refused", "a.txt is a pipe")), "pipe")
        refused(files.nothing_there(there()), "still there")

    def test_size_between(self) -> None:
        accepted(files.size_between(there(size=10), 10, 10))
        refused(files.size_between(there(size=11), 0, 10), "11 bytes")

    def test_modes(self) -> None:
        accepted(files.is_executable(there(mode=0o755)))
        refused(files.is_executable(there(mode=0o655)), "may not be run")
        refused(files.is_executable(there(mode=0o111)), "may not be read")
        accepted(files.is_read_only(there(mode=0o444)))
        refused(files.is_read_only(there(mode=0o464)), "may be written")
        accepted(files.is_writable(there(mode=0o200)))
        refused(files.is_writable(there(mode=0o422)), "may not be written")
        accepted(files.mode_is(there(mode=0o640), "640"))
        refused(files.mode_is(there(mode=0o600), "640"), "600", "640")

    def test_folder_holds(self) -> None:
        of = {"path": "Docs", "entries": [{"name": name} for name in ("a", "b", ".hidden", "c/d")]}
        accepted(files.folder_holds(of, exactly=["c/d", "b", "a"]))
        accepted(files.folder_holds(of, at_least=["a"], none_of=["x"]))
        accepted(files.folder_holds(of, exactly=["a", "b", "c/d", ".hidden"], hidden=True))
        refused(files.folder_holds(of, exactly=["a", "b", "c/d"], hidden=True), ".hidden")
        refused(files.folder_holds(of, exactly=["a", "x"]), "has no x", "holds b", "holds c/d")
        refused(files.folder_holds(of, at_least=["x", "y"], none_of=["b"]), "no x", "no y", "still has b")
        accepted(files.folder_holds({"path": "Docs", "entries": []}, exactly=[]))
        refused(files.folder_holds(of, exactly=[]), "holds a")

    def test_link_to(self) -> None:
        of = {"path": "ln", "target": "/home/user/Docs/"}
        accepted(files.link_to(of, "/home/user/Docs"))
        refused(files.link_to(of, "Docs"), "/home/user/Docs/")

    def test_contents(self) -> None:
        of = {"path": "a", "sha256": "1" * 64, "before": "1" * 64}
        other = {"path": "b", "sha256": "2" * 64, "before": None}
        accepted(files.unchanged(of))
        refused(files.unchanged({**of, "before": "2" * 64}), "was changed")
        refused(files.unchanged(other), "did not exist")
        accepted(files.same_content(of, {**other, "sha256": "1" * 64}))
        refused(files.same_content(of, other), "not the same as b")
        linked = {**other, "sha256": "1" * 64, "links": 2}
        accepted(files.same_content(of, linked))
        refused(files.same_content({**of, "links": 2}, linked), "another name of b")
        accepted(files.not_linked(of))
        refused(files.not_linked(linked), "another name")
        accepted(files.not_linked(of))
        refused(files.not_linked(linked), "another name")
        accepted(files.digest_is(of, "1" * 64))
        refused(files.digest_is(of, "2" * 64), "expected content")

    def test_nothing_changed(self) -> None:
        of: dict[str, Any] = {"path": "the user's files", "created": [], "changed": [], "deleted": []}
        accepted(files.nothing_changed(of))
        refused(files.nothing_changed({**of, "created": ["x"], "deleted": ["y"]}), "x was created", "y was deleted")


class TestText:
    def test_text_is(self) -> None:
        accepted(text.text_is(says("one  \r\ntwo\n\n"), "one\ntwo"))
        refused(text.text_is(says("one\ntwo"), "one\n two"), "line 2")
        refused(text.text_is(says("one \n"), "one\n", exactly=True), "line 1")
        refused(text.text_is(says("one"), "one\ntwo"), "'two' is missing")
        refused(text.text_is(says("one\ntwo"), "one"), "should not be there")

    def test_same_text(self) -> None:
        accepted(text.same_text(says("a\n"), says("a", "b.txt")))
        refused(text.same_text(says("a"), says("b", "b.txt")), "it says 'a', expected 'b'")

    def test_text_has_and_lacks(self) -> None:
        of = says("The quick\n  brown fox")
        accepted(text.text_has(of, ["quick brown", "fox"]))
        refused(text.text_has(of, ["Fox", "hen"]), "'Fox'", "'hen'")
        accepted(text.text_has(of, ["FOX"], case=False))
        accepted(text.text_lacks(of, ["Fox", "hen"]))
        refused(text.text_lacks(of, ["Fox"], case=False), "still says 'Fox'")
        refused(text.text_lacks(of, ["quick brown"]), "quick brown")

    def test_text_matches(self) -> None:
        accepted(text.text_matches(says("x\nTotal: 42\n"), r"^Total: \d+$"))
        refused(text.text_matches(says("Total: none"), r"^Total: \d+$"), "nothing like")

    def test_line_count(self) -> None:
        of = says("one\n\ntwo\n")
        accepted(text.line_count(of, 2))
        accepted(text.line_count(of, 0, 5))
        refused(text.line_count(of, 3), "2 lines, expected 3")
        refused(text.line_count(of, 3, 5), "3 to 5")

    def test_lines_are(self) -> None:
        of = says(" b\n\na \nb\n")
        accepted(text.lines_are(of, ["b", "a", "b"]))
        refused(text.lines_are(of, ["a", "b", "b"]))
        accepted(text.lines_are(of, ["a", "b", "b"], ordered=False))
        refused(text.lines_are(of, ["a", "b"], ordered=False), "extra line 'b'")
        refused(text.lines_are(of, ["a", "b", "b", "c"], ordered=False), "lacks the line 'c'")

    def test_script_is(self) -> None:
        lines = ["#!/bin/sh", 'echo "Doors open - at 7"']
        accepted(text.script_is(says("\n".join(lines)), lines))
        accepted(text.script_is(says(f"{lines[0]}  \n\n{lines[1]}\n\n"), [*lines, ""]))
        refused(text.script_is(says("\r\n".join(lines)), lines), "a shell takes for a part")
        refused(text.script_is(says("\n" + "\n".join(lines)), lines), "does not begin with")
        refused(text.script_is(says("#!/bin/sh\necho “Doors open - at 7”"), lines), "expected")
        refused(text.script_is(says('#!/bin/sh\necho "Doors open – at 7"'), lines), "expected")
        refused(text.script_is(says('#!/bin/sh\necho "Doors  open - at 7"'), lines), "expected")
        refused(text.script_is(says("\n".join([*lines, "rm x"])), lines), "should not be there")

    @given(some.lists(some.sampled_from(["a", "b", "c"])), some.lists(some.sampled_from(["a", "b", "c"])))
    def test_unordered_lines_are_a_multiset(self, held: list[str], wanted: list[str]) -> None:
        found = text.lines_are(says("\n".join(held)), wanted, ordered=False)
        assert found.passed == (sorted(held) == sorted(wanted))

    def test_has_lines(self) -> None:
        accepted(text.has_lines(says("a\n b \nc"), ["b", "a"]))
        refused(text.has_lines(says("ab"), ["a"]), "lacks the line 'a'")
        accepted(text.has_lines(says("x\na\n\nb\nc\ny"), ["a", "b", "c"], together=True))
        for held in ("a\nc\nb", "a\nb\nx\nc", "a\nb\nb\nc", "a\nb\nc\nc", "a\nx\na\nb\nc"):
            refused(text.has_lines(says(held), ["a", "b", "c"], together=True), "one below the other")

    def test_text_number(self) -> None:
        accepted(text.text_number(says("Sum: 1,200.50 EUR"), 1200.5))
        refused(text.text_number(says("1 of 1200.5"), 1200.5), "no other")
        refused(text.text_number(says("1200.5\n1200.5\n"), 1200.5), "no other")
        accepted(text.text_number(says("\n1000 + 200.5 = 1200.5\n\n"), 1200.5))
        accepted(text.text_number(says("3.1"), 3.14, tolerance=0.05))
        for alone in ("1,200.5\n", " 1200.50 units", "1200,5"):
            accepted(text.text_number(says(alone), 1200.5, alone=True))
        for more in ("not 1200.5", "Sum: 1200.5", "1000 + 200.5 = 1200.5", "1200.5 and so on"):
            refused(text.text_number(says(more), 1200.5, alone=True), "nothing else")

    def test_clipboard_is(self) -> None:
        accepted(text.clipboard_is(says("abc\n", "The clipboard"), "abc"))
        refused(text.clipboard_is(says("abcd", "The clipboard"), "abc"), "'abcd'")

    def test_clipboard_number(self) -> None:
        for held in ("1234.5", " 1234.50\n", "1,234.50", "1234,5", "1\u202f234.5", "1 234.5", "+1'234.5"):
            accepted(text.clipboard_number(says(held, "The clipboard"), 1234.5))
        for held in (
            "",
            "1234",
            "Total: 1234.5",
            "1234.5 1235",
            "1234.5 1234.5",
            "1234.5,1234.5",
            "1234.5\n1236",
            "1000+234.5",
            "1234.5 euros",
            "-1234.5",
        ):
            refused(text.clipboard_number(says(held, "The clipboard"), 1234.5), "just the number 1234.5")
        accepted(text.clipboard_number(says("0.3333", "The clipboard"), 1 / 3, tolerance=0.001))

    def test_terminal_shows(self) -> None:
        of = says("user@desktop:~$ ls\nannual-rep\nort.txt  b.txt\n", "The terminal")
        accepted(text.terminal_shows(of, ["annual-report.txt", "b.txt"]))
        refused(text.terminal_shows(of, ["c.txt"]), "does not show 'c.txt'")


class TestValues:
    def test_json_value(self) -> None:
        of = {"path": "a.json", "data": {"items": [{"n": 1.0, "on": True}]}}
        accepted(values.json_value(of, ["items", 0, "n"], 1))
        accepted(values.json_value(of, [], {"items": [{"n": 1, "on": True}]}))
        refused(values.json_value(of, ["items", 0, "on"], 1), "items.0.on", "True")
        refused(values.json_value(of, ["items", 0, "n"], True))
        refused(values.json_value(of, ["items", 1, "n"], 1), "has no items.1")
        refused(values.json_value(of, ["items"], []), "expected []")

    def test_json_number_and_lacks(self) -> None:
        of = {"path": "a.json", "data": {"n": 5, "t": True}}
        accepted(values.json_number(of, ["n"], 5, 6))
        refused(values.json_number(of, ["n"], 6, 7), "it is 5")
        refused(values.json_number(of, ["t"], 0, 7), "True")
        accepted(values.json_lacks(of, ["x"]))
        refused(values.json_lacks(of, ["n"]), "still has n")
        unknown = values.json_lacks(Fault("absent", "there is no file a.json"), ["n"])
        assert unknown.score == 0 and not unknown.known

    def test_ini_value(self) -> None:
        of = {"path": "a.ini", "sections": {"General": {"Name": '"Ana"', "Size": "3.0", "On": "True", "Bare": None}}}
        for key, value in (("Name", "Ana"), ("Size", 3), ("On", True)):
            accepted(values.ini_value(of, "General", key, value))
        refused(values.ini_value(of, "General", "Size", 4), "'3.0', expected 4")
        refused(values.ini_value(of, "General", "On", False))
        refused(values.ini_value(of, "General", "Bare", "x"))
        refused(values.ini_value(of, "General", "name", "Ana"), "no name in [General]")
        refused(values.ini_value(of, "Other", "Name", "Ana"), "no section [Other]")

    def test_xml_value(self) -> None:
        def element(tag: str, words: str = "", **more: Any) -> dict[str, Any]:
            return {"tag": tag, "text": words, "attributes": {}, "children": [], **more}

        items = [element("item", "one"), element("item", "two", attributes={"id": "7"})]
        of = {"path": "a.xml", "root": element("list", children=items)}
        accepted(values.xml_value(of, "item", "one"))
        accepted(values.xml_value(of, "item[2]", "two"))
        accepted(values.xml_value(of, "item[2]/@id", 7))
        refused(values.xml_value(of, "item[3]", "x"), "has no item[3]")
        refused(values.xml_value(of, "item/@id", 7), "has no")
        refused(values.xml_value(of, "item", "two"), "'one', expected 'two'")

    def test_setting_is(self) -> None:
        value: Any
        for held, value in ((True, True), ("true", True), ("3", 3), (3.0, 3), ("Adwaita", "Adwaita"), (["1"], [1])):
            accepted(values.setting_is({"path": "The setting", "value": held}, value))
        for held, value in ((True, False), ("3", 4), ("x", 4), (["a", "b"], ["a"]), ("a", ["b"]), ("Arc", "Arc-Dark")):
            refused(values.setting_is({"path": "The setting", "value": held}, value), "expected")

    def test_setting_between(self) -> None:
        accepted(values.setting_between({"path": "The setting", "value": "48"}, 40, 48))
        for held in ("49", "x", True, [48]):
            refused(values.setting_between({"path": "The setting", "value": held}, 1, 48), "1 to 48")

    def test_csv_rows(self) -> None:
        of = {"path": "a.csv", "rows": [["name", "sum"], ["Ana ", "4.50"], ["Tom", "3"]]}
        accepted(values.csv_rows(of, [["name", "sum"], ["Ana", 4.5], ["Tom", "3.0"]]))
        accepted(values.csv_rows(of, [["Tom", 3], ["name", "sum"], ["Ana", 4.5]], ordered=False))
        refused(values.csv_rows(of, [["name", "sum"], ["Ana", 4.5]]), "3 rows, expected 2")
        refused(values.csv_rows(of, [["name", "sum"], ["Tom", 3], ["Ana", 4.5]]), "row 2", "row 3")
        refused(values.csv_rows(of, [["name", "sum"], ["Tom", 3]], ordered=False), "extra row")
        refused(values.csv_rows(of, [["name", "sum"], ["Ana", 4.5], ["Tom", 3, ""]]), "row 3")

    def test_csv_has_and_lacks_rows(self) -> None:
        of = {"path": "a.csv", "rows": [["Ana", "4.50"], ["Tom", "3"]]}
        accepted(values.csv_has_rows(of, [["Tom", 3]]))
        refused(values.csv_has_rows(of, [["Tom", 3], ["Tom", 3]]), "lacks the row")
        accepted(values.csv_lacks_rows(of, [["Tom", 4]]))
        refused(values.csv_lacks_rows(of, [["Tom", 3]]), "still has")


def window(title: str, *, active: bool = False, minimised: bool = False) -> dict[str, Any]:
    return {"title": title, "app": "Mousepad", "box": [0, 0, 9, 9], "active": active, "minimised": minimised}


class TestScreen:
    windows = {"path": "the windows", "windows": [window("a.txt - Mousepad", minimised=True), window("B", active=True)]}
    controls = {
        "path": "the controls",
        "controls": [
            {"role": "check box", "name": "Dark theme", "text": "", "states": ["checked"]},
            {"role": "text", "name": "", "text": "Dear Ana", "states": []},
            {"role": "slider", "name": "Volume", "text": "", "states": [], "value": 40.0},
        ],
    }
    lines = {"path": "The screen", "lines": ["X Applications", "Thedocumenthasbeen", "saved to’disk"]}

    def test_windows(self) -> None:
        accepted(screen.window_open(self.windows, "a.txt", app="mousepad"))
        accepted(screen.window_open(self.windows, "/^B$/"))
        refused(screen.window_open(self.windows, "c.txt"), "'c.txt'", "'B'")
        refused(screen.window_open(self.windows, "a.txt", app="gimp"))
        accepted(screen.window_closed(self.windows, "c.txt"))
        refused(screen.window_closed(self.windows, "A.TXT"), "still open")
        accepted(screen.window_active(self.windows, "B"))
        refused(screen.window_active(self.windows, "a.txt"), "'B' has it")
        refused(screen.window_active({"windows": []}, "a.txt"), "no window has it")
        accepted(screen.window_minimised(self.windows, "a.txt"))
        refused(screen.window_minimised(self.windows, "B"), "not minimised")
        accepted(screen.window_minimised(self.windows, "B", minimised=False))
        refused(screen.window_minimised(self.windows, "C"), "No window")

    def test_controls(self) -> None:
        accepted(screen.text_in_controls(self.controls, "dear ana"))
        accepted(screen.text_in_controls(self.controls, "Dark", role="Check Box"))
        refused(screen.text_in_controls(self.controls, "Dark", role="label"), "'Dark'")
        accepted(screen.control_has(self.controls, "Dark theme", "checked"))
        refused(screen.control_has(self.controls, "Dark theme", "checked", present=False), "is checked")
        refused(screen.control_has(self.controls, "Dark theme", "selected"), "not selected")
        refused(screen.control_has(self.controls, "Light", "checked"), "no control 'Light'")

    def test_control_between(self) -> None:
        accepted(screen.control_between(self.controls, "volume", 40, 50))
        refused(screen.control_between(self.controls, "volume", 41, 50), "is at 40")
        refused(screen.control_between(self.controls, "Dark theme", 0, 50), "no control")

    def test_text_on_screen(self) -> None:
        accepted(screen.text_on_screen(self.lines, "the document has been saved to'disk"))
        refused(screen.text_on_screen(self.lines, "deleted"), "cannot be read")

    def test_text_shown_either_way(self) -> None:
        accepted(screen.text_shown(self.controls, self.lines, "Dear Ana"))
        accepted(screen.text_shown(self.controls, self.lines, "Applications"))
        refused(screen.text_shown(self.controls, self.lines, "Goodbye"), "neither")


class TestState:
    of = {
        "path": "the running programs",
        "processes": [
            {"name": "mousepad", "command": "mousepad Documents/a.txt"},
            {"name": "python3", "command": "python3 /usr/bin/catfish --x"},
            {"name": "xfce4-taskmanag", "command": "/usr/bin/xfce4-taskmanager"},
        ],
    }

    @pytest.mark.parametrize("name", ["mousepad", "catfish", "xfce4-taskmanager", "python3"])
    def test_running(self, name: str) -> None:
        accepted(state.process_running(self.of, name))
        refused(state.process_gone(self.of, name), "still running")

    @pytest.mark.parametrize("name", ["mouse", "gimp", "Documents"])
    def test_gone(self, name: str) -> None:
        accepted(state.process_gone(self.of, name))
        refused(state.process_running(self.of, name), "not running")

    def test_what_is_halted_is_neither_running_nor_gone(self) -> None:
        of = {"processes": [{"name": "sleep", "command": "sleep 60", "halted": True}]}
        refused(state.process_running(of, "sleep"), "halted")
        slowed = {"processes": [{"name": "sleep", "command": "sleep 60", "slowed": True}]}
        refused(state.process_running(slowed, "sleep"), "slowed down")
        refused(state.process_gone(of, "sleep"), "still running")

    def test_by_argument(self) -> None:
        accepted(state.process_running(self.of, "mousepad", "a.txt"))
        accepted(state.process_gone(self.of, "mousepad", "b.txt"))
        refused(state.process_running(self.of, "mousepad", "b.txt"), "'b.txt'")


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("Bring: bread\nDay: Tuesday, 17 March", True),
        ("Bring: bread\nDay: Tue", True),
        ("Bring: bread\nDay: Tuesday or Friday", False),
        ("Bring: bread\nDay: Maybe Tuesday", False),
        ("Bring: bread\nDay:", False),
        ("Bring: beer\nDay: Tuesday", False),
        ("Bring: bread\nDay: Tuesday\nDay: Tuesday", False),
    ],
)
def test_a_form_is_filled_in_and_else_as_it_was(written: str, right: bool) -> None:
    of = {"path": "picnic.txt", "text": written}
    assert text.form_says(of, "Bring: bread\nDay:", {"Day:": "Tuesday"}, ["Friday"]).passed is right
