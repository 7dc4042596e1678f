"""Task files of other systems are read as they are; what is wrong is named with its place, and nothing is run."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from proctor.cli.import_tasks import import_
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import SpecError, UnknownName
from proctor.suites.foreign.collection import with_fault_of_files
from proctor.suites.foreign.faults import STATUSES, truth
from proctor.suites.foreign.json_file import read_file
from proctor.suites.foreign.suite import foreign_suite, read_tasks
from tests.foreign.files import SHARED, URL, agentstudio, judged, osworld, read_one, shared, write

EXAMPLES = [
    (format, file)
    for format, place in (("osworld", "own"), ("agentstudio", "own_studio"))
    for file in sorted((Path(__file__).parent / "cases" / place).rglob("*.json"))
]


def statuses(format: str, folder: Path) -> Counter[str]:
    return Counter(task.status for task in read_tasks(format, folder, None))


@shared
@pytest.mark.parametrize(
    ("format", "folder", "count"),
    [("osworld", "osworld_verified", 221), ("osmap", "osworld", 254), ("agentstudio", "agentstudio", 117)],
)
def test_every_shared_file_is_understood(format: str, folder: str, count: int) -> None:
    found = list(read_tasks(format, SHARED / folder, None))
    assert len(found) == count
    wrong = {task.id: [str(reason) for reason in task.reasons] for task in found if task.status == "malformed"}
    # Their own defects: rules without what they expect, two sides swapped, a key under another name.
    known = {"l3_spotify_find_albums", "l1_increase_sat", "l1_thunderbird_local_folder"} if format == "osmap" else set()
    assert set(wrong) == known
    assert all(".json:" in said[0] for said in wrong.values())
    assert not [name for name, said in wrong.items() if "unknown" in said[0]]


@shared
@pytest.mark.parametrize(
    ("format", "folder"), [("osworld", "osworld_verified"), ("osmap", "osworld"), ("agentstudio", "agentstudio")]
)
def test_what_is_ready_fits_our_desktops(format: str, folder: str) -> None:
    made = [task.make() for task in read_tasks(format, SHARED / folder, None) if task.make]
    assert made
    lacking = {task.id: fit.lacks for task in made if (fit := SandboxComputer.meet(task.needs, {})).lacks}
    assert lacking == {}
    # What commands of tasks call is there as well, whatever the task is about.
    assert {task.image for task in made} == {"full"}


def test_comments_and_stray_commas_are_taken(tmp_path: Path) -> None:
    text = json.dumps(osworld(instruction="See http://x.example // no comment"), indent=1)
    text = "// a task\n" + text.replace('"config"', '/* steps,\n } */ "config"').rstrip("}") + ",  // the end\n}"
    found = read_one(tmp_path, text)
    assert found.instruction == "See http://x.example // no comment"
    assert found.status == "needs asset"
    assert "left out" in found.remarks[0]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "line 1: it is not valid JSON"),
        ('{"id": 1,\n "x": }', "line 2: it is not valid JSON"),
        ("/* never ends", "not valid JSON"),
        ('// a task\n{"id": "a",\n # not one of these\n}', "line 3: it is not valid JSON"),
        ("[" * 5000, "nested too deeply"),
        ('{"a":' * 150 + "1" + "}" * 150, "nested deeper"),
        ('{"seconds": NaN}', "no number"),
        ('{"n": ' + "9" * 5000 + "}", "too many digits"),
        ("{}", "'id' is missing"),
        ("[1]", "an object, not a list"),
        ('"text"', "an object, not a text"),
        ('{"id": "\\ud800"}', "half a character"),
        ("null", "an object, not null"),
        ("", "not valid JSON"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, fault: str, tmp_path: Path) -> None:
    found = read_one(tmp_path, text)
    assert found.status == "malformed"
    assert any(fault in str(reason) and "one.json" in str(reason) for reason in found.reasons), found.reasons


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    write(tmp_path, "os/one.json", "")
    (tmp_path / "os/one.json").write_bytes(b"\xff\xfe{}")
    [found] = read_tasks("osworld", tmp_path, None)
    assert "not a text in UTF-8" in str(found.reasons[0])


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret.json", osworld(instruction="secret"))
    inside = tmp_path / "tasks"
    inside.mkdir()
    (inside / "one.json").symlink_to(secret)
    (inside / "loop.json").symlink_to("loop.json")
    found = list(read_tasks("osworld", inside, None))
    assert [task.status for task in found] == ["malformed", "malformed"]
    assert all(task.instruction != "secret" for task in found)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = write(tmp_path, "one.json", "")
    with path.open("wb") as file:
        file.truncate(2**33)
    assert "more than" in read_file(path, tmp_path).fault


@pytest.mark.parametrize(
    ("changes", "fault", "line"),
    [
        ({"config": [{"type": "lunch", "parameters": {}}]}, "unknown setup step 'lunch'; did you mean 'launch'", 6),
        ({"config": [{"type": "open"}]}, "the step 'open' lacks 'path'", 5),
        ({"config": [{"type": "open", "parameters": {"path": 3}}]}, "'path' is a number, not a text", 8),
        ({"config": [3]}, "a step is an object", 5),
        ({"config": {"type": "open"}}, "not a list of steps", 4),
        ({"config": [{"type": "sleep", "parameters": {"seconds": "soon"}}]}, "not a number", 7),
        ({"config": [{"type": "execute", "parameters": {"command": []}}]}, "neither a text nor a list", 8),
        ({"config": [{"type": "execute", "parameters": {"command": [""]}}]}, "neither a text nor a list", 8),
        (
            {"config": [{"type": "split_screen", "parameters": {"window_name1": ["a"], "window_name2": "b"}}]},
            "a text",
            8,
        ),
        ({"config": [{"type": "download", "parameters": {"files": ["x"]}}]}, "a file is an object", 9),
        ({"related_apps": "os"}, "not a list of texts", 15),
        ({"evaluator": []}, "'evaluator' is missing, or is no object", 18),
        ({"instruction": "  "}, "'instruction' is missing", 3),
        ({"config": [{"type": "chrome_open_tabs", "parameters": {"urls_to_open": "a.org"}}]}, "not a list of texts", 8),
        ({"config": [{"type": "update_browse_history", "parameters": {"history": "a.org"}}]}, "not of the kind", 6),
        (
            {"config": [{"type": "download", "parameters": {"files": [{"url": "https://[::1/a", "path": "a"}]}}]},
            "not of the kind that belongs there: Invalid IPv6 URL",
            6,
        ),
    ],
)
def test_each_fault_has_its_place(changes: dict[str, Any], fault: str, line: int, tmp_path: Path) -> None:
    found = read_one(tmp_path, json.dumps(osworld(**changes), indent=1))
    assert found.status == "malformed"
    reason = next(reason for reason in found.reasons if fault.split(",")[0] in reason.why)
    assert reason.place.endswith("one.json:" + reason.place.rpartition(":")[2])
    assert abs(int(reason.place.rpartition(":")[2]) - line) <= 3


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (
            judged("exact_mach", {"type": "vm_file", "path": "/a"}, {"type": "rule", "rules": {}}),
            "did you mean 'exact_match'",
        ),
        (judged("exact_match", {"type": "vm_fil", "path": "/a"}, {}), "did you mean 'vm_file'"),
        (judged("exact_match", {"type": "vm_file"}, {}), "the getter 'vm_file' lacks 'path'"),
        (judged("exact_match", {"type": "vm_file", "path": "/a"}, {"type": "rule", "rules": {}}), "lack 'expected'"),
        (
            judged(["exact_match"] * 2, [{"type": "vm_file", "path": "/a"}], []),
            "'result' has 1 parts, and 'func' has 2",
        ),
        (judged("exact_match"), "has no 'result'"),
        (judged(3), "neither the name of a metric nor a list"),
        (judged("infeasible", conj="xor"), "not 'and' or 'or'"),
        (judged(["infeasible", "exact_match"], [{}, {}], [{}, {}]), "stands among other metrics"),
    ],
)
def test_faults_of_judgement_are_named(data: dict[str, Any], fault: str, tmp_path: Path) -> None:
    found = read_one(tmp_path, data)
    assert found.status == "malformed"
    assert any(fault in str(reason) for reason in found.reasons), found.reasons


@pytest.mark.parametrize(
    ("metric", "rules", "arguments"),
    [
        ("check_include_exclude", {"include": "done", "exclude": "error"}, {"every": ("done",), "none": ("error",)}),
        ("check_list", {"expect": "^a$"}, {"every": ("^a$",), "none": ()}),
        ("file_contains", {"expected": "done"}, {"every": ("done",)}),
        ("match_in_list", {"expected": "done"}, {"texts": ("done",)}),
    ],
)
def test_one_text_is_a_list_of_one(metric: str, rules: Any, arguments: dict[str, Any], tmp_path: Path) -> None:
    result = {"type": "vm_command_line", "command": "cat a.txt"}
    found = read_one(tmp_path, judged(metric, result, {"type": "rule", "rules": rules}))
    assert found.make is not None
    made = dict(found.make().check.arguments)
    del made["of"]
    assert made == arguments


def test_unknown_keys_and_strings_for_booleans_are_taken(tmp_path: Path) -> None:
    data = osworld(proxy="false", hint="x", future={"deep": [1]}, config=[{"type": "execute", "parameters": {
        "command": "touch a.txt", "shell": "true", "new": 1}}])  # fmt: skip
    assert read_one(tmp_path, data).status == "ready"
    assert read_one(tmp_path, {**data, "proxy": "true"}).status == "needs internet"


@given(some.one_of(some.booleans(), some.none(), some.text(max_size=5), some.integers()))
def test_truth_is_told_of_anything(value: object) -> None:
    assert truth(value) in (True, False)
    assert not any(map(truth, ("false", "False", " no ", "0", "", None)))


def test_doubled_ids_are_named_only_where_they_collide(tmp_path: Path) -> None:
    for name in ("os/one.json", "os/two.json", "vlc/one.json"):
        write(tmp_path, name, osworld(config=[]))
    found = {str(task.file.path.relative_to(tmp_path)): task for task in read_tasks("osworld", tmp_path, None)}
    assert [task.status for task in found.values()] == ["ready", "malformed", "ready"]
    assert "belongs to" in str(found["os/two.json"].reasons[0])
    assert "same id, in another domain" in found["vlc/one.json"].remarks[0]


def test_index_files_are_no_tasks(tmp_path: Path) -> None:
    write(tmp_path, "test_all.json", {"os": ["a-1"], "vlc": []})
    write(tmp_path, "examples/os/a-1.json", osworld())
    assert len(list(read_tasks("osworld", tmp_path, None))) == 1


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        ({"proxy": True}, "needs internet", "proxy"),
        ({"related_apps": ["Zotero"]}, "needs application", "Zotero"),
        ({"related_apps": ["Xmind"]}, "needs application", "Xmind"),
        ({"config": [{"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["https://shop.example"]}}]},
         "needs internet", "shop.example"),
        ({"config": [{"type": "login", "parameters": {"settings_file": "s", "platform": "googledrive"}}]},
         "needs account", "Google"),
        ({"evaluator": {"func": "is_vlc_playing", "result": {"type": "vlc_playing_info"}, "expected": {
            "type": "rule", "rules": {"type": "url", "url": "https://films.example/a.m3u8"}}}},
         "needs internet", "films.example"),
        ({"evaluator": {"func": "is_not_empty", "result": {"type": "vm_command_line", "command": "dpkg -l | grep x"}}},
         "needs application", "sudo"),
        ({"evaluator": {"func": "is_not_empty", "result": {"type": "vm_command_line", "command": "[ -d '/a' ] && ls"}}},
         "needs application", "sudo"),
        ({"config": [{"type": "execute", "parameters": {"command": "pip install x", "shell": True}}]},
         "needs internet", "installs x"),
        ({"config": [{"type": "execute", "parameters": {"command": "echo 1 | exiftool -", "shell": True}}]},
         "needs application", "exiftool"),
        ({"config": [{"type": "execute", "parameters": {"command": "echo password | sudo -S chsh -s /bin/zsh"}}]},
         "needs application", "a login of Ubuntu's desktop"),
        ({"evaluator": {"func": "is_not_empty", "result": {"type": "vm_command_line", "command": "cat ~/snap/n/a"}}},
         "needs application", "the snap n"),
        ({"config": [{"type": "replay", "parameters": {}}]}, "not judged yet", "'replay'"),
        ({"config": [{"type": "monitor_activated_times", "parameters": {"window_name": "a"}}]},
         "not judged yet", "'monitor_activated_times'"),
        ({}, "needs asset", "start.txt"),
    ],
)  # fmt: skip
def test_what_a_task_needs_is_said(changes: dict[str, Any], status: str, why: str, tmp_path: Path) -> None:
    found = read_one(tmp_path, osworld(**{"config": [], **changes} if changes else changes))
    assert found.status == status
    assert any(why in reason.why for reason in found.reasons if reason.status == status)


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        ({}, "ready", ""),
        ({"instruction": "Send to ${AS_GMAIL_RECIPIENT}"}, "needs account", "Google"),
        ({"instruction": "${AS_WHAT}"}, "malformed", "unknown variable 'AS_WHAT'"),
        ({"eval_procedure": []}, "malformed", "'eval_procedure' is missing"),
        ({"eval_procedure": [{"evaluator": "filesystem", "function": "exist", "params": {}}]}, "malformed", "'exists'"),
        ({"eval_procedure": [{"evaluator": "filesystem", "function": "exists"}]}, "malformed", "lacks 'file_to_check'"),
        ({"eval_procedure": [{"evaluator": "filesystem"}]}, "malformed", "the function of 'filesystem' is missing"),
        ({"eval_procedure": [{"evaluator": "human", "function": "human", "params": {"prompt": "?"}}]},
         "not judged yet", "human.human"),
        ({"max_steps": "many"}, "malformed", "'max_steps'"),
        ({"task_id": 3}, "malformed", "'task_id' is a number"),
    ],
)  # fmt: skip
def test_agentstudio_is_read_the_same_way(changes: dict[str, Any], status: str, why: str, tmp_path: Path) -> None:
    found = read_one(tmp_path, agentstudio(**changes), "agentstudio")
    assert found.status == status
    assert not why or any(why in str(reason) for reason in found.reasons), found.reasons


plain = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(
    field=some.sampled_from(["id", "config", "evaluator", "related_apps", "proxy", "instruction"]),
    inside=some.sampled_from(["func", "result", "expected", "options", "postconfig", "conj", ""]),
    value=plain,
)
def test_whatever_stands_there_has_a_status(
    tmp_path_factory: pytest.TempPathFactory, field: str, inside: str, value: object
) -> None:
    data = osworld()
    if inside:
        data["evaluator"][inside] = value
    else:
        data[field] = value
    found = read_one(tmp_path_factory.mktemp("any"), data)
    assert found.status in STATUSES
    json.dumps(found.to_json())


@given(more=some.data())
def test_any_value_at_any_place_has_a_status(tmp_path_factory: pytest.TempPathFactory, more: some.DataObject) -> None:
    format, file = more.draw(some.sampled_from(EXAMPLES))
    whole = json.loads(file.read_text(encoding="utf-8"))
    *above, last = more.draw(some.sampled_from([*places(whole)]))
    within = whole
    for key in above:
        within = within[key]
    within[last] = more.draw(plain)
    found = with_fault_of_files(read_one(tmp_path_factory.mktemp("any"), whole, format))
    assert found.status in STATUSES
    # No word of Python's reaches whoever wrote the file.
    assert not [reason for reason in found.reasons if "object" in reason.why and "attribute" in reason.why]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


@given(field=some.sampled_from(["eval_procedure", "reset_procedure", "max_time", "task_id"]), value=plain)
def test_whatever_stands_in_agentstudios_has_a_status(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    found = read_one(tmp_path_factory.mktemp("any"), agentstudio(**{field: value}), "agentstudio")
    assert found.status in STATUSES


def test_the_command_prints_a_line_for_each_and_a_list_of_what_is_missing(tmp_path: Path) -> None:
    write(tmp_path, "tasks/os/one.json", osworld())
    write(tmp_path, "tasks/os/two.json", osworld(id="../../etc/passwd", instruction="\x1b[2Jx"))
    missing = tmp_path / "missing.json"
    asked = ["osworld", str(tmp_path / "tasks"), "--report", "--json", "--missing", str(missing)]
    done = CliRunner().invoke(import_, asked, catch_exceptions=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["status"] for line in lines] == ["needs asset", "needs asset"]
    assert {"id", "domain", "status", "reasons"} <= lines[0].keys()
    assert json.loads(done.stderr)["needs asset"] == 2
    [entry] = json.loads(missing.read_text())
    assert entry["url"] == URL and entry["tasks"] == ["a-1", "../../etc/passwd"]
    assert ".." not in entry["file"].split("/")
    shown = CliRunner().invoke(import_, asked[:2], catch_exceptions=False).output
    assert "needs asset" in shown and "2 tasks" in shown and "\x1b" not in shown


def test_what_is_saved_in_the_end_keeps_its_format(tmp_path: Path) -> None:
    def finish(program: str) -> list[str]:
        step = {"type": "execute", "parameters": {"command": ["python", "-c", f"import pyautogui; {program}"]}}
        data = osworld(config=[], evaluator={**osworld()["evaluator"], "postconfig": [step]})
        made = read_one(tmp_path, data).make
        assert made is not None
        return [call.name for call in made().finish]

    assert finish("pyautogui.hotkey('ctrl', 's'); time.sleep(0.5)") == ["actions", "keep_format"]
    assert finish("pyautogui.press('enter')") == ["actions"]


def test_our_own_terminal_is_ended_where_theirs_is_named(tmp_path: Path) -> None:
    step = {"type": "execute", "parameters": {"command": ["/bin/bash", "-c", "killall gnome-terminal-server"]}}
    data = osworld(config=[], evaluator={**osworld()["evaluator"], "postconfig": [step]})
    made = read_one(tmp_path, data).make
    assert made is not None
    [call] = made().finish
    assert "killall -q lxterminal" in call.arguments["argv"][-1]


def test_a_task_that_is_not_there_is_looked_for_where_it_was_asked_for(tmp_path: Path) -> None:
    for at in range(40):
        write(tmp_path, f"tasks/os/{at}.json", osworld(id=f"a-{at}"))
    write(tmp_path, "files/start.txt", "x")
    suite = foreign_suite(f"osworld:{tmp_path / 'tasks'}?assets={tmp_path / 'files'}")
    with pytest.raises(UnknownName, match=re.escape(f"--suite osworld:{tmp_path / 'tasks'}`")):
        suite.template("os-none")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no folder"):
        list(read_tasks("osworld", tmp_path / "none", None))


def test_a_folder_comes_with_all_its_files(tmp_path: Path) -> None:
    copied = {"evaluator": "filesystem", "function": "copy", "params": {"src": "data/x/project", "dest": "work"}}
    data = agentstudio(reset_procedure=[copied])
    assets = tmp_path / "assets"
    write(assets, "data/x/project/a.py", "1")
    write(assets, "data/x/project/deep/b.py", "2")
    (assets / "data/x/project/away.py").symlink_to("/etc/hostname")
    found = read_one(tmp_path, data, "agentstudio", assets)
    assert found.make is not None
    setup = [dict(call.arguments) for call in found.make().setup if call.name == "asset_file"]
    assert {each["path"] for each in setup} == {"/home/user/work/a.py", "/home/user/work/deep/b.py"}
    write(assets, "elsewhere/project/c.py", "3")
    assert read_one(tmp_path, data, "agentstudio", assets).status == "ready"
    assert read_one(tmp_path, data, "agentstudio").status == "needs asset"


def judged_by(function: str, evaluator: str = "filesystem", **params: Any) -> dict[str, Any]:
    return agentstudio(eval_procedure=[{"evaluator": evaluator, "function": function, "params": params}])


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (judged_by("exists", file_to_check=["a"]), "'file_to_check' is a list, not an object"),
        (judged_by("check_json_settings", path="a", settings=[1]), "'settings' is a list, not an object"),
        (judged_by("compare_table", "sheets", expected="g", result="a", options="x"), "'options' is a text"),
        (judged_by("diff", "system", file1=1, file2="b"), "'file1' is a number, not a text"),
        (agentstudio(reset_procedure=[{"evaluator": "process", "function": "create_process",
                                       "params": {"cmd": ["code", 3]}}]), "'cmd' is neither a text nor a list"),
    ],
)  # fmt: skip
def test_parameters_have_their_kind(data: dict[str, Any], fault: str, tmp_path: Path) -> None:
    found = read_one(tmp_path, data, "agentstudio")
    assert found.status == "malformed"
    assert any(fault in str(reason) and "one.json:" in str(reason) for reason in found.reasons), found.reasons


def test_false_as_a_text_is_false(tmp_path: Path) -> None:
    found = read_one(tmp_path, judged_by("exists", file_to_check={"a": "false", "b": "True"}), "agentstudio")
    assert found.make is not None
    assert [each.name for each in found.make().check.arguments["of"]] == ["nothing_there", "any_of"]


def test_more_steps_than_there_can_be_are_as_many_as_can(tmp_path: Path) -> None:
    found = read_one(tmp_path, agentstudio(max_steps=99_999), "agentstudio")
    assert found.make is not None and found.make().limits.steps == 1000


@pytest.mark.parametrize(
    ("metric", "name", "content"),
    [
        ("compare_pdfs", "half.pdf", b"%PDF-1.4\n1 0 obj\n<<"),
        ("compare_images", "half.png", b"\x89PNG\r\n\x1a\n" + bytes(3000)),
        ("compare_images", "half.jpg", b"\xff\xd8\xff\xe0" + bytes(3000)),
        ("compare_docx_files", "half.docx", b"PK\x03\x04" + bytes(3000)),
        ("compare_images", "noise.gif", b"GIF89a" + bytes(9)),
    ],
)
def test_a_file_that_is_not_whole_is_named_in_the_report(
    metric: str, name: str, content: bytes, tmp_path: Path
) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / name).write_bytes(content)
    expected = {"type": "cloud_file", "path": f"https://x.example/{name}", "dest": name}
    result = {"type": "vm_file", "path": f"/home/user/{name}", "dest": name}
    write(tmp_path, "tasks/os/one.json", judged(metric, result, expected))
    asked = ["osworld", str(tmp_path / "tasks"), "--assets", str(assets), "--json"]
    done = CliRunner().invoke(import_, asked, catch_exceptions=False)
    [line] = map(json.loads, done.stdout.splitlines())
    assert line["status"] == "needs asset" and name in line["reasons"][0], line


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (judged_by("metadata_check", file_to_check={"a": {"size": "3", "owner": "u"}}), {"size_between", "output_is"}),
        (judged_by("metadata_check", file_to_check={"a": {"last_modified": 1773307800.5}}), {"output_is"}),
        (judged_by("metadata_check", file_to_check={"a": {"last_modified": "2026-03-12T09:30:00"}}), {"output_is"}),
        (judged_by("metadata_check", file_to_check={"a": {"last_modified": "2026"}}), "neither a date nor seconds"),
        (judged_by("metadata_check", file_to_check={"a": {"creation_time": 1773307800}}), "'creation_time' of a file"),
        (judged_by("match_process", "process", name="gedit|mousepad"), {"lines_match"}),
        (judged_by("match_process", "process", name="mousepad"), {"process_running"}),
        (judged_by("match_process", "process", name="(a"), "no regular expression"),
        (judged_by("verify_ini", target_path="a.ini", ref_path="/etc/b.ini"), {"same_sections"}),
    ],
)  # fmt: skip
def test_all_that_agentstudio_looks_at_has_a_check(data: dict[str, Any], names: set[str] | str, tmp_path: Path) -> None:
    found = read_one(tmp_path, data, "agentstudio")
    if isinstance(names, str):
        assert found.status == "not judged yet" and names in str(found.reasons[0])
        return
    assert found.make is not None, found.reasons
    check = found.make().check
    held = check.arguments["of"] if check.name == "all_of" else [check]
    assert {each.name for each in held} == names
