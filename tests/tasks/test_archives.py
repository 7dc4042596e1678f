"""Archives: made the same each time, looked into without unpacking, judged by what they hold."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.formats.archives.checks import (
    archive_format,
    archive_holds,
    archive_lacks,
    archive_member_is,
    archive_member_line,
)
from proctor.vocabulary.formats.archives.parse import look_into
from proctor.vocabulary.formats.archives.probes import archived
from proctor.vocabulary.formats.archives.setup import archive_of
from proctor.vocabulary.formats.guard import MOST_BYTES

FILES = {"plan.txt": "first\nsecond\n", "notes/äöü.txt": "größer\n", "empty/": ""}
NAMES = st.text("abcdefgh", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("name", "form"), [("a.zip", "zip"), ("a.tar", "tar"), ("a.tar.gz", "tar.gz"), ("a.tgz", "tar.gz")]
)
def test_an_archive_is_made_alike_each_time_and_read_back(name: str, form: str) -> None:
    data = archive_of(name, FILES)
    assert data == archive_of(name, FILES)
    seen = look_into(name, data)
    assert seen["format"] == form
    assert [member["name"] for member in seen["members"]] == ["empty", "notes/äöü.txt", "plan.txt"]
    assert [member["kind"] for member in seen["members"]] == ["folder", "file", "file"]
    assert archive_holds(seen, {"plan.txt": "first\nsecond", "notes/äöü.txt": "größer"}).passed


@given(st.dictionaries(NAMES, st.text(max_size=50).map(lambda text: text.replace("\r", "")), min_size=1), st.booleans())
def test_what_was_packed_is_what_is_found(files: dict[str, str], zipped: bool) -> None:
    name = "a.zip" if zipped else "a.tar.gz"
    seen = look_into(name, archive_of(name, files))
    assert {member["name"]: member["size"] for member in seen["members"]} == {
        key: len(text.encode()) for key, text in files.items()
    }
    assert archive_holds(seen, dict.fromkeys(files, None)).passed


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
def test_a_member_is_told_by_its_digest(name: str) -> None:
    with FakeComputer() as computer:
        computer.write_file(name, archive_of(name, FILES))
        context = ProbeContext(computer)
        assert archived(context, name, "plan.txt")["sha256"] == hashlib.sha256(b"first\nsecond\n").hexdigest()
        for missing in ("notes", "empty", "äöü.txt", "other.txt"):
            with pytest.raises(CannotSee) as found:
                archived(context, name, missing)
            assert found.value.fault.kind == "absent"
        computer.write_file(name, b"no archive")
        with pytest.raises(CannotSee) as found:
            archived(context, name, "plan.txt")
        assert found.value.fault.kind == "unreadable"


def with_holes(size: int) -> bytes:
    """A tar archive of one file that is nothing but a hole of this size."""
    entry = tarfile.TarInfo("zeros")
    entry.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"%011o\0" % size
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(1024)


def test_members_that_would_not_fit_into_memory_are_refused() -> None:
    with FakeComputer() as computer:
        computer.write_file("a.tar", with_holes(1000))
        assert archived(ProbeContext(computer), "a.tar", "zeros")["sha256"] == hashlib.sha256(bytes(1000)).hexdigest()
        computer.write_file("a.tar", with_holes(MOST_BYTES + 1))
        with pytest.raises(CannotSee, match="zeros in a.tar has 268,435,457 bytes") as found:
            archived(ProbeContext(computer), "a.tar", "zeros")
        assert found.value.fault.kind == "refused"
        assert look_into("a.tar", computer.read_file("a.tar"))["members"][0]["size"] == MOST_BYTES + 1


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Caretaker: Ada Dahl\n", True), ("The current caretaker is ADA DAHL.", True), ("\nAda  Dahl\n\n", True),
        ("", False), ("Caretaker: Bo Ek\n", False), ("Ada Dahl, Bo Ek", False), ("Caretaker:\nAda Dahl", False),
        ("Adaline Dahl", False), ("The caretaker is not Ada Dahl.", False), ("Caretaker since January: Ada Dahl", True),
    ],
)  # fmt: skip
def test_a_member_may_be_a_line_in_other_words(text: str, right: bool) -> None:
    seen = look_into("a.zip", archive_of("a.zip", {"trip/README.txt": text, "b.txt": "Ada Dahl"}))
    assert archive_member_line(seen, "README.txt", ["Ada Dahl"], ["Bo Ek"]).passed is right
    assert not archive_member_line(seen, "c.txt", ["Ada Dahl"]).passed


@pytest.mark.parametrize(("folder", "right"), [("", True), ("./", True), ("more/", False), ("a/", False)])
def test_a_flat_archive_has_no_folders(folder: str, right: bool) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("a.txt", "a")
        if folder:
            made.writestr(folder, "")
    seen = look_into("a.zip", data.getvalue())
    assert archive_holds(seen, {"a.txt": "a"}).passed
    assert archive_holds(seen, {"a.txt": "a"}, flat=True).passed is right


def test_a_comment_in_an_archive_is_not_nothing_else() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("a.txt", "a")
        made.comment = b"private"
    seen = look_into("a.zip", data.getvalue())
    assert archive_holds(seen, {"a.txt": "a"}).feedback == ("a.zip has a comment in it, 'private'.",)
    assert archive_holds(seen, {"a.txt": "a"}, exactly=False).passed
    assert "comment" not in look_into("b.zip", archive_of("b.zip", {"a.txt": "a"}))


def test_what_is_only_struck_from_the_list_is_still_in_an_archive() -> None:
    data = io.BytesIO(archive_of("a.zip", {"a.txt": "a", "secret.txt": "private", "z.txt": "z"}))
    with zipfile.ZipFile(data, "a") as made:
        made.filelist = [entry for entry in made.filelist if entry.filename != "secret.txt"]
        made.writestr("b.txt", "b")
    kept = {"a.txt": "a", "b.txt": "b", "z.txt": "z"}
    seen = look_into("a.zip", data.getvalue())
    assert seen["unlisted"] > 40
    assert not archive_holds(seen, kept).passed and archive_holds(seen, kept, exactly=False).passed
    before = look_into("a.zip", b"private" + archive_of("a.zip", {"a.txt": "a"}))
    assert not archive_holds(before, {"a.txt": "a"}).passed


def test_members_of_an_archive_may_be_followed_by_their_sizes() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    data = Pipe()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.txt", "a" * 99)
        made.writestr("b.txt", "b")
    seen = look_into("a.zip", data.getvalue())
    assert "unlisted" not in seen and archive_holds(seen, {"a.txt": "a" * 99, "b.txt": "b"}).passed


def test_a_comment_of_a_member_counts_too() -> None:
    data, entry = io.BytesIO(), zipfile.ZipInfo("a.txt")
    entry.comment = b"private"
    with zipfile.ZipFile(data, "w") as made:
        made.writestr(entry, "a")
    assert not archive_holds(look_into("a.zip", data.getvalue()), {"a.txt": "a"}).passed


def test_other_packings_of_tar_are_read() -> None:
    plain = archive_of("a.tar", {"a.txt": "a"})
    assert look_into("a.tar.bz2", bz2.compress(plain))["format"] == "tar.bz2"
    assert look_into("a.tar.xz", lzma.compress(plain))["format"] == "tar.xz"


def test_an_archive_of_an_unknown_kind_is_not_made() -> None:
    with pytest.raises(SpecError, match="a.rar"):
        archive_of("a.rar", {"a": "b"})


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"\x1f\x8bnonsense", b"BZh9broken", b"\xfd7zXZ\x00broken"])
def test_what_is_no_archive_cannot_be_seen(data: bytes) -> None:
    with pytest.raises(CannotSee) as found:
        look_into("broken.zip", data)
    assert found.value.fault.kind == "unreadable"


@given(st.binary(max_size=300), st.sampled_from(["a.zip", "a.tar", "a.tar.gz"]), st.integers(0, 400))
def test_damage_leads_to_a_plain_verdict_never_to_a_crash(noise: bytes, name: str, at: int) -> None:
    data = archive_of(name, {"a.txt": "hello\n" * 20})
    damaged = data[:at] + noise + data[at + len(noise) :]
    with FakeComputer() as computer:
        computer.write_file(name, damaged)
        for look in (partial(look_into, name, damaged), partial(archived, ProbeContext(computer), name, "a.txt")):
            try:
                look()
            except CannotSee as error:
                assert error.fault.why


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/passwd", "a/../../b"])
@pytest.mark.parametrize("form", ["zip", "tar"])
def test_names_that_lead_out_are_refused(name: str, form: str) -> None:
    with pytest.raises(CannotSee) as found:
        look_into(f"a.{form}", archive_of(f"a.{form}", {name: "x"}))
    assert found.value.fault.kind == "refused"


def test_bombs_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("zeros", bytes(32 * 2**20))
    with pytest.raises(CannotSee) as found:
        look_into("a.zip", buffer.getvalue())
    assert found.value.fault.kind == "refused"
    with pytest.raises(CannotSee) as found:
        look_into("a.tar.gz", gzip.compress(bytes(MOST_BYTES + 2), compresslevel=1))
    assert found.value.fault.kind == "refused"


def test_links_and_binary_members_are_named_without_text() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as target:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        target.addfile(link)
        picture = tarfile.TarInfo("a.png")
        picture.size = 4
        target.addfile(picture, io.BytesIO(b"\x89PNG"))
    seen = look_into("a.tar", buffer.getvalue())
    assert [(member["kind"], "text" in member) for member in seen["members"]] == [("file", False), ("link", False)]
    assert not archive_holds(seen, {"link": None, "a.png": None}).passed


SEEN: dict[str, Any] = {
    "path": "a.zip",
    "format": "zip",
    "members": [
        {"name": "trip", "kind": "folder", "size": 0},
        {"name": "trip/a.txt", "kind": "file", "size": 2, "text": "a\n"},
        {"name": "trip/b.txt", "kind": "file", "size": 2, "text": "b\n"},
    ],
}


def test_the_folder_above_all_members_may_be_there_or_not() -> None:
    assert archive_holds(SEEN, {"a.txt": "a", "b.txt": "b"}, top="trip").passed
    assert archive_holds(SEEN, {"trip/a.txt": "a", "trip/b.txt": "b"}).passed
    bare = {**SEEN, "members": [{**member, "name": member["name"][5:]} for member in SEEN["members"][1:]]}
    assert archive_holds(bare, {"a.txt": "a", "b.txt": "b"}, top="trip").passed
    assert archive_holds(SEEN, {"a.txt": "a", "b.txt": "b"}, top="other").passed
    assert not archive_holds(SEEN, {"a.txt": "a", "b.txt": "b"}).passed


def test_every_mismatch_is_told() -> None:
    found = archive_holds(SEEN, {"trip/a.txt": "x", "trip/c.txt": None})
    assert found.score == 0
    assert found.feedback == (
        "trip/a.txt in a.zip, line 1: it says 'a', expected 'x'.",
        "a.zip does not hold trip/c.txt.",
        "a.zip should not hold trip/b.txt.",
    )


def test_members_beyond_those_wanted_matter_only_if_exactly_is_meant() -> None:
    assert archive_holds(SEEN, {"trip/a.txt": "a"}, exactly=False).passed
    assert not archive_holds(SEEN, {"trip/a.txt": "a"}).passed
    assert archive_member_is(SEEN, "trip/b.txt", "b").passed
    assert not archive_member_is(SEEN, "trip/b.txt", "a").passed
    assert archive_lacks(SEEN, ["c.txt"]).passed
    assert not archive_lacks(SEEN, ["b.txt"]).passed


def test_a_name_held_twice_and_a_locked_member_are_no_match() -> None:
    twice = {**SEEN, "members": [SEEN["members"][1], SEEN["members"][1]]}
    assert not archive_holds(twice, {"trip/a.txt": "a"}).passed
    locked = {**SEEN, "members": [{"name": "a", "kind": "file", "size": 1, "locked": True}]}
    assert archive_holds(locked, {"a": None}).feedback == ("a in a.zip is locked with a password.",)


def test_the_format_is_that_of_the_content() -> None:
    seen = look_into("a.zip", archive_of("a.tar.gz", {"a": "b"}))
    assert archive_format(seen, "tar.gz").passed
    assert not archive_format(seen, "zip").passed
