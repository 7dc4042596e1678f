"""Lists the letters of every account by the files they are in, quickly: a world has thousands.

Called with `keep` it notes what is there; with `compare` it prints what was noted and is in no folder any more.
"""

import json
import os
import pwd
import re
import sys
from pathlib import Path

STORE = Path("/run/mail/store")
KEPT = Path("/run/mail/listed.json")
MOST_LOST = 100
HEAD_BYTES = 8192
_FIELD = re.compile(rb"^(message-id|subject):[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)


def main() -> None:
    """Keep or compare."""
    user = pwd.getpwnam("mail")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    found = listed()
    if json.load(sys.stdin)["do"] == "keep":
        KEPT.write_text(json.dumps(found))
        return
    kept = json.loads(KEPT.read_text())
    held = {each["id"] for each in found if each["folder"] != "Trash"}
    lost = [each for each in kept if each["id"] not in held]
    sys.stdout.write(json.dumps({"lost": lost[:MOST_LOST], "count": len(lost)}))


def listed() -> "list[dict[str, str]]":
    """Return every letter: its folder, its id and its subject."""
    found = []
    for box in sorted(STORE.glob("*/Maildir")):
        for folder in [box, *sorted(path for path in box.iterdir() if path.name.startswith("."))]:
            name = folder.name.lstrip(".") if folder != box else "INBOX"
            for part in ("cur", "new"):
                for path in sorted((folder / part).glob("*")) if (folder / part).is_dir() else ():
                    if "T" not in path.name.partition(":2,")[2]:
                        found.append({"folder": name, **fields(path)})
    return found


def fields(path: Path) -> "dict[str, str]":
    """Return what tells a letter apart."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    told = {match[1].lower(): match[2].strip().decode(errors="replace") for match in _FIELD.finditer(head)}
    return {"id": told.get(b"message-id", path.name), "subject": told.get(b"subject", "")[:200]}


if __name__ == "__main__":
    main()
