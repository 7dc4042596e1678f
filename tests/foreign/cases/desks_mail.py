"""Cases of Thunderbird: its settings, filters, folders and accounts, as it keeps them."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import proctor.vocabulary.apps.thunderbird.setup as program
from proctor.tasks.move_context import MoveContext
from tests.foreign.acts import give_up
from tests.foreign.case import Act, Case, case, shell, then, write
from tests.foreign.workshop import Workshop

NAME = "t5q2a5hp.default-release"
PROFILE = f".thunderbird/{NAME}"
LOCAL = f"{PROFILE}/Mail/Local Folders"
ADDRESS, SERVER = "anonym-x2024@outlook.com", "outlook.office365.com"
RULES = f"{PROFILE}/ImapMail/{SERVER}/msgFilterRules.dat"
CLOSED = shell(
    "pkill -x thunderbird || true; while pgrep -x 'thunderbird|thunderbird-bin' > /dev/null; do sleep 0.2; done"
)
LETTER = (
    "From - Mon Mar 09 10:00:00 2026\nX-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n"
    "From: a@example.com\nTo: b@example.com\nSubject: A bill\nMessage-ID: <{id}@example.com>\n"
    "Date: Mon, 09 Mar 2026 10:00:00 +0000\n\n{text}\n\n"
)


def profile(**settings: object) -> bytes:
    """Return a packed profile with an account of a server that is not there, and local folders."""
    account = {
        "mail.account.account1.identities": "id1",
        "mail.account.account1.server": "server1",
        "mail.identity.id1.fullName": "Anonym",
        "mail.identity.id1.useremail": ADDRESS,
        "mail.identity.id1.smtpServer": "smtp1",
        "mail.identity.id1.valid": True,
        "mail.server.server1.type": "imap",
        "mail.server.server1.hostname": SERVER,
        "mail.server.server1.port": 993,
        "mail.server.server1.socketType": 3,
        "mail.server.server1.userName": ADDRESS,
        "mail.server.server1.name": ADDRESS,
        "mail.server.server1.directory-rel": f"[ProfD]ImapMail/{SERVER}",
        "mail.server.server2.directory-rel": "[ProfD]Mail/Local Folders",
        "mail.smtpservers": "smtp1",
        "mail.smtp.defaultserver": "smtp1",
        "mail.smtpserver.smtp1.hostname": "smtp.office365.com",
        "mail.smtpserver.smtp1.username": ADDRESS,
        **settings,
    }
    written = (
        (Path(program.__file__).parent / "thunderbird.js")
        .read_text()
        .replace('login_at_startup", true', 'login_at_startup", false')
        .replace('check_new_mail", true', 'check_new_mail", false')
    )
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in account.items()]
    held = {
        ".thunderbird/profiles.ini": program.PROFILES.replace("main", NAME),
        f"{PROFILE}/prefs.js": written + "".join(lines),
        f"{PROFILE}/xulstore.json": json.dumps(program.WINDOW),
        f"{LOCAL}/Bills": "".join(LETTER.format(id=n, text=f"Bill {n}") for n in range(3)),
    }
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as packed:
        for name, text in held.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text.encode()), 0o600
            packed.addfile(entry, io.BytesIO(text.encode()))
    return made.getvalue()


def packed(**settings: object) -> dict[str, bytes]:
    """Return the profile as the file that tasks name."""
    return {"thunderbird-profile.tar.gz": profile(**settings)}


def keep(**settings: object) -> Act:
    """Return an act that closes the program and leaves settings as it writes them."""

    def act(hand: MoveContext) -> None:
        path = f"{PROFILE}/prefs.js"
        kept = [
            line
            for line in hand.computer.read_file(path).decode().splitlines()
            if not any(f'"{name}"' in line for name in settings)
        ]
        kept += [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items()]
        hand.computer.write_file(path, ("\n".join(kept) + "\n").encode())

    return then(CLOSED, act)


def rules(action: str, value: str, condition: str) -> Act:
    """Return an act that leaves one filter, as the program writes it."""
    text = (
        'version="9"\nlogging="no"\nname="mine"\nenabled="yes"\ntype="17"\n'
        f'action="{action}"\nactionValue="{value}"\ncondition="{condition}"\n'
    )
    return then(CLOSED, write(RULES, text.encode()))


@case("osworld", "10a730d5")
def darken_the_program(shop: Workshop) -> Case:
    def looks(name: str) -> Act:
        return keep(**{"extensions.activeThemeID": f"thunderbird-compact-{name}@mozilla.org"})

    return Case(files=packed(), satisfied=looks("dark"), near_miss=looks("light"))


@case("osworld", "3f28fe4f")
def sign_letters(shop: Workshop) -> Case:
    name = "mail.identity.id1.htmlSigText"
    return Case(
        files=packed(), satisfied=keep(**{name: "Anonym\nXYZ Lab"}), near_miss=keep(**{name: "Anonym, XYZ Lab"})
    )


@case("osworld", "3f49d2cc")
def see_all_letters_at_once(shop: Workshop) -> Case:
    def shown(mode: str) -> Act:
        held = {"chrome://messenger/content/messenger.xhtml": {"folderTree": {"mode": mode}}}
        return then(CLOSED, write(f"{PROFILE}/xulstore.json", json.dumps(held).encode()))

    return Case(files=packed(), satisfied=shown("smart,all"), near_miss=shown("all,favorite"))


@case("osworld", "5203d847")
def sort_letters(shop: Workshop) -> Case:
    def sorted_by(condition: str) -> Act:
        return rules("Move to folder", "mailbox://nobody@Local%20Folders/Promotions", condition)

    return Case(
        files=packed(),
        satisfied=sorted_by("AND (subject,contains,discount)"),
        near_miss=sorted_by("AND (subject,is,discount)"),
    )


@case("osworld", "9b7bc335")
def pass_letters_on(shop: Workshop) -> Case:
    return Case(
        files=packed(),
        satisfied=rules("Forward", "anonym-x2024@gmail.com", "ALL"),
        near_miss=rules("Forward", "anonym-x2024@gmail.com", "AND (from,contains,anonym-x2024@outlook.com)"),
    )


@case("osworld", "a10b69e1")
def make_folders(shop: Workshop) -> Case:
    def made(*names: str) -> Act:
        every = [write(f"{LOCAL}/{name}{kind}", b"") for name in names for kind in ("", ".msf")]
        return then(CLOSED, *every)

    return Case(files=packed(), satisfied=made("COMPANY", "UNIVERSITY"), near_miss=made("COMPANY", "University"))


@case("osworld", "a1af9f1c")
def send_without_an_inbox(shop: Workshop) -> Case:
    return Case(
        files={"thunderbird-profile-blank.tar.gz": profile()},
        satisfied=give_up,
        near_miss=keep(**{"mail.smtpserver.smtp1.description": "Outlook"}),
    )


@case("osworld", "dfac9ee8")
def remove_an_account(shop: Workshop) -> Case:
    tell = (
        "import glob, json, sys\nprint('url,user,password')\n"
        "for name in glob.glob(sys.argv[1] + '/*/prefs.js'):\n"
        "    said = open(name).read()\n"
        f"    if '\"mail.server.server1.hostname\", \"{SERVER}\"' in said: print('imap://{SERVER},{ADDRESS},x')\n"
        "    if 'smtp.office365.com' in said: print('smtp://smtp.office365.com,x,x')\n"
    )
    gone = shell(f"sed -i '/smtp\\|server1\\|id1\\|account1\"/d' '{PROFILE}/prefs.js'")
    return Case(
        files={**packed(), "firefox_decrypt.py": tell.encode()},
        satisfied=then(CLOSED, gone),
        near_miss=then(CLOSED, shell(f"sed -i '/smtp/d' '{PROFILE}/prefs.js'")),
    )


@case("osmap", "06fe7178")
def keep_letters(shop: Workshop) -> Case:
    names = ["歡迎使用新的 Outlook.com 帳戶 - a - 2026.eml", "A Test E-mail - b - 2026.eml"]
    both = [write(f"emails.bak/{name}", b"Subject: x\n\nx\n") for name in names]
    return Case(files=packed(), satisfied=then(*both), near_miss=both[1])


@case("osmap", "94760984")
def darken_it(shop: Workshop) -> Case:
    looks = "extensions.activeThemeID"
    return Case(
        files=packed(),
        satisfied=keep(**{looks: "thunderbird-compact-dark@mozilla.org"}),
        near_miss=keep(**{looks: "default-theme@mozilla.org", "mail.dark-reader.enabled": True}),
    )


@case("osmap", "c9e7eaf2")
def sort_in_every_folder(shop: Workshop) -> Case:
    right = {"mail.server.default.applyIncomingFilters": True, "mail.imap.use_status_for_biff": False}
    return Case(
        files=packed(),
        satisfied=keep(**right),
        near_miss=keep(**right, **{"mail.server.default.autosync_offline_stores": False}),
    )


@case("osmap", "3d1682a7")
def star_letters(shop: Workshop) -> Case:
    def starred(folder: int) -> Act:
        tables = (
            "CREATE TABLE messages (id INTEGER, folderID INTEGER);"
            "CREATE TABLE messageAttributes (attributeID INTEGER, value, messageID INTEGER);"
            f"INSERT INTO messages VALUES (7, {folder}); INSERT INTO messageAttributes VALUES (58, 1, 7);"
        )
        path = f"{PROFILE}/global-messages-db.sqlite"
        return then(CLOSED, shell(f"rm -f '{path}'; sqlite3 '{path}' '{tables}'"))

    return Case(files=packed(), satisfied=starred(13), near_miss=starred(12))
