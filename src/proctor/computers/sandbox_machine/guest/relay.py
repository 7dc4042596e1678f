"""Carry connections accepted on given sockets to given hosts.

Runs outside the sandbox, without privileges.
"""

import contextlib
import json
import os
import select
import socket
import sys
import threading
from typing import Any

PATIENCE_SEC = 20.0
CHUNK = 65536
MOST_CONNECTIONS = 256


def main() -> None:
    """Relay until the lifeline ends or the harness does."""
    lifeline, harness = int(sys.argv[1]), int(sys.argv[2])
    # Names as bytes: text would be encoded by a module that is loaded only then, and may be unreadable to nobody.
    listeners = {socket.socket(fileno=fd): (host.encode(), port) for fd, host, port in json.loads(sys.argv[3])}
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    watch = os.pidfd_open(harness)
    room = threading.BoundedSemaphore(MOST_CONNECTIONS)
    while True:
        waiting: list[Any] = [lifeline, watch, *listeners]
        ready, _, _ = select.select(waiting, [], [])
        if lifeline in ready or watch in ready:
            os._exit(0)  # connections in flight end with the sandbox
        for listener in listeners.keys() & set(ready):
            inside, _ = listener.accept()
            if not room.acquire(blocking=False):
                inside.close()
                continue
            threading.Thread(target=carry, args=(inside, listeners[listener], room), daemon=True).start()


def carry(inside: socket.socket, target: "tuple[Any, int]", room: threading.BoundedSemaphore) -> None:
    """Join one connection to its target until both sides are done."""
    try:
        with inside, socket.create_connection(target, timeout=PATIENCE_SEC) as outside:
            outside.settimeout(None)
            back = threading.Thread(target=pump, args=(outside, inside), daemon=True)
            back.start()
            pump(inside, outside)
            back.join()
    except OSError:
        return  # the program inside sees its connection closed, as it would on any network
    finally:
        room.release()


def pump(source: socket.socket, sink: socket.socket) -> None:
    """Copy one direction and pass its end on."""
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main()
