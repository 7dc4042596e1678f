"""Saves passwords in a Thunderbird profile with Thunderbird's own library, inside a computer."""

import base64
import ctypes
import json
import sys
from pathlib import Path

LIBRARIES = "/usr/lib/thunderbird"
MADE = 1_773_300_000_000


class Item(ctypes.Structure):
    """A piece of data as the library takes and gives it."""

    _fields_ = (("kind", ctypes.c_uint), ("data", ctypes.c_void_p), ("size", ctypes.c_uint))


def main() -> None:
    """Read profile and logins from standard input and write what the profile needs to know them."""
    order = json.load(sys.stdin)
    profile = Path(order["profile"])
    nss = ctypes.CDLL(f"{LIBRARIES}/libnss3.so")
    nss.PK11_GetInternalKeySlot.restype = ctypes.c_void_p
    if nss.NSS_InitReadWrite(f"sql:{profile}".encode()) != 0:
        sys.exit("the profile's key store could not be made")
    slot = ctypes.c_void_p(nss.PK11_GetInternalKeySlot())
    if nss.PK11_NeedUserInit(slot) and nss.PK11_InitPin(slot, None, b"") != 0:
        sys.exit("the profile's key store could not be opened")
    logins = [
        {
            "id": number,
            "hostname": login["place"],
            "httpRealm": login["realm"],
            "formSubmitURL": None,
            "usernameField": "",
            "passwordField": "",
            "encryptedUsername": encrypt(nss, login["user"]),
            "encryptedPassword": encrypt(nss, login["password"]),
            "guid": f"{{00000000-0000-4000-8000-{number:012}}}",
            "encType": 1,
            "timeCreated": MADE,
            "timeLastUsed": MADE,
            "timePasswordChanged": MADE,
            "timesUsed": 1,
        }
        for number, login in enumerate(order["logins"], start=1)
    ]
    nss.NSS_Shutdown()
    (profile / "logins.json").write_text(json.dumps({"nextId": len(logins) + 1, "logins": logins, "version": 3}))


def encrypt(nss: ctypes.CDLL, text: str) -> str:
    """Return a text as only this profile can read it."""
    data = text.encode()
    key, result = Item(0, None, 0), Item(0, None, 0)
    given = Item(0, ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))
    if nss.PK11SDR_Encrypt(ctypes.byref(key), ctypes.byref(given), ctypes.byref(result), None) != 0:
        sys.exit("a password could not be encrypted")
    assert result.data, "the library gave nothing"
    return base64.b64encode(ctypes.string_at(result.data, result.size)).decode()


if __name__ == "__main__":
    main()
