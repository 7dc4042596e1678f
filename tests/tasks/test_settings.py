"""Everything that is set in an application is told at once; what it only writes down makes no difference."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor import open_computer
from proctor.actions.action import Press
from proctor.applications import FIRST_SETTINGS, SETTINGS, files, settings_stores
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.computers.sandbox_machine import xfconf
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.apps.firefox.profile import FIREFOX_PROFILE
from proctor.vocabulary.apps.preferences import probes
from proctor.vocabulary.apps.preferences.parse import MOST_SETTINGS, read_store, set_otherwise
from proctor.vocabulary.apps.preferences.probes import application_settings
from proctor.vocabulary.desktop.probes.state import CHANNELS, DATABASE
from tests.tasks.settings_table import LETTERS, PATH, THREE, member, settings_file

FORMS = ("ini", "prefs", "json", "xcu", "xfconf", "dconf", "text")
WITH_SETTINGS = sorted({file.parent.name for file in files(SETTINGS)} - {"libreoffice"})


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def has_ended(name: str, computer: Computer) -> bool:
    return not computer.run(["pgrep", "-x", name]).stdout


def told(computer: Computer, app: str) -> dict[str, dict[str, Any]]:
    seen: Any = application_settings(ProbeContext(computer), app)
    return values(seen["settings"])


def values(listed: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        file: {each["name"]: each["value"] for each in listed if each["file"] == file}
        for file in {each["file"] for each in listed}
    }


def test_lines_of_settings_are_named_by_their_section() -> None:
    text = (
        b"\xef\xbb\xbfloose = 1\r\n# no\n; no\n[a]\nb=c=d\nbare\n[a]\nb=2\nb=3\n[odd\n[core] # what it is about\nd=1\n"
    )
    assert read_store("ini", text, "x") == {
        "loose": "1",
        "a/b": "c=d",
        "a/bare": True,
        "a (2)/b": "2",
        "a (2)/b (2)": "3",
        "a (2)/[odd": True,
        "core/d": "1",
    }


def test_json_is_told_by_path_and_what_holds_nothing_is_not() -> None:
    text = json.dumps({"a": {"b": [1, {"c": 2}], "empty": {}, "none": []}, "d": None}).encode()
    assert read_store("json", text, "x") == {"a.b": [1, {"c": 2}], "d": None}
    assert read_store("json", b" ", "x") == {}


def test_registries_channels_and_preferences() -> None:
    registry = (
        b'<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/a/b">'
        b'<prop oor:name="Size" oor:op="fuse"><value>12</value></prop></item></oor:items>'
    )
    assert read_store("xcu", registry, "x") == {"/a/b/Size": "12"}
    channel = xfconf.channel("a", {"b": ["x", "y"], "c": {"d": True}})
    assert read_store("xfconf", channel, "x") == {"/b": ["x", "y"], "/c/d": "true"}
    assert read_store("prefs", b'user_pref("a.b", false);\n', "x") == {"a.b": False}
    assert read_store("text", b"a\r\nb\rc\n", "x") == {"text": "a\nb\nc\n"}
    assert read_store("text", b" \n", "x") == {}


@pytest.mark.parametrize(
    ("form", "data"),
    [("json", b"{"), ("json", b"[" * 99_999), ("xcu", b"<a"), ("xfconf", b""), ("dconf", b"GVariant"), ("odd", b"")],
)
def test_broken_files_are_faults(form: str, data: bytes) -> None:
    with pytest.raises(CannotSee) as caught:
        read_store(form, data, "the file")
    assert "the file" in str(caught.value)


def test_too_many_settings_are_refused() -> None:
    many = "".join(f"k{number}=1\n" for number in range(MOST_SETTINGS + 1)).encode()
    with pytest.raises(CannotSee, match="more than"):
        read_store("ini", many, "x")
    assert len(read_store("ini", b"a=" + b"x" * 10**6, "x")["a"]) < 10**5


@given(some.sampled_from(FORMS), some.binary(max_size=300))
def test_no_bytes_crash_the_reading(form: str, data: bytes) -> None:
    try:
        read_store(form, data, "x")
    except CannotSee:
        assert form not in ("ini", "text")


def test_what_an_application_writes_down_by_itself_makes_no_difference(computer: FakeComputer) -> None:
    """It is the same before the file is there, after all of it was written, and with parts of it."""
    path = ".config/galculator/galculator.conf"
    fresh = told(computer, "galculator")[path]
    assert fresh["general/mode"] == "0"
    written = "[general]\n" + "".join(f"{name.partition('/')[2]}={value}\n" for name, value in fresh.items())
    computer.write_file(path, written.encode())
    again = told(computer, "galculator")[path]
    assert {name: again[name] for name in fresh if name.startswith("general/")} == {
        name: value for name, value in fresh.items() if name.startswith("general/")
    }
    computer.write_file(path, b"[general]\nmode=1\nremembered_valuex=7\n")
    changed = told(computer, "galculator")[path]
    assert {name for name in fresh if changed[name] != fresh[name]} == {"general/mode"}


def test_what_firefox_drops_because_it_is_usual_makes_no_difference(computer: FakeComputer) -> None:
    """A profile that prints no headings loses those that are empty anyway, once Firefox has printed."""
    path = f"{FIREFOX_PROFILE}/prefs.js"
    edges = [f"print.print_{edge}{side}" for edge in ("header", "footer") for side in ("left", "center", "right")]
    lines = {edge: f'user_pref("{edge}", "");\n' for edge in edges}
    computer.write_file(path, "".join(lines.values()).encode())
    before = told(computer, "firefox")[path]
    computer.write_file(path, "".join(line for edge, line in lines.items() if "center" not in edge).encode())
    assert told(computer, "firefox")[path] == before
    computer.write_file(path, "".join(line for edge, line in lines.items() if "left" not in edge).encode())
    assert {name for name, value in told(computer, "firefox")[path].items() if value != before[name]} == {
        "print.print_headerleft", "print.print_footerleft"
    }  # fmt: skip


def test_what_ristretto_writes_down_by_itself_makes_no_difference(computer: FakeComputer) -> None:
    path = f"{CHANNELS}/ristretto.xml"
    before = told(computer, "desktop")[path]
    computer.write_file(path, xfconf.channel("ristretto", {"window": {"navigationbar": {"position": "left"}}}))
    assert told(computer, "desktop")[path] == before
    computer.write_file(path, xfconf.channel("ristretto", {"window": {"navigationbar": {"position": "top"}}}))
    assert told(computer, "desktop")[path] != before


def test_noise_is_told_as_such(computer: FakeComputer) -> None:
    path = ".config/vlc/vlc-qt-interface.conf"
    computer.write_file(path, b"[MainWindow]\nadv-controls=4\nplaylistSize=@Size(3 3)\n[RecentsMRL]\nlist=a.ogg\n")
    seen: Any = application_settings(ProbeContext(computer), "vlc")
    kept = values(seen["settings"])[path]
    assert kept["MainWindow/adv-controls"] == "4" and "RecentsMRL/list" not in kept
    assert values(seen["noise"])[path] == {"MainWindow/playlistSize": "@Size(3 3)", "RecentsMRL/list": "a.ogg"}


def test_a_file_that_cannot_be_read_leaves_the_others(computer: FakeComputer) -> None:
    computer.write_file(".config/xfce4/xfconf/xfce-perchannel-xml/broken.xml", b"<channel")
    computer.write_file(f"{CHANNELS}/sound.xml", xfconf.channel("sound", {"volume": 3}))
    seen: Any = application_settings(ProbeContext(computer), "desktop")
    (unread,) = seen["unread"]
    assert unread["path"] == f"{CHANNELS}/broken.xml" and unread["kind"] == "unreadable" and unread["why"]
    assert values(seen["settings"])[f"{CHANNELS}/sound.xml"] == {"/volume": "3"}


def test_how_the_desktop_looks_and_acts_is_told_without_what_programs_keep_there(computer: FakeComputer) -> None:
    computer.write_file(f"{CHANNELS}/xsettings.xml", xfconf.channel("xsettings", {"Gtk": {"FontName": "Sans 20"}}))
    computer.write_file(
        f"{CHANNELS}/thunar.xml", xfconf.channel("thunar", {"last-view": "x", "misc-single-click": True})
    )
    shown = {"/org/gnome/desktop/interface/clock-format": THREE, "/org/gnome/clocks/world-clocks": THREE}
    computer.write_file(DATABASE, settings_file(shown))
    seen = told(computer, "session")
    assert seen[f"{CHANNELS}/xsettings.xml"]["/Gtk/FontName"] == "Sans 20"
    assert list(seen[DATABASE]) == ["/org/gnome/desktop/interface/clock-format"]
    assert f"{CHANNELS}/thunar.xml" not in seen


def test_a_channel_that_was_never_written_has_its_defaults(
    computer: FakeComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "DEFAULT_CHANNELS", "usual")
    usual = xfconf.channel("look", {"theme": "Plain", "size": 9})
    computer.write_file("usual/look.xml", usual)
    before = told(computer, "desktop")[f"{CHANNELS}/look.xml"]
    computer.write_file(f"{CHANNELS}/look.xml", usual)
    assert told(computer, "desktop")[f"{CHANNELS}/look.xml"] == before == {"/size": "9", "/theme": "Plain"}
    computer.write_file(f"{CHANNELS}/look.xml", xfconf.channel("look", {"backdrop": {"cycle-timer": 1}}))
    assert told(computer, "desktop")[f"{CHANNELS}/look.xml"]["/backdrop/cycle-timer"] == "1"


def test_a_key_that_is_set_to_what_it_is_anyway_does_not_count(
    computer: FakeComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "SCHEMAS", "schemas")
    schemas = settings_file({}, {"org.a": {".path": PATH, "b": LETTERS}})
    assert set_otherwise(schemas, {"/org/a/b": "['a', 'b']", "/org/a/c": "3"}) == {"/org/a/c": "3"}
    computer.write_file("schemas", schemas)
    computer.write_file(DATABASE, settings_file({"/org/a/b": member(LETTERS), "/org/a/c": THREE}))
    assert told(computer, "desktop")[DATABASE] == {"/org/a/c": "uint32 3"}


def test_an_application_that_says_nothing_of_its_settings(computer: FakeComputer) -> None:
    with pytest.raises(SpecError, match="super-editor"):
        application_settings(ProbeContext(computer), "super-editor")
    assert settings_stores("super-editor") == ()


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_every_application_says_sound_things(computer: FakeComputer, name: str) -> None:
    app = name.replace("_", "-")
    stores = settings_stores(app)
    assert stores and all(store.form in FORMS and not store.path.startswith("/") for store in stores)
    assert all(store.below.startswith("/") and store.below.endswith("/") for store in stores if store.below)
    seen: Any = application_settings(ProbeContext(computer), app)
    assert "unread" not in seen
    listed = {store.path for store in stores}
    for file in files(FIRST_SETTINGS):
        if file.parent.name == name and name != "desktop":
            assert set(json.loads(file.read_text(encoding="utf-8"))) <= listed


def test_a_table_of_many_programs_has_the_noise_of_all_of_them(computer: FakeComputer) -> None:
    computer.write_file(DATABASE, settings_file({"/org/gnome/gedit/state/window/size": THREE, "/org/x/y": THREE}))
    assert told(computer, "desktop")[DATABASE] == {"/org/x/y": "uint32 3"}
    assert "/org/xfce/mousepad/state/*" in next(
        each.noise for each in settings_stores("desktop") if each.form == "dconf"
    )


def test_families_share_what_they_share() -> None:
    assert settings_stores("libreoffice-calc") == settings_stores("libreoffice-writer") != ()


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_opening_and_closing_sets_nothing_and_a_person_does() -> None:
    with open_computer("sandbox", image="full") as computer:
        before = {app: application_settings(ProbeContext(computer), app) for app in ("mousepad", "galculator")}
        for argv in (["mousepad"], ["galculator"]):
            computer.launch(argv)
            computer.perform(Press(keys="alt+F4"))
            gone = functools.partial(has_ended, argv[0])
            computer.wait_for(gone, what=f"the end of {argv[0]}")
        for app, held in before.items():
            now: Any = application_settings(ProbeContext(computer), app)
            assert now["settings"] == held["settings"]
        command = ["gsettings", "set", "org.xfce.mousepad.preferences.view", "word-wrap", "true"]
        assert computer.run(command).code == 0
        assert told(computer, "mousepad")[DATABASE] == {"/org/xfce/mousepad/preferences/view/word-wrap": "true"}
