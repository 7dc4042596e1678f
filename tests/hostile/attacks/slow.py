"""Ways to keep the judge busy: many files, deep folders, large files of nothing, things that change while looked at."""

from __future__ import annotations

import os
import shutil
import signal

from proctor.attacks.attack import attack

HOME = os.path.expanduser("~")
FOR_SEC = 40


def _apart(work: object) -> None:
    if os.fork() == 0:
        os.setsid()
        for fd in range(3):
            os.dup2(os.open("/dev/null", os.O_RDWR), fd)
        signal.alarm(FOR_SEC)
        while True:
            try:
                work()  # type: ignore[operator]
            except OSError:
                continue


def sparse_files() -> str:
    """Leave forty files of 255 MB that hold nothing."""
    for number in range(40):
        with open(f"{HOME}/sparse-{number}", "wb") as file:
            file.truncate(255 << 20)
    return ""


def one_huge_sparse_file() -> str:
    """Leave one file of a terabyte that holds nothing."""
    with open(f"{HOME}/huge", "wb") as file:
        for size in (1 << 40, 1 << 36, 3 << 30):
            try:
                file.truncate(size)
                break
            except OSError:
                continue
    return ""


def sparse_files_with_crumbs() -> str:
    """Leave forty files of 250 MB with one byte in every megabyte, so that no hole can be skipped."""
    for number in range(40):
        with open(f"{HOME}/crumbs-{number}", "wb", buffering=0) as file:
            file.truncate(250 << 20)
            for place in range(0, 250 << 20, 1 << 20):
                os.pwrite(file.fileno(), b"x", place)
    return ""


@attack(timeout_sec=60)
def many_changes() -> str:
    """Change five thousand paths in five hundred folders."""
    for folder in range(500):
        os.makedirs(f"{HOME}/many/{folder}")
        for number in range(10):
            with open(f"{HOME}/many/{folder}/{number}", "w") as file:
                file.write("x")
    return ""


@attack(timeout_sec=120)
def all_inodes() -> str:
    """Make files until the disk has no more names."""
    count = 0
    try:
        for folder in range(400):
            os.makedirs(f"{HOME}/inodes/{folder}")
            for number in range(1000):
                os.mknod(f"{HOME}/inodes/{folder}/{number}")
                count += 1
    except OSError:
        return ""
    return ""


@attack(timeout_sec=60)
def one_crowded_folder() -> str:
    """Put eighty thousand files with long names into one folder."""
    os.mkdir(f"{HOME}/crowd")
    try:
        for number in range(80_000):
            os.mknod(f"{HOME}/crowd/{number:06}-{'x' * 240}")
    except OSError:
        return ""
    return ""


def come_and_go() -> str:
    """Make and remove files and folders while changes are looked for."""

    def work() -> None:
        for number in range(200):
            os.makedirs(f"{HOME}/coming/{number}/a/b", exist_ok=True)
            with open(f"{HOME}/coming/{number}/a/b/c", "w") as file:
                file.write("x")
        shutil.rmtree(f"{HOME}/coming", ignore_errors=True)

    _apart(work)
    return ""


def folders_become_files() -> str:
    """Turn folders into files and links and back while changes are looked for."""
    path = f"{HOME}/turning"

    def work() -> None:
        os.mkdir(path)
        with open(f"{path}/inner", "w") as file:
            file.write("x")
        shutil.rmtree(path)
        os.symlink("/proc/self", path)
        os.unlink(path)
        with open(path, "w") as file:
            file.write("x")
        os.unlink(path)

    _apart(work)
    return ""


def growing_file() -> str:
    """Let a file grow and shrink between nothing and two gigabytes while changes are looked for."""

    def work() -> None:
        with open(f"{HOME}/growing", "wb") as file:
            file.truncate(2 << 30)
            file.truncate(0)

    _apart(work)
    return ""


def deep_folders() -> str:
    """Make folders four thousand deep, one inside the other."""
    os.chdir(HOME)
    try:
        for _ in range(4000):
            os.mkdir("d")
            os.chdir("d")
        with open("end", "w") as file:
            file.write("x")
    finally:
        os.chdir(HOME)
    return ""


def odd_names() -> str:
    """Give files names that are not text, with line ends, escape sequences, and of the greatest length."""
    for name in (b"\xff\xfe", b"two\nlines", b"\x1b[2J\x1b]0;x\x07", b"x" * 255, b"\xed\xa0\x80", b"-rf", b"\\u202e",
                 b'"quote\'$(id)', b"\xe2\x80\xae", b"{}[]", b"..."):  # fmt: skip
        with open(os.fsencode(HOME) + b"/" + name, "wb") as file:
            file.write(b"x")
        os.symlink(name, os.fsencode(HOME) + b"/link-" + name[:200])
    return ""


def unreadable_folders() -> str:
    """Make folders that nobody may enter, with files in them."""
    for number in range(50):
        os.makedirs(f"{HOME}/closed/{number}/inner")
        with open(f"{HOME}/closed/{number}/inner/file", "w") as file:
            file.write("x")
        os.chmod(f"{HOME}/closed/{number}", 0)
    os.chmod(f"{HOME}/closed", 0)
    return ""


def overlay_attributes() -> str:
    """Set the attributes by which the file system below keeps its own books."""
    os.makedirs(f"{HOME}/books/inner")
    got = []
    for name, value in (
        ("opaque", b"y"),
        ("redirect", b"/etc"),
        ("metacopy", b""),
        ("whiteout", b""),
        ("origin", b"x"),
    ):
        for kind in ("user.overlay.", "trusted.overlay."):
            try:
                os.setxattr(f"{HOME}/books", kind + name, value)
                got.append(kind + name)
            except OSError:
                continue
    for number in range(200):
        try:
            os.setxattr(f"{HOME}/books/inner", f"user.{number}", b"x" * 60_000)
        except OSError:
            break
    if os.listdir(f"{HOME}/books") != ["inner"]:
        return f"{got} changed what is seen"
    return ""


def special_files() -> str:
    """Leave pipes, sockets and links to devices all over."""
    import socket

    for number in range(200):
        os.mkfifo(f"{HOME}/pipe-{number}")
        os.symlink(("/dev/zero", "/proc/kmsg", "/dev/tty", "/dev/stdin")[number % 4], f"{HOME}/link-{number}")
        socket.socket(socket.AF_UNIX).bind(f"{HOME}/socket-{number}")
    return ""


def delete_the_image() -> str:
    """Remove everything that can be removed anywhere."""
    for top in ("/home", "/tmp", "/var", "/run", "/dev/shm", "/opt", "/srv", "/mnt"):
        for folder, _, names in os.walk(top):
            for name in names:
                try:
                    os.unlink(f"{folder}/{name}")
                except OSError:
                    continue
    return ""


def _fill_texts(data: bytes) -> str:
    for folder, _, names in os.walk(HOME):
        for name in names:
            if name.endswith(".txt"):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
    return ""


def accents_without_end() -> str:
    """Put 312 KB of accents on one letter of every text, which take a minute to be put in order."""
    return _fill_texts(("a" + "\u0315\u0300\u05b0\u0316" * 40_000).encode())


def digits_without_end() -> str:
    """Leave texts of 100,000 digits, in which patterns look for numbers."""
    return _fill_texts(b"1" * 100_000)


def letter_without_end() -> str:
    """Leave texts of 4 MB, which say the same again and again."""
    return _fill_texts(b"any day but 12 or 13, not 1-" * 150_000)
