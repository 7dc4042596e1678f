"""Print the processes of the services that listen on loopback; runs inside as root."""

import sys
from pathlib import Path

LISTENING = "0A"
FIRST_PERSON = 1000


def sockets() -> tuple[set[str], set[int]]:
    """Return the sockets that wait for connections, and the users of services that have some."""
    rows = [line.split() for table in Path("/proc/net").glob("tcp*") for line in table.read_text().splitlines()[1:]]
    waiting = [row for row in rows if row[3] == LISTENING]
    return {f"socket:[{row[9]}]" for row in waiting}, {int(row[7]) for row in waiting} - {0}


def processes() -> dict[int, tuple[int, int]]:
    """Return the parent and the user of each process that is not a person's."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines = (folder / "status").read_text().splitlines()
        except OSError:
            continue  # it has ended meanwhile
        told = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        user = int(told["Uid"].split()[0])
        if user < FIRST_PERSON:
            found[int(folder.name)] = int(told["PPid"]), user
    return found


def holds(pid: int, wanted: set[str]) -> bool:
    """Tell whether a process has one of these sockets open."""
    try:
        return any(str(each.readlink()) in wanted for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


listed, (wanted, users) = processes(), sockets()
# What a service of another user has open cannot be seen from here, but its user is a service's own.
found = {pid for pid, (_, user) in listed.items() if pid > 1 and (user in users or holds(pid, wanted))}
while more := {pid for pid, (parent, _) in listed.items() if parent in found} - found:
    found |= more
sys.stdout.write(" ".join(map(str, sorted(found))))
