"""How a client and an RFB server come to trust each other."""

from __future__ import annotations

import re
import ssl
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from proctor.computers.channels.rfb import des
from proctor.computers.channels.rfb.line import LineCut, RfbLine
from proctor.errors import SpecError

Security = Literal["auto", "none", "vnc", "tls", "x509"]
"""`tls` hides what is said from others and does not show who the server is; `x509` does both."""

NONE, VNC_AUTH, VENCRYPT = 1, 2, 19
TLS_NONE, TLS_VNC, TLS_PLAIN, X509_NONE, X509_VNC, X509_PLAIN = range(257, 263)
KINDS = {
    NONE: "None", VNC_AUTH: "VncAuth", TLS_NONE: "TLSNone", TLS_VNC: "TLSVnc", TLS_PLAIN: "TLSPlain",
    X509_NONE: "X509None", X509_VNC: "X509Vnc", X509_PLAIN: "X509Plain",
}  # fmt: skip
"""What can be spoken here, by the name it has elsewhere."""
OTHERS = {5: "RSA-AES", 6: "RSA-AES", 16: "Tight", 18: "TLS", **dict.fromkeys((30, 33, 35, 36), "Apple's own")}
LONGEST_REASON = 4096
ANONYMOUS = "aNULL:!eNULL:@SECLEVEL=0"
"""Ciphers without certificates, as VeNCrypt's TLS types want them; TLS 1.3 has none of this kind."""

_WITH_PASSWORD = {VNC_AUTH, TLS_VNC, X509_VNC}
_WITH_USER = {TLS_PLAIN, X509_PLAIN}
_GREETING = re.compile(rb"RFB ([0-9]{3})\.([0-9]{3})\n")


@dataclass(frozen=True, kw_only=True)
class Trust:
    """What the user brings along."""

    security: Security = "auto"
    password: str = field(default="", repr=False)
    user: str = ""
    """For servers that ask for a user's name too."""
    ca: str = ""
    """File with the certificates that vouch for the server; those of the system when empty."""


def agree(line: RfbLine, trust: Trust, host: str) -> str:
    """Do everything until the server lets the client in, and return the security in use.

    Raises SpecError for what the user can put right: a password, a kind of security, a certificate.
    """
    version = _version(line)
    offered = _read_kinds(line, version)
    chosen = _first(offered, trust)
    if version > 3:
        line.send(bytes([chosen]))
    if chosen == VENCRYPT:
        chosen = _vencrypt(line, trust, host)
    _prove(line, trust, chosen)
    if version >= 8 or chosen != NONE:
        _result(line, version, chosen)
    return KINDS[chosen]


def _version(line: RfbLine) -> int:
    said = line.take(12)
    found = _GREETING.fullmatch(said)
    if found is None:
        line.nonsense(f"says {said!r} instead of a version of RFB")
    minor = int(found[2]) if int(found[1]) == 3 else 8
    # Some announce versions of their own, such as 3.889; all of them speak 3.8.
    version = 8 if minor >= 8 else 7 if minor == 7 else 3
    line.send(b"RFB 003.%03d\n" % version)
    return version


def _read_kinds(line: RfbLine, version: int) -> set[int]:
    if version == 3:
        (kind,) = struct.unpack(">I", line.take(4))
        kinds = {kind} - {0}
    else:
        kinds = set(line.take(line.byte()))
    if not kinds:
        raise SpecError(
            f"the VNC server refuses connections: {_reason(line)}", remedy="see what it wants, or wait and try again"
        )
    return kinds


def _first(offered: set[int], trust: Trust) -> int:
    """Return what to begin with: TLS where the server has it, unless neither side asks for anything."""
    plain = offered - {VENCRYPT}
    if VENCRYPT not in offered or trust.security in ("none", "vnc"):
        return _choose(plain, trust)
    open_to_all = trust.security == "auto" and not trust.password and NONE in plain
    return NONE if open_to_all else VENCRYPT


def _choose(offered: set[int], trust: Trust) -> int:
    """Return the best security that both sides have, or raise SpecError for what is missing."""
    by_wish: dict[str, Callable[[int], bool]] = {
        "auto": lambda kind: True,
        "none": lambda kind: kind == NONE,
        "vnc": lambda kind: kind == VNC_AUTH,
        "tls": lambda kind: TLS_NONE <= kind <= TLS_PLAIN,
        "x509": lambda kind: X509_NONE <= kind <= X509_PLAIN,
    }
    wished = [kind for kind in _by_preference(trust) if kind in offered and by_wish[trust.security](kind)]
    usable = [kind for kind in wished if not _lack(kind, trust)]
    if usable:
        return usable[0]
    names = ", ".join(sorted({KINDS.get(kind) or OTHERS.get(kind) or f"type {kind}" for kind in offered}))
    if wished:
        missing = _lack(wished[0], trust)
        raise SpecError(f"the VNC server asks for {missing}", remedy=f"give {missing}; it offers: {names}")
    raise SpecError(
        f"the VNC server offers no security type that works with security={trust.security}: {names}",
        remedy="set it to None, VncAuth or VeNCrypt (TLS or X509), or give another security=",
    )


