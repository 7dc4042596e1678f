"""The processes inside: whose they are, whether they are at work, and how much memory they hold together."""

import os
import signal
import stat

import kernel_memory
import sockets

LITTLE = 1 << 20
"""What a process holds that is not to blame for too much."""


def processes_of(*uids: int) -> "list[int]":
    """Return the processes of some users."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid in uids:
                found.append(int(name))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
    return found


def at_work(pid: "int | str") -> bool:
    """Tell whether a process, or a thread given as `PID/task/TID`, is running or waiting for a disk."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name in parentheses may hold anything; the state follows the last one.
            return file.read().rpartition(b") ")[2][:1] in (b"R", b"D")
    except (FileNotFoundError, ProcessLookupError):
        return False  # it ended meanwhile


def proportional_size(pid: int) -> int:
    """Return a process's share of memory: its own pages, and those it shares divided by their users."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
    except PermissionError:
        return _resident(pid)  # it lets nobody look into it; its size is no secret
    except OSError:
        return 0  # it ended meanwhile


def guard_memory(limit: int, uids: "tuple[int, ...]") -> bool:
    """End the largest processes of some users, first the first one's, while together they hold more than the limit.

    For hosts that give us no control group; tells whether they hold so much that it is worth looking again at once.
    Resident sizes count shared pages many times, so they only say when it is worth looking closely: at the shares of
    processes, and at what is theirs without being mapped: files in memory, what waits in their sockets, the kernel's
    tables, and segments that outlive them, which go first.
    """
    pids = processes_of(*uids)
    waiting = sockets.buffered(pids)
    flying = kernel_memory.in_flight(pids)
    shared = kernel_memory.segments(pids)
    tables = {pid: kernel_memory.page_tables(pid) for pid in pids}
    beside = sum(waiting.values()) + sum(segment.held for segment in shared)
    roughly = sum(map(_resident, pids)) + _unmapped_size(pids, flying) + beside + sum(tables.values())
    if roughly <= limit:
        return roughly > limit // 2
    held = {pid: proportional_size(pid) + _unmapped_size([pid], {}) + tables[pid] for pid in pids}
    beside += sum(size for size, _ in flying.values())
    excess = _remove_segments(shared, sum(held.values()) + beside - limit)
    for size, pid in flying.values():
        held[pid] += size
    for pid in held:
        held[pid] += sum(waiting.get(socket, 0) for socket in open_sockets(pid))
    agents = set(processes_of(uids[0]))
    while held and excess > 0:
        largest = max(held, key=held.__getitem__)
        if held[largest] <= limit // 2:
            # Many small programs must not cost the agent its screen: others are ended for what they hold themselves.
            largest = max(agents & held.keys(), key=held.__getitem__, default=largest)
        _end(largest)
        freed = held.pop(largest)
        excess -= freed
        if freed < LITTLE:
            break  # what there is too much of is not seen to be anybody's: one at a time, then look again
    return True


def _remove_segments(shared: "list[kernel_memory.SharedSegment]", excess: int) -> int:
    """Remove segments that nobody has in its memory, while there is too much.

    Return how much too much is left.
    """
    for segment in sorted(shared, key=lambda segment: -segment.held):
        if excess <= 0:
            break
        if segment.attached == 0:
            kernel_memory.remove_segment(segment)
            excess -= segment.held
    return excess


def _end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it ended meanwhile


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0  # it ended meanwhile, or is about to


def _unmapped_size(pids: "list[int]", flying: "dict[tuple[int, int], tuple[int, int]]") -> int:
    """Return the size of files without a name that processes hold open, or have sent.

    No mapping shows that memory.
    """
    seen = {file: size for file, (size, _) in flying.items()}
    for pid in pids:
        for path in _open_files(pid):
            try:
                info = os.stat(path)
            except OSError:
                continue  # closed meanwhile
            if stat.S_ISREG(info.st_mode) and info.st_nlink == 0:
                seen[info.st_dev, info.st_ino] = info.st_blocks * 512
    return sum(seen.values())


def _open_files(pid: int) -> "list[str]":
    try:
        return [f"/proc/{pid}/fd/{name}" for name in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []  # it ended meanwhile, or has only just been forked from process 1, whose files are nobody's business


def open_sockets(pid: int) -> "set[int]":
    """Return the sockets that a process holds, by inode."""
    found = set()
    for path in _open_files(pid):
        try:
            info = os.stat(path)
        except OSError:
            continue  # closed meanwhile
        if stat.S_ISSOCK(info.st_mode):
            found.add(info.st_ino)
    return found
