"""Print the processes of the services that listen on loopback; runs inside as root."""

import sys
from pathlib import Path

LISTENING = "0A"
FIRST_PERSON = 1000


def sockets() -> set[str]:
    """Return the sockets that wait for connections."""
    rows = [line.split() for table in Path("/proc/net").glob("tcp*") for line in table.read_text().splitlines()[1:]]
    return {f"socket:[{row[9]}]" for row in rows if row[3] == LISTENING}


def parents() -> dict[int, int]:
    """Return the parent of each process that is not a person's."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines = (folder / "status").read_text().splitlines()
        except OSError:
            continue  # it has ended meanwhile
        told = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        if int(told["Uid"].split()[0]) < FIRST_PERSON:
            found[int(folder.name)] = int(told["PPid"])
    return found


def holds(pid: int, wanted: set[str]) -> bool:
    """Tell whether a process has one of these sockets open."""
    try:
        return any(str(each.readlink()) in wanted for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


above, wanted = parents(), sockets()
found = {pid for pid in above if pid > 1 and holds(pid, wanted)}
while more := {pid for pid, parent in above.items() if parent in found} - found:
    found |= more
sys.stdout.write(" ".join(map(str, sorted(found))))
