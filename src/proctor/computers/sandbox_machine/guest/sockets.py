"""How much memory the kernel keeps in the buffers of sockets, as it tells by `sock_diag` for each network inside."""

import socket
import struct

import namespaces

_SOCK_DIAG, _BY_FAMILY = 4, 20
_REQUEST, _DUMP = 0x1, 0x300
_ERROR, _DONE = 2, 3
_ALL_STATES = 0xFFFFFFFF
_HEADER = struct.Struct("=IHHII")
"""Length, kind, flags, number and sender of a netlink message."""
_ATTRIBUTE = struct.Struct("=HH")
_REPLY_BYTES = 1 << 16
_WAIT_SEC = 1.0


class _Kind:
    """What to ask about one kind of sockets, and where its answer has the inode and the figures of memory."""

    def __init__(self, request: bytes, inode_at: int, head: int, figures: int, counted: "tuple[int, ...]") -> None:
        self.request, self.inode_at, self.head, self.figures, self.counted = request, inode_at, head, figures, counted


def _internet(family: int, protocol: int) -> _Kind:
    # What arrived and was not read, and what was written and has not gone.
    request = struct.pack("=BBBBI48x", family, protocol, 1 << 6, 0, _ALL_STATES)
    return _Kind(request, inode_at=68, head=72, figures=7, counted=(0, 5))


_KINDS = (
    # A socket pair's messages are charged to the one that sent them.
    _Kind(
        struct.pack("=BBHIIIII", socket.AF_UNIX, 0, 0, _ALL_STATES, 0, 0x20, 0, 0),
        inode_at=4,
        head=16,
        figures=5,
        counted=(2,),
    ),
    *(
        _internet(family, protocol)
        for family in (socket.AF_INET, socket.AF_INET6)
        for protocol in (socket.IPPROTO_TCP, socket.IPPROTO_UDP)
    ),
)


def buffered(pids: "list[int]") -> "dict[int, int]":
    """Return the bytes kept for each socket, by inode, in the networks of some processes and in our own."""
    held: dict[int, int] = {}
    for here in namespaces.in_each("net", pids, _in_this_network):
        held.update(here)
    return held


def find_listening(port: int) -> "set[int]":
    """Return the sockets, by inode, that listen on a port of this network."""
    found = set()
    for path in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(path, "rb") as table:
                rows = [line.split() for line in table.readlines()[1:]]
        except FileNotFoundError:
            continue  # a kernel without this protocol
        found |= {int(row[9]) for row in rows if row[3] == b"0A" and int(row[1].rpartition(b":")[2], 16) == port}
    return found


def _in_this_network(_path: str) -> "dict[int, int]":
    held: dict[int, int] = {}
    try:
        kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _SOCK_DIAG)
    except OSError:
        return held  # a kernel built without it
    with kernel:
        kernel.settimeout(_WAIT_SEC)
        for kind in _KINDS:
            length = _HEADER.size + len(kind.request)
            kernel.send(_HEADER.pack(length, _BY_FAMILY, _REQUEST | _DUMP, 0, 0) + kind.request)
            while _read(kernel.recv(_REPLY_BYTES), kind, held):
                continue
    return held


def _read(reply: bytes, kind: _Kind, held: "dict[int, int]") -> bool:
    """Add what one reply tells; tell whether more is to come."""
    while reply:
        length, message = _HEADER.unpack_from(reply)[:2]
        if message in (_ERROR, _DONE):  # an error is a kind of sockets that this kernel does not tell about
            return False
        body = reply[_HEADER.size : length]
        kept = _kept_bytes(body[kind.head :], kind)
        if kept:
            held[struct.unpack_from("=I", body, kind.inode_at)[0]] = kept
        reply = reply[(length + 3) & ~3 :]
    return True


def _kept_bytes(attributes: bytes, kind: _Kind) -> int:
    while attributes:
        length, name = _ATTRIBUTE.unpack_from(attributes)
        if name == kind.figures:
            return sum(struct.unpack_from("=I", attributes, 4 + 4 * place)[0] for place in kind.counted)
        attributes = attributes[(length + 3) & ~3 :]
    return 0
