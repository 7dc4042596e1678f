"""The server inside OSWorld's guests, on port 5000."""

from __future__ import annotations

import base64
import binascii
import http.client
import io
import json
import secrets
import socket
from collections.abc import Callable
from typing import Any

from PIL import Image, UnidentifiedImageError

from proctor.computers.channels.command_output import CommandOutput
from proctor.errors import CommandLate, ComputerError, ComputerLost, SpecError
from proctor.observations.tree import Tree
from proctor.observations.xml import from_xml
from proctor.pause import pause

PORT = 5000
"""Where it listens inside."""
ANSWER_SEC = 60.0
AGAIN_SEC = 0.2
MOST_BYTES = 96 << 20
MOST_PIXELS = 1 << 25
ITS_LIMIT_SEC = 120
"""After so long the server ends a command by itself."""
REMEDY = "check that the guest is OSWorld's and its server is running"

WRAPPED = """
script=$1; input=$2; limit=$3; shift 3
out=$(mktemp) && err=$(mktemp) || exit 1
timeout -k 2 "$limit" sh -c "$script" sh "$@" < "$input" > "$out" 2> "$err"
code=$?
[ "$input" = /dev/null ] || rm -f -- "$input"
base64 -w 0 "$out"; echo; base64 -w 0 "$err"; echo; echo "$code"
rm -f -- "$out" "$err"
"""
"""What a script says goes by base64, because the server takes all output for text."""
LATE = 124


class OsworldServer:
    """One such server; each request has a connection of its own."""

    def __init__(self, dial: Callable[[float], socket.socket]) -> None:
        """Describe it; `dial` returns a socket within so many seconds, or raises OSError."""
        self._dial = dial

    def answers(self, timeout_sec: float) -> bool:
        """Tell whether it is up; raises nothing where it is not yet."""
        try:
            return bool(self._request("GET", "/platform", timeout_sec=timeout_sec))
        except ComputerError:
            pause(min(AGAIN_SEC, timeout_sec))  # that nobody listens yet is known at once, and asked again at once
            return False

    def screenshot(self) -> Image.Image:
        """Return the guest's screen as the server sees it, pointer included."""
        data = self._request("GET", "/screenshot")
        try:
            image = Image.open(io.BytesIO(data))
            if image.width * image.height > MOST_PIXELS:
                raise ComputerLost(f"OSWorld's server sent a picture of {image.width}x{image.height}", remedy=REMEDY)
            return image.convert("RGB")
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
            raise ComputerLost("OSWorld's server sent something that is not a picture", remedy=REMEDY) from error

    def tree(self) -> Tree:
        text = self._json(self._request("GET", "/accessibility")).get("AT")
        if not isinstance(text, str):
            raise ComputerLost("OSWorld's server sent no tree", remedy=REMEDY)
        try:
            return from_xml(text)
        except SpecError as error:
            raise ComputerLost(f"OSWorld's server sent a tree that cannot be read: {error.message}") from error

    def shell(
        self, script: str, *arguments: str, input: bytes = b"", timeout_sec: float, most: int = MOST_BYTES
    ) -> CommandOutput:
        """Run a script of the plain shell; raises ComputerError when it does not end in time."""
        given = self._handed_in(input) if input else "/dev/null"
        limit_sec = min(timeout_sec, ITS_LIMIT_SEC - 5)
        argv = ["sh", "-c", WRAPPED, "sh", script, given, f"{limit_sec:g}", *arguments]
        told = {"command": argv, "shell": False}
        answer = self._json(self._post("/execute", told, timeout_sec=limit_sec + ANSWER_SEC))
        if answer.get("status") != "success":
            raise ComputerError(f"OSWorld's server: {str(answer.get('message') or answer)[:300]}")
        done = _read_output(str(answer.get("output", "")), str(answer.get("error", "")))
        if done.code == LATE:
            short = f"; OSWorld's server allows {ITS_LIMIT_SEC} s" if timeout_sec > limit_sec else ""
            raise CommandLate(
                f"a command did not finish within {limit_sec:g} s{short}", remedy="allow more time, or do less"
            )
        if len(done.stdout) > most:
            raise ComputerError(f"a command printed more than {most} bytes", remedy="make it print less")
        return done

    def _handed_in(self, data: bytes) -> str:
        path = f"/tmp/proctor-{secrets.token_hex(8)}"
        mark = secrets.token_hex(16)
        fields = [
            f'--{mark}\r\nContent-Disposition: form-data; name="file_path"\r\n\r\n{path}\r\n'.encode(),
            f'--{mark}\r\nContent-Disposition: form-data; name="file_data"; filename="data"\r\n'.encode(),
            b"Content-Type: application/octet-stream\r\n\r\n" + data + f"\r\n--{mark}--\r\n".encode(),
        ]
        kind = f"multipart/form-data; boundary={mark}"
        self._request("POST", "/setup/upload", body=b"".join(fields), kind=kind)
        return path

    def _post(self, path: str, told: dict[str, Any], *, timeout_sec: float) -> bytes:
        return self._request(
            "POST", path, body=json.dumps(told).encode(), kind="application/json", timeout_sec=timeout_sec
        )

    def _request(
        self, method: str, path: str, *, body: bytes = b"", kind: str = "", timeout_sec: float = ANSWER_SEC
    ) -> bytes:
        """Return the body of an answer; ComputerError for an error, ComputerLost for none."""
        headers = {"Connection": "close", **({"Content-Type": kind} if kind else {})}
        connection = _Connection(self._dial, timeout_sec)
        try:
            connection.request(method, path, body=body or None, headers=headers)
            answer = connection.getresponse()
            data = answer.read(MOST_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            raise ComputerLost(
                f"OSWorld's server did not answer {path}: {type(error).__name__}: {error}", remedy=REMEDY
            ) from error
        finally:
            connection.close()
        if len(data) > MOST_BYTES:
            raise ComputerLost(f"OSWorld's server sent more than {MOST_BYTES} bytes for {path}", remedy=REMEDY)
        if answer.status != http.HTTPStatus.OK:
            said = " ".join(data[:300].decode(errors="replace").split())
            raise ComputerError(f"OSWorld's server answered {path} with {answer.status}: {said}", remedy=REMEDY)
        return data

    def _json(self, data: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ComputerLost("OSWorld's server answered with something that is not JSON", remedy=REMEDY)
        return answer


class _Connection(http.client.HTTPConnection):
    def __init__(self, dial: Callable[[float], socket.socket], timeout_sec: float) -> None:
        super().__init__("localhost", timeout=timeout_sec)
        self._dialler = dial

    def connect(self) -> None:
        assert isinstance(self.timeout, float | int)
        self.sock = self._dialler(self.timeout)
        self.sock.settimeout(self.timeout)


def _read_output(output: str, error: str) -> CommandOutput:
    """Return what WRAPPED said; raises ComputerError where it could not do its work."""
    lines = output.split("\n")
    try:
        out, err, code = (lines + ["", "", ""])[:3]
        return CommandOutput(
            code=int(code), stdout=base64.b64decode(out, validate=True), stderr=base64.b64decode(err, validate=True)
        )
    except (ValueError, binascii.Error) as fault:
        said = " ".join((error or output).split())[:300]
        raise ComputerError(f"a command could not be run in the guest: {said}", remedy=REMEDY) from fault
