"""What changed is told exactly, whatever was done to the files; snapshots bring back exactly what was."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Snapshot
from proctor.computers.sandbox_machine.state import LayerEntry, Manifest, compare
from proctor.errors import SpecError

real = pytest.mark.sandbox

# Lists every path below some folders with its properties and content, as a program inside sees them.
LISTING = """
import hashlib, json, os, sys
found = {}
for top in sys.argv[1:]:
    for folder, _, names in os.walk(os.fsencode(top)):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            info = os.lstat(path)
            kind = info.st_mode >> 12
            content = b""
            if kind == 8:
                content = open(path, "rb").read()
            elif kind == 10:
                content = os.readlink(path)
            facts = [info.st_mode, info.st_uid, info.st_gid, hashlib.sha256(content).hexdigest()]
            found[os.fsdecode(path)] = facts + [info.st_mtime_ns // 1000 if kind == 8 else 0]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def shared() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600)) as computer:
        yield computer


@pytest.fixture
def computer(shared: SandboxComputer) -> SandboxComputer:
    """A started computer whose task begins now."""
    shared.run(["sh", "-c", "rm -rf ~/t ~/.cache; mkdir ~/t"])
    shared.baseline()
    return shared


def shell(computer: SandboxComputer, script: str, *, root: bool = False) -> str:
    done = computer.run(["bash", "-ec", script], cwd="t", root=root)
    assert done.code == 0, done.stderr
    return done.stdout


def told(computer: SandboxComputer, below: str = "/home/user/t/") -> dict[str, tuple[str, str, int]]:
    """Return what changed below a folder: kind of change, of file, and size, by the rest of the path."""
    return {
        change.path.removeprefix(below): (change.kind, change.file, change.size)
        for change in computer.changes()
        if change.path.startswith(below)
    }


def listing(computer: SandboxComputer, *folders: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads(computer.run(["python3", "-c", LISTING, *folders], root=True).stdout)
    del found["/etc/hosts"]
    return found


# -- changes -----------------------------------------------------------------------------------------------------------


@real
def test_nothing_done_is_no_change(computer: SandboxComputer) -> None:
    assert told(computer) == {}
    assert [change for change in computer.changes() if not change.path.startswith("/home/user/.")] == []


@real
def test_files_and_folders_made(computer: SandboxComputer) -> None:
    shell(computer, "echo hello > a; mkdir -p d/e; echo x > d/e/f; ln -s a l; mkfifo p; ln a hard")
    assert told(computer) == {
        "a": ("created", "file", 6),
        "hard": ("created", "file", 6),
        "d": ("created", "folder", told(computer)["d"][2]),
        "d/e": ("created", "folder", told(computer)["d/e"][2]),
        "d/e/f": ("created", "file", 2),
        "l": ("created", "link", 1),
        "p": ("created", "other", 0),
    }


@real
def test_files_changed_and_deleted(computer: SandboxComputer) -> None:
    shell(computer, "echo one > one; echo two > two; mkdir d; echo three > d/three; ln -s one l")
    computer.baseline()
    shell(computer, "echo changed > one; rm two; rm -r d; ln -sfn elsewhere l")
    assert told(computer) == {
        "one": ("changed", "file", 8),
        "two": ("deleted", "file", 0),
        "d": ("deleted", "folder", 0),
        "d/three": ("deleted", "file", 0),
        "l": ("changed", "link", 9),
    }


@real
def test_a_rename_is_one_gone_and_one_made(computer: SandboxComputer) -> None:
    shell(computer, "echo one > one; mkdir d; echo two > d/two")
    computer.baseline()
    shell(computer, "mv one other; mv d e")
    kinds = {path: change[:2] for path, change in told(computer).items()}
    assert kinds == {
        "one": ("deleted", "file"),
        "other": ("created", "file"),
        "d": ("deleted", "folder"),
        "d/two": ("deleted", "file"),
        "e": ("created", "folder"),
        "e/two": ("created", "file"),
    }


@real
def test_only_content_and_mode_count(computer: SandboxComputer) -> None:
    shell(computer, "for f in same touched mode back; do echo $f > $f; done; mkdir d")
    computer.baseline()
    shell(computer, "touch -d 2020-01-01 touched; chmod 600 mode; echo other > back; echo back > back; chmod 700 d")
    assert {path: change[:2] for path, change in told(computer).items()} == {
        "mode": ("changed", "file"),
        "d": ("changed", "folder"),
    }


@real
def test_a_change_that_hides_its_traces_is_seen(computer: SandboxComputer) -> None:
    shell(computer, "echo 1000 > account; stat -c %Y account > /tmp/when")
    computer.baseline()
    shell(computer, 'when=$(stat -c %y account); echo 9999 > account; touch -d "$when" account')
    assert told(computer) == {"account": ("changed", "file", 5)}


@real
def test_a_file_replaced_by_another_kind(computer: SandboxComputer) -> None:
    shell(computer, "echo x > a; mkdir b; echo y > c")
    computer.baseline()
    shell(computer, "rm a; mkdir a; rmdir b; echo z > b; rm c; ln -s a c")
    assert {path: change[:2] for path, change in told(computer).items()} == {
        "a": ("changed", "folder"),
        "b": ("changed", "file"),
        "c": ("changed", "link"),
    }


@real
def test_changes_to_the_image(computer: SandboxComputer) -> None:
    existing = set(shell(computer, "find /etc/skel /etc/pam.d /etc/cron.daily").split())
    script = """
    echo more >> /etc/adduser.conf; rm /etc/issue; chmod 600 /etc/motd; touch /etc/passwd; rm -r /etc/cron.daily
    mv /etc/skel /etc/skeleton; mkdir /etc/skel; echo new > /etc/skel/new
    rm -r /etc/pam.d; mkdir /etc/pam.d; echo other > /etc/pam.d/login
    """
    shell(computer, script, root=True)
    kinds = {change.path: change.kind for change in computer.changes() if change.path.startswith("/etc/")}
    assert kinds.pop("/etc/adduser.conf") == "changed"
    assert kinds.pop("/etc/issue") == "deleted"
    assert kinds.pop("/etc/motd") == "changed"
    assert kinds.pop("/etc/skel/new") == "created"
    assert kinds.pop("/etc/pam.d/login") == "changed"
    gone = existing - {"/etc/skel", "/etc/pam.d", "/etc/pam.d/login"}
    moved = {path.replace("/etc/skel", "/etc/skeleton") for path in existing if path.startswith("/etc/skel")}
    assert kinds == {**dict.fromkeys(gone, "deleted"), **dict.fromkeys(moved, "created")}
    assert computer.before("/etc/issue") is not None
    assert computer.before("/etc/skel/.bashrc") == computer.read_file("/etc/skeleton/.bashrc")
    assert computer.before("/etc/skel/new") is None
    # And back again: what equals the image is not a change.
    undo = "rm -r /etc/skel; mv /etc/skeleton /etc/skel; sed -i '$d' /etc/adduser.conf; chmod 644 /etc/motd"
    shell(computer, undo, root=True)
    now = {change.path for change in computer.changes() if change.path.startswith("/etc/")}
    assert not {path for path in now if path.startswith(("/etc/skel", "/etc/adduser", "/etc/motd"))}
    # A beginning after all that: deleted things may come back, changed ones go.
    computer.baseline()
    shell(computer, "echo new > /etc/issue; rm -r /etc/pam.d; mkdir /etc/cron.daily", root=True)
    assert {change.path: change.kind for change in computer.changes() if change.path.startswith("/etc/")} == {
        "/etc/issue": "created",
        "/etc/pam.d": "deleted",
        "/etc/pam.d/login": "deleted",
        "/etc/cron.daily": "created",
    }


@real
def test_content_before(computer: SandboxComputer) -> None:
    computer.write_file("t/setup.txt", b"from setup")
    computer.baseline()
    computer.write_file("t/setup.txt", b"overwritten")
    computer.write_file("t/new.txt", b"new")
    assert computer.before("t/setup.txt") == b"from setup"
    assert computer.before("t/new.txt") is None
    assert computer.before("t/never.txt") is None
    assert computer.before("t") is None
    assert computer.before("/etc/debian_version") == computer.read_file("/etc/debian_version")
    computer.remove_file("t/setup.txt")
    assert computer.before("t/setup.txt") == b"from setup"
    assert computer.before("/etc/no/such/file") is None
    assert computer.before("t/setup.txt/below") is None


@real
def test_names_that_are_hard_to_write_down(computer: SandboxComputer) -> None:
    names = [b"new\nline", b"caf\xe9", b"\xff\xfe", "日本 🎉".encode(), b'quote"\\', b"-n", b" ", b"x" * 255]
    code = f"import os\nfor n in {names!r}:\n  with open(b't/' + n, 'wb') as f: f.write(n)\nos.mkdir(b't/d\\xff')"
    assert computer.execute(code).error == ""
    found = told(computer)
    wanted = {name.decode(errors="surrogateescape") for name in (*names, b"d\xff")}
    assert set(found) == wanted
    assert {entry.path.rpartition("/")[2] for entry in computer.list_files("t")} == wanted
    mark = computer.snapshot()
    for name in names:
        assert computer.read_file("t/" + name.decode(errors="surrogateescape")) == name
    computer.remove_file("t")
    computer.restore(mark)
    for name in names:
        assert computer.read_file("t/" + name.decode(errors="surrogateescape")) == name
    computer.baseline()
    for name in names:
        computer.remove_file("t/" + name.decode(errors="surrogateescape"))
    assert {path for path, change in told(computer).items() if change[0] == "deleted"} == wanted - {"d\udcff"}
    assert computer.before("t/caf\udce9") == b"caf\xe9"


@real
def test_a_file_says_how_many_names_it_has(computer: SandboxComputer) -> None:
    shell(computer, "echo a > one; ln one two; cp one three; ln -s one four")
    found = {entry.path.rpartition("/")[2]: entry.links for entry in computer.list_files("t")}
    assert found == {"one": 2, "two": 2, "three": 1, "four": 1}
    assert computer.file_info("t/two").links == 2


@real
def test_thousands_of_files(computer: SandboxComputer) -> None:
    shell(computer, "mkdir many; cd many; seq 5000 | split -l 1 -a 4 - file-")
    found = told(computer)
    assert len(found) == 5001
    assert len(computer.list_files("t/many")) == 5000
    computer.baseline()
    shell(computer, "echo changed > many/file-aaaa")
    assert told(computer) == {"many/file-aaaa": ("changed", "file", 8)}
    assert computer.before("t/many/file-aaaa") == b"1\n"


@real
def test_a_deep_folder(computer: SandboxComputer) -> None:
    shell(computer, "for i in $(seq 60); do mkdir d; cd d; done; echo deep > bottom")
    assert max(told(computer), key=len).endswith("d/bottom")


# -- snapshots ---------------------------------------------------------------------------------------------------------

CHANGE_ALL = """
echo changed > ~/t/a; rm ~/t/b; mkdir ~/t/new; echo n > ~/t/new/n; chmod 700 ~/t/c; ln -sfn b ~/t/l
rm -rf /etc/skel /etc/issue; mkdir /etc/skel; echo x > /etc/skel/y; echo more >> /etc/adduser.conf
rm -rf ~/t/d; echo file > ~/t/d; chown 900 ~/t/c
"""


@real
def test_restore_brings_back_exactly_what_was() -> None:
    with SandboxComputer(look="light", size=(800, 600)) as computer:
        computer.run(["mkdir", "t"])
        shell(
            computer,
            "echo a > a; echo b > b; echo c > c; chmod 4750 c; ln -s a l; mkdir -p d/e; echo f > d/e/f; rm -f x",
        )
        shell(
            computer,
            "rm /etc/motd; rm -r /etc/pam.d; mkdir /etc/pam.d; echo m > /etc/pam.d/login; rm -r /etc/cron.daily",
            root=True,
        )
        # Not the table of hosts, which is written at each start.
        watched = ("/home/user/t", "/home/user/Documents", "/etc", "/opt")
        was = listing(computer, *watched)
        mark = computer.snapshot()
        for _ in range(2):
            computer.run(["bash", "-c", CHANGE_ALL], root=True)
            assert listing(computer, *watched) != was
            computer.restore(mark)
            assert _difference(was, listing(computer, *watched)) == {}
            assert [change for change in computer.changes() if "/." not in change.path] == []


def _difference(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> dict[str, object]:
    return {path: (one.get(path), other.get(path)) for path in one | other if not _same(one.get(path), other.get(path))}


def _same(one: list[Any] | None, other: list[Any] | None) -> bool:
    """Compare two entries; times are packed as fractions of a second and may be off by a microsecond."""
    if one is None or other is None:
        return one is other
    return one[:-1] == other[:-1] and abs(one[-1] - other[-1]) <= 2


@real
def test_forks_are_independent_and_reopen_applications() -> None:
    with SandboxComputer(look="light", size=(800, 600)) as first:
        first.write_file("note.txt", b"first")
        first.launch(["mousepad", "note.txt"])
        with first.fork() as second, first.fork() as third:
            for computer in (second, third):
                assert computer.read_file("note.txt") == b"first"
                assert [window.app for window in computer.windows()] == ["Mousepad"]
                assert computer.facts() == first.facts()
                assert computer.facts()["builds"]["mousepad"].startswith("0.5")
                assert [change for change in computer.changes() if "/." not in change.path] == []
            second.write_file("note.txt", b"second")
            third.remove_file("note.txt")
            assert first.read_file("note.txt") == b"first"
            assert second.read_file("note.txt") == b"second"
            with pytest.raises(FileNotFoundError):
                third.read_file("note.txt")
        assert first.screenshot().size == (800, 600)


@real
def test_a_snapshot_serves_another_computer_with_the_same_image() -> None:
    with SandboxComputer(look="light", size=(800, 600)) as first:
        first.write_file("Documents/letter.txt", b"dear")
        mark = first.snapshot()
    # It outlives the computer that made it, and another size is not a hindrance.
    with SandboxComputer(look="light", size=(1024, 768)) as second:
        second.restore(mark)
        assert second.read_file("Documents/letter.txt") == b"dear"
        assert second.screenshot().size == (1024, 768)


@pytest.mark.sandbox("starter", "full")
def test_a_snapshot_of_another_image_is_refused() -> None:
    with SandboxComputer(look="light", size=(800, 600)) as first:
        mark = first.snapshot()
    with SandboxComputer(look="light", size=(800, 600), image="full") as other:
        for wrong in (mark, Snapshot(backend="fake", path=mark.path)):
            with pytest.raises(SpecError, match="another kind of computer"):
                other.restore(wrong)
        assert other.run(["true"]).code == 0


# -- the comparison itself --------------------------------------------------------------------------------------------

KINDS = ("file", "folder", "link", "other")
contents = some.sampled_from(["one", "two", "three"])


def entry(path: str, kind: str, content: str, lower: str, *, same: bool, changed: int) -> LayerEntry:
    digest = content if kind in ("file", "link") else ""
    size = len(content) if kind in ("file", "link") else 0
    return LayerEntry(path, kind, size, 0o644, changed, changed, digest, lower, same)


@some.composite
def manifests(draw: some.DrawFn) -> Manifest:
    """A layer over an image in which every path below `/i` is the file `one`, and no other exists."""
    found: Manifest = {}
    paths = some.sampled_from([f"/{top}{letter}" for top in "in" for letter in string.ascii_lowercase[:4]])
    for path in draw(some.sets(paths)):
        lower = "file" if path.startswith("/i") else ""
        kind = draw(some.sampled_from([*KINDS, "deleted"] if lower else KINDS))
        content = draw(contents)
        same = kind == lower == "file" and content == "one"
        found[path] = entry(path, kind, content, lower, same=same, changed=draw(some.integers(1, 3)))
    return found


def seen(manifest: Manifest, path: str) -> tuple[str, str] | None:
    """Return what stands at a path: the layer's entry or else the image's."""
    own = manifest.get(path)
    if own is None:
        return ("file", "one") if path.startswith("/i") else None
    return (own.kind, own.digest) if own.exists else None


@given(manifests(), manifests())
def test_compare_tells_exactly_what_differs(before: Manifest, now: Manifest) -> None:
    # Equal times, inode and size say that nobody touched it.
    for path in before.keys() & now.keys():
        one, two = before[path], now[path]
        if (one.kind, one.changed_ns, one.size) == (two.kind, two.changed_ns, two.size):
            now[path] = one
    told = {change.path: change for change in compare(before, now)}
    assert list(told) == sorted(told)
    for path in before.keys() | now.keys():
        was, became = seen(before, path), seen(now, path)
        kind = told[path].kind if path in told else None
        if was is None or became is None:
            assert kind == (None if was == became else "deleted" if became is None else "created")
        elif was != became:
            assert kind == "changed"
        elif was[0] in ("file", "link", "folder"):
            assert kind is None


@given(manifests())
def test_compare_with_itself_tells_nothing(manifest: Manifest) -> None:
    assert compare(manifest, dict(manifest)) == []


@given(manifests(), manifests())
def test_compare_there_and_back_mirrors(one: Manifest, other: Manifest) -> None:
    mirrored = {"created": "deleted", "deleted": "created", "changed": "changed"}
    there = {change.path: mirrored[change.kind] for change in compare(one, other)}
    assert there == {change.path: change.kind for change in compare(other, one)}


DEEP = """
import os
os.chdir("t")
for _ in range({levels}):
    os.mkdir("d")
    os.chdir("d")
open("bottom", "w").write("found")
"""


@real
def test_what_lies_deep_is_told_and_brought_back(computer: SandboxComputer) -> None:
    computer.run(["python3", "-c", DEEP.format(levels=900)])
    bottom = "d/" * 900 + "bottom"
    assert told(computer)[bottom] == ("created", "file", 5)
    with SandboxComputer(look="light", size=(800, 600)) as other:
        other.restore(computer.snapshot())
        assert other.read_file(f"t/{bottom}") == b"found"


@real
def test_what_is_too_deep_to_have_a_path_is_told_of_as_too_much_to_look_at(computer: SandboxComputer) -> None:
    computer.run(["python3", "-c", DEEP.format(levels=5000)])
    changes = {change.path: change.kind for change in computer.changes()}
    assert changes["/"] == "changed"
    assert max(map(len, changes)) > 4000
    computer.snapshot()


@real
def test_what_happens_by_itself_is_how_it_was_afterwards(computer: SandboxComputer) -> None:
    for name in ("kept", "renamed", "mine"):
        computer.write_file(f"{name}.txt", name.encode())
    computer.baseline()
    computer.write_file("mine.txt", b"by the agent")
    with computer.spare_changes():
        computer.run(["sh", "-c", "mv renamed.txt other.txt; echo new >> kept.txt; mkdir box; rm -f /home/user/none"])
    assert [change.path.rsplit("/")[-1] for change in computer.changes()] == ["mine.txt"]
    assert computer.before("kept.txt") == b"keptnew\n"
    assert (computer.before("renamed.txt"), computer.before("other.txt")) == (None, b"renamed")
    assert computer.before("mine.txt") == b"mine"
    computer.run(["sh", "-c", "rm other.txt; echo kept > kept.txt; echo renamed > renamed.txt"])
    told = {change.path.rsplit("/")[-1]: change.kind for change in computer.changes()}
    assert told == {"kept.txt": "changed", "mine.txt": "changed", "other.txt": "deleted", "renamed.txt": "created"}
    computer.baseline()
    assert computer.changes() == []
