"""Reads a copy of a git repository, which comes in as a tar archive, and tells all of it as JSON."""

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

MOST_COMMITS, MOST_ANCESTORS, MOST_FILES = 50, 20_000, 300
MOST_REFS, MOST_ENTRIES, MOST_MESSAGE = 500, 2_000, 4_000
SMALL_TEXT = 64 * 1024
MOST_OUTPUT = 4 * 1024 * 1024
PATIENCE_SEC = 10
CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
# Whatever the repository says of how files are to be turned around on their way in and out.
ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding\n"
GIT = (
    "/usr/bin/git", "--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
    "-c", "core.untrackedCache=false", "-c", "core.commitGraph=false", "-c", "core.multiPackIndex=false",
    "-c", "core.attributesFile=/dev/null", "-c", "core.excludesFile=/dev/null", "-c", "log.showSignature=false",
    "-c", "protocol.allow=never",
)  # fmt: skip


class _Refused(Exception):
    """The repository cannot be read, and why."""


class Repository:
    """A copy of a repository, asked for one thing after the other in one time for all of it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.deadline = time.monotonic() + PATIENCE_SEC
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1",
            "GIT_ATTR_NOSYSTEM": "1", "GIT_GRAFT_FILE": "/dev/null", "GIT_DIR": f"{folder}/.git",
            "GIT_WORK_TREE": folder,
        }  # fmt: skip

    def ask(self, *words: str, may_fail: bool = False, input: bytes = b"") -> bytes:
        """Return what git prints; empty where it fails and may."""
        try:
            done = subprocess.run(
                [*GIT, *words], input=input, capture_output=True, env=self.environment, cwd=self.folder,
                timeout=max(self.deadline - time.monotonic(), 0.01), check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise _Refused(f"git takes longer than {PATIENCE_SEC} s to read it") from error
        if done.returncode != 0:
            if may_fail:
                return b""
            raise _Refused(f"git cannot read it: {done.stderr.decode(errors='replace').strip()[-300:]}")
        if len(done.stdout) > MOST_OUTPUT:
            raise _Refused("it holds more than is looked at")
        return done.stdout

    def tell(self) -> "dict[str, object]":
        """Return everything that is looked at."""
        # An object that does not match its name would be believed by everything below.
        self.ask("fsck", "--full", "--no-dangling", "--no-reflogs", "--no-progress")
        born = bool(self.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True))
        heads = self.ask("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads")
        return {
            "branch": words_of(self.ask("symbolic-ref", "--short", "--quiet", "HEAD", may_fail=True))[:1],
            "heads": dict(line.split(" ") for line in lines_of(heads)),
            "tags": words_of(self.ask("for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags")),
            "commits": self.commits() if born else [],
            "ancestors": words_of(self.ask("rev-list", f"--max-count={MOST_ANCESTORS}", "HEAD")) if born else [],
            "changed": self.changed_files() if born else [],
            "status": self.status(),
            "files": self.files() if born else {},
            "refs": self.refs(),
            "history": self.history(),
            "tree": self.tree("ls-tree", "-r", "-z", "HEAD") if born else [],
            "staged": self.tree("ls-files", "-s", "-z"),
            "head": words_of(self.ask("rev-parse", "--verify", "--quiet", "HEAD", may_fail=True))[:1],
        }

    def refs(self) -> "list[dict[str, str]]":
        """Return everything that names a commit, also what is stashed away, with what a tag says."""
        form = "%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(contents)%00%01"
        told = self.ask("for-each-ref", f"--count={MOST_REFS + 1}", f"--format={form}")
        rows = [row.lstrip("\n").split("\0") for row in told.decode(errors="replace").split("\0\x01") if row.strip()]
        if len(rows) > MOST_REFS:
            raise _Refused(f"it has more than the {MOST_REFS} branches and tags that are looked at")
        return [
            {"name": name, "commit": inner or there, **({"says": said[:MOST_MESSAGE].strip()} if kind == "tag" else {})}
            for name, there, kind, inner, said in rows
        ]

    def history(self) -> "list[dict[str, object]]":
        """Return the newest commits of all branches and tags: who made them, when, and what they say."""
        form = "%H%x00%P%x00%an <%ae>%x00%cn <%ce>%x00%aI%x00%cI%x00%B%x00"
        told = self.ask("log", "--all", f"--max-count={MOST_COMMITS}", "--no-show-signature", f"--format={form}%x01")
        rows = [row.lstrip("\n").split("\0") for row in told.decode(errors="replace").split("\0\x01") if row.strip()]
        return [
            {
                "id": row[0], "parents": row[1].split(), "author": row[2], "committer": row[3], "authored": row[4],
                "committed": row[5], "says": row[6].strip()[:MOST_MESSAGE],
            }
            for row in rows
        ]  # fmt: skip

    def tree(self, *words: str) -> "list[dict[str, str]]":
        """Return the files of a commit or of what is staged: path, mode and the name of the content."""
        listed = [entry.partition("\t") for entry in parts_of(self.ask(*words)) if entry]
        if len(listed) > MOST_ENTRIES:
            raise _Refused(f"it holds more than the {MOST_ENTRIES:,} files that are looked at")
        found = []
        for about, _, path in listed:
            content = re.search(r"\b[0-9a-f]{40,64}\b", about)
            found.append({"path": path, "mode": about[:6], "content": content[0] if content else ""})
        return found

    def commits(self) -> "list[str]":
        """Return the subjects of the newest commits."""
        said = parts_of(self.ask("log", f"--max-count={MOST_COMMITS}", "-z", "--no-show-signature", "--format=%s"))
        return said[:-1] if said[-1] == "" else said

    def changed_files(self) -> "list[str]":
        """Return what the last commit changed."""
        options = ("--root", "--no-commit-id", "--no-ext-diff", "--no-renames", "--name-only", "-r", "-z")
        return [name for name in parts_of(self.ask("diff-tree", *options, "HEAD")) if name]

    def status(self) -> "list[list[str]]":
        """Return what differs between the last commit, the index and the files."""
        options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
        return [[entry[:2], entry[3:]] for entry in parts_of(self.ask("status", *options)) if entry]

    def files(self) -> "dict[str, str | None]":
        """Return the files of the last commit by path, with their text where it is short."""
        entries = [
            entry.partition("\t") for entry in parts_of(self.ask("ls-tree", "-r", "-z", "--long", "HEAD")) if entry
        ]
        if len(entries) > MOST_FILES:
            raise _Refused(f"it holds {len(entries):,} files, more than the {MOST_FILES} that are looked at")
        found: dict[str, str | None] = {}
        small: dict[str, str] = {}
        for about, _, path in entries:
            told = re.fullmatch(r"(\d{6}) (\w+) ([0-9a-f]+) +(\d{1,18}|-)", about)
            if told is None:
                raise _Refused(f"git lists a file of it as {about[:80]!r}")
            found[path] = None
            if told[2] == "blob" and told[1].startswith("100") and int(told[4]) <= SMALL_TEXT:
                small[path] = told[3]
        return {**found, **self.texts(small)}

    def texts(self, names: "dict[str, str]") -> "dict[str, str | None]":
        """Return the texts of objects."""
        wanted = "".join(f"{name}\n" for name in names.values()).encode()
        said, found = self.ask("cat-file", "--batch", input=wanted) if names else b"", {}
        for path in names:
            head, _, said = said.partition(b"\n")
            size = int(head.split()[2])
            found[path] = text_of(said[:size])
            said = said[size + 1 :]
        return found


def text_of(data: bytes) -> "str | None":
    """Return data as text, None where it is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def parts_of(data: bytes) -> "list[str]":
    """Return what stands between zero bytes."""
    return data.decode(errors="replace").split("\0")


def lines_of(data: bytes) -> "list[str]":
    """Return the lines of what was printed."""
    return data.decode(errors="replace").splitlines()


def words_of(data: bytes) -> "list[str]":
    """Return the words of what was printed."""
    return data.decode(errors="replace").split()


def main() -> None:
    """Unpack the copy, read it, tell it."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
            archive.extraction_filter = lambda member, _path: member
            archive.extractall(folder)
        for name, held in (("config", CONFIG), ("info/attributes", ATTRIBUTES)):
            Path(folder, ".git", name).write_text(held)
        try:
            told = Repository(folder).tell()
        except _Refused as error:
            told = {"refused": str(error)}
    sys.stdout.write(json.dumps(told))


main()