def _by_preference(trust: Trust) -> list[int]:
    """Return what to use first: who brings a certificate wants the server to show its own."""
    tls, x509 = [TLS_PLAIN, TLS_VNC, TLS_NONE], [X509_PLAIN, X509_VNC, X509_NONE]
    secured = [*x509, *tls] if trust.ca else [*tls, *x509]
    if not trust.user:
        secured = sorted(secured, key=lambda kind: kind in _WITH_USER)
    if not trust.password:
        secured = sorted(secured, key=lambda kind: kind in _WITH_USER | _WITH_PASSWORD)
    return [*secured, NONE, VNC_AUTH] if not trust.password else [*secured, VNC_AUTH, NONE]


def _lack(kind: int, trust: Trust) -> str:
    if kind in _WITH_USER and not trust.user:
        return "the name of a user (user=)"
    if kind in _WITH_USER | _WITH_PASSWORD and not trust.password:
        return "a password (password=, password_file= or password_env=)"
    return ""


def _vencrypt(line: RfbLine, trust: Trust, host: str) -> int:
    major, minor = line.take(2)
    if (major, minor) < (0, 2):
        line.nonsense(f"speaks VeNCrypt {major}.{minor}, which is older than 0.2")
    line.send(b"\0\2")
    if line.byte() != 0:
        line.nonsense("refused the version of VeNCrypt that it had offered")
    count = line.byte()
    offered = set(struct.unpack(f">{count}I", line.take(4 * count)))
    chosen = _choose(offered, trust)
    line.send(struct.pack(">I", chosen))
    if chosen >= TLS_NONE:
        if line.byte() != 1:
            line.nonsense("refused the kind of TLS that it had offered")
        _secure(line, trust, chosen, host)
    return chosen


def _secure(line: RfbLine, trust: Trust, chosen: int, host: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    shows_itself = chosen >= X509_NONE
    if shows_itself:
        context.check_hostname = bool(host)
        try:
            context.load_verify_locations(trust.ca) if trust.ca else context.load_default_certs()
        except (OSError, ssl.SSLError) as error:
            raise SpecError(f"ca={trust.ca} cannot be read: {error}", remedy="name a PEM file") from error
    else:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(ANONYMOUS)
    try:
        line.secure(context, host if shows_itself else "")
    except ssl.SSLCertVerificationError as error:
        raise SpecError(
            f"the VNC server's certificate is not trusted: {error.verify_message}",
            remedy="give ca= with the certificate that signed it, and use the host name it was issued for",
        ) from error
    except ssl.SSLError as error:
        raise SpecError(
            f"TLS with the VNC server failed: {error.reason or error}", remedy="try another security="
        ) from error


def _prove(line: RfbLine, trust: Trust, chosen: int) -> None:
    if chosen in _WITH_PASSWORD:
        line.send(des.answer(line.take(16), trust.password.encode("latin-1", "replace")))
    elif chosen in _WITH_USER:
        user, password = trust.user.encode(), trust.password.encode()
        line.send(struct.pack(">II", len(user), len(password)) + user + password)


def _result(line: RfbLine, version: int, chosen: int) -> None:
    try:
        (result,) = struct.unpack(">I", line.take(4))
    except LineCut as error:
        if chosen in _WITH_PASSWORD | _WITH_USER:  # some servers say nothing and hang up
            raise _refusal("it hung up") from error
        raise
    if result == 0:
        return
    reason = _reason(line) if version >= 8 else "too many attempts" if result == 2 else ""
    if chosen in _WITH_PASSWORD | _WITH_USER:
        raise _refusal(reason)
    raise SpecError(f"the VNC server refuses connections: {reason or 'no reason given'}", remedy="see what it wants")


def _refusal(reason: str) -> SpecError:
    said = f": {reason}" if reason else ""
    return SpecError(f"the VNC server refused the password{said}", remedy="give the right one")


def _reason(line: RfbLine) -> str:
    (length,) = struct.unpack(">I", line.take(4))
    said = line.take(min(length, LONGEST_REASON)).decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in said)[:300].strip()
