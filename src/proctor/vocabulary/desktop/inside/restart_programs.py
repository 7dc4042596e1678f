"""Start the programs of the desktop again in another language; runs inside as the user.

Called with the language, such as `de_DE.UTF-8`, and names of programs; prints those that it started again. Programs
that are opened from them later speak that language too; those that are open go on as they are. Numbers stay as they
were: a sheet that takes 151.51 for a text would be another task.
"""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

PATIENCE_MS = 10_000


def read(path: Path) -> list[str]:
    """Return the texts of a list as the kernel gives it."""
    return [part.decode(errors="surrogateescape") for part in path.read_bytes().split(b"\0")[:-1]]


def restart(pid: int, language: str) -> str:
    """Start a program again as it was started; return its name."""
    folder = Path(f"/proc/{pid}")
    argv, environ = read(folder / "cmdline"), dict(part.split("=", 1) for part in read(folder / "environ"))
    ended = os.pidfd_open(pid)
    os.kill(pid, signal.SIGTERM)
    waiting = select.poll()
    waiting.register(ended)
    if not waiting.poll(PATIENCE_MS):
        raise SystemExit(f"{argv[0]} does not end")
    spoken = {"LC_MESSAGES": language, "LC_TIME": language, "LANGUAGE": language.partition(".")[0]}
    told = {**{name: value for name, value in environ.items() if name != "LC_ALL"}, **spoken}
    nothing = subprocess.DEVNULL
    subprocess.Popen(argv, env=told, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    return argv[0]


def main(language: str, names: list[str]) -> None:
    """Find the programs by the names that the kernel knows, of which it keeps 15 characters."""
    wanted = {name[:15] for name in names}
    for folder in sorted(Path("/proc").glob("[0-9]*")):
        try:
            mine = folder.stat().st_uid == os.getuid() and (folder / "comm").read_text().strip() in wanted
        except FileNotFoundError:
            continue  # it has ended meanwhile
        if mine:
            sys.stdout.write(restart(int(folder.name), language) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
