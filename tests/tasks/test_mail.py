"""Mail: letters are read for what they say, checks judge them, and the service is real and out of the agent's reach."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor import open_computer
from proctor.computers.computer import Computer
from proctor.errors import SpecError
from proctor.tasks.answers.values import missing_words
from proctor.tasks.examine import examine
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, see
from proctor.vocabulary.apps.thunderbird.setup import thunderbird
from proctor.vocabulary.formats.letters.parse import letter, own_words
from proctor.vocabulary.services.mail import checks as mail
from proctor.vocabulary.services.mail.probes import mail_folders, mailbox, posted_mail
from proctor.vocabulary.services.mail.setup import Letter, MailAccount, letter_bytes, mail_service

ADDRESS, PASSWORD = "rosa.weber@alder.example", "Lantern-204"


def written(**changes: Any) -> Letter:
    given = {"from": "Bo Dahl <bo@x.example>", "to": ADDRESS, "subject": "Keys", "date": "2026-03-11T10:00:00"}
    return Letter.model_validate({**given, "text": "Hello.\n", **changes})


def sent(**changes: Any) -> dict[str, Any]:
    """What the probe returns of one letter that was sent."""
    found = {**letter(letter_bytes(written(**changes))), "sender": "a@x.example", "recipients": [ADDRESS]}
    return {"mailbox": "what was sent", "letters": [found]}


def test_a_letter_is_read_for_what_it_says() -> None:
    note = {"name": "note.txt", "text": "one\n", "type": "text/plain"}
    found = letter(letter_bytes(written(cc="Ada <ada@x.example>", id="7@x", reply_to_id="6@x", attachments=[note])))
    assert (found["id"], found["in_reply_to"], found["subject"]) == ("7@x", "6@x", "Keys")
    assert (found["from"], found["to"], found["cc"]) == (["bo@x.example"], [ADDRESS], ["ada@x.example"])
    assert found["text"].strip() == "Hello."
    assert [(file["name"], file["text"]) for file in found["attachments"]] == [("note.txt", "one\n")]


def test_the_same_letter_is_the_same_byte_for_byte() -> None:
    file = {"name": "a.bin", "base64": base64.b64encode(b"\x00\x01").decode()}
    assert letter_bytes(written(attachments=[file])) == letter_bytes(written(attachments=[file]))


def test_people_must_have_addresses() -> None:
    with pytest.raises(SpecError, match="does not name people"):
        letter_bytes(written(to="Rosa"))


def test_lines_that_were_broken_for_the_way_are_joined() -> None:
    data = b"Subject: x\r\nContent-Type: text/plain; format=flowed\r\n\r\nIt costs \r\n12 euros.\r\n\r\nBye\r\n"
    assert letter(data)["text"].strip() == "It costs 12 euros.\n\nBye"


def test_pages_are_read_as_text_and_what_they_quote_is_known_as_such() -> None:
    page = b"<head><title>t</title></head><body><p>It is <b>12</b>.</p><blockquote>And 13?</blockquote></body>"
    found = letter(b"Subject: x\r\nContent-Type: text/html\r\n\r\n" + page)
    assert "12" in found["own"] and "13" not in found["own"] and "13" in found["text"] and found["own"][0] == "I"


def test_of_a_page_only_what_can_be_read_counts() -> None:
    def read(page: str) -> str:
        return str(letter(b"Subject: x\r\nContent-Type: text/html\r\n\r\n" + page.encode())["own"])

    for style in ("display: none", "VISIBILITY:hidden", "font-size:0px", "opacity: 0", "color:#FFF", "color: white"):
        assert read(f"<p>Later.</p><p style='{style}'>It is <b>12</b>.</p>") == "Later."
    for style in ("font-size:0.9em", "opacity:0.5", "color:#222", "background-color: white", "display:block"):
        assert "12" in read(f"<p style='{style}'>It is <b>12</b>.<br>")
    assert read("<p hidden>12</p><i>13</i>") == "13"
    assert missing_words(read("<table><tr><td>Hall</td><td>12</td></tr></table>"), ["Hall", "12"]) == []
    assert read("</b>" * 9 + "<i>" * 20_000 + "12") == "12"


def test_of_a_letter_in_two_forms_the_page_counts() -> None:
    letters = b"--x\r\nContent-Type: text/plain\r\n\r\n12\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>13</p>\r\n--x--"
    head = b'Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="x"\r\n\r\n'
    assert letter(head + letters)["own"] == "13"


def test_own_words_are_those_not_quoted_and_not_forwarded() -> None:
    assert own_words("Yes.\n\nOn 3/10/26 10:00, Bo Dahl wrote:\n> Is it 12?\n> Bo") == "Yes."
    assert own_words("See below.\n\n-------- Forwarded Message --------\nSubject: Keys\n\n12") == "See below."
    wrapped = "On Wed, Mar 11, 2026 at 11:30 AM Bo Dahl <\nbo.dahl@kites.example> wrote:\n\n> Is it 12?"
    assert own_words(f"Yes.\n\n{wrapped}\n") == "Yes."
    head = "From: Bo Dahl <b@k.example>\nSent: Wednesday, 11 March 2026 11:30\nTo: Ada\nSubject: Keys\n\nIs it 12?"
    assert own_words(f"Yes.\n\n-----Original Message-----\n{head}") == own_words(f"Yes.\n\n{head}") == "Yes."
    assert own_words("Yes.\n\n--- Original message ---\nIs it 12?") == "Yes."
    assert own_words("Yes.\n\nFrom: Bo\nTo: Ada\nSubject: Keys\nDate: 11 March\n\nIs it 12?") == "Yes."
    assert own_words("The original message said 12.\n-- \nBo") == "The original message said 12.\n-- \nBo"
    assert own_words("On Monday I wrote:\nsee you") == "see you"
    assert own_words("From: Ghent\nTo: Turin\nPrice: 40") == "From: Ghent\nTo: Turin\nPrice: 40"


@given(some.binary(max_size=400))
def test_whatever_is_sent_is_read_or_refused(data: bytes) -> None:
    try:
        json.dumps(letter(data))
    except CannotSee as error:
        assert error.fault.kind == "unreadable"


@pytest.mark.parametrize(
    ("text", "words", "there"),
    [
        ("It costs 412.35 euros.", "412.35", True),
        ("It costs 412.35 euros.", "412", False),
        ("It costs 1412 euros.", "412", False),
        ("Room 4, at\n 12.", "at 12", True),
        ("THURSDAY is fine", "Thursday|19 March", True),
        ("on 19 March", "Thursday|19 March", True),
        ("Friday", "Thursday|19 March", False),
    ],
)
def test_words_are_found_as_wholes(text: str, words: str, there: bool) -> None:
    assert (missing_words(text, [words]) == []) is there


def box(*letters: tuple[str, list[str]]) -> dict[str, Any]:
    found = [{"subject": subject, "from": ["bo@x.example"], "marks": marks} for subject, marks in letters]
    return {"mailbox": "the folder INBOX", "letters": found}


def test_checks_on_folders() -> None:
    inbox = box(("Keys", ["read"]), ("Quote", ["read", "starred"]))
    assert mail.message_in(inbox, "keys").passed and not mail.message_in(inbox, "Key").passed
    assert mail.message_in(inbox, "Keys", "bo@x.example").passed and not mail.message_in(inbox, "Keys", "a@b.c").passed
    assert not mail.message_in(box(("Keys", []), ("Keys", [])), "Keys").passed
    assert mail.no_message(inbox, "Bill").passed and not mail.no_message(inbox, "Quote").passed
    assert mail.mailbox_holds(inbox, ["Quote", "Keys"]).passed
    assert len(mail.mailbox_holds(inbox, ["Quote", "Bill"]).feedback) == 2
    keys = {"mailbox": "the inbox", "letters": [{"subject": "Keys", "text": "Hello.\n", "marks": []}]}
    assert mail.mailbox_holds(keys, ["Keys"], {"Keys": "Hello."}).passed
    assert not mail.mailbox_holds(keys, ["Keys"], {"Keys": "Hello, all."}).passed
    assert not mail.mailbox_holds(box(("Keys", []), ("Keys", [])), ["Keys"]).passed
    bill = {**letter(letter_bytes(written(attachments=[{"name": "bill.txt", "text": "12"}]))), "marks": []}
    held = {"mailbox": "the inbox", "letters": [bill]}
    assert mail.mailbox_holds(held, ["Keys"], files={"Keys": ["bill.txt"]}).passed
    emptied = {"mailbox": "the inbox", "letters": [{**bill, "attachments": []}]}
    assert not mail.mailbox_holds(emptied, ["Keys"], files={"Keys": ["bill.txt"]}).passed
    assert mail.messages_marked(inbox, "starred", ["Quote"]).passed
    assert len(mail.messages_marked(inbox, "starred", ["Keys"]).feedback) == 2
    assert not mail.messages_marked(inbox, "starred", ["Quote", "Gone"]).passed
    folders = {"account": ADDRESS, "folders": ["INBOX", "Travel"]}
    assert mail.mail_folder_exists(folders, "Travel").passed and not mail.mail_folder_exists(folders, "travel").passed


def test_checks_on_what_was_sent() -> None:
    posted = sent(text="It is 12 euros.\n\nOn Monday, Bo wrote:\n> 13?\n", reply_to_id="6@x")
    assert mail.mail_sent(posted, [ADDRESS], subject="keys", says=["12"], never=["13"], holds=["13"]).passed
    assert not mail.mail_sent(posted, ["other@x.example"]).passed
    assert not mail.mail_sent(posted, [ADDRESS], cc=["ada@x.example"]).passed
    assert not mail.mail_sent(posted, [ADDRESS], says=["13"]).passed
    assert not mail.mail_sent(posted, [ADDRESS], never=["12"]).passed
    assert mail.mail_sent(posted, [ADDRESS], lacks=["14"]).passed
    assert not mail.mail_sent(posted, [ADDRESS], lacks=["13"]).passed
    assert not mail.mail_sent({**posted, "letters": posted["letters"] * 2}, [ADDRESS]).passed
    assert mail.replied_to(posted, "6@x", [ADDRESS], ["12"]).passed
    assert not mail.replied_to(posted, "5@x", [ADDRESS], ["12"]).passed
    threaded = {**posted["letters"][0], "in_reply_to": "", "references": ["5@x", "6@x"]}
    assert mail.replied_to({**posted, "letters": [threaded]}, "6@x", [ADDRESS], ["12"]).passed
    assert not mail.replied_to({**posted, "letters": [threaded]}, "5@x", [ADDRESS], ["12"]).passed
    for denied in ("It is not 12.", "It isn't 12 euros."):
        assert not mail.replied_to(sent(text=denied, reply_to_id="6@x"), "6@x", [ADDRESS], ["12"]).passed
    assert not mail.replied_to(sent(text="12", subject="", reply_to_id="6@x"), "6@x", [ADDRESS], ["12"]).passed
    assert mail.nothing_sent({"mailbox": "sent", "letters": []}).passed and not mail.nothing_sent(posted).passed


def test_a_letter_is_from_the_account_it_was_sent_by() -> None:
    for account, right in (("bo@x.example", True), ("", True), (ADDRESS, False)):
        posted = sent(text="12", reply_to_id="6@x")
        posted["letters"][0]["account"] = account
        assert mail.mail_sent(posted, [ADDRESS]).passed is right
        assert mail.replied_to(posted, "6@x", [ADDRESS], ["12"]).passed is right


def test_checks_on_files_that_were_sent() -> None:
    posted = sent(attachments=[{"name": "form.txt", "text": "Name: Rosa\n", "type": "text/plain"}])
    digest = posted["letters"][0]["attachments"][0]["sha256"]
    assert mail.mail_sent(posted, [ADDRESS], attached={"form.txt": digest}).passed
    assert not mail.mail_sent(posted, [ADDRESS], attached={"form.txt": "0" * 64}).passed
    assert not mail.mail_sent(posted, [ADDRESS], attached={}).passed
    assert not mail.mail_sent(sent(), [ADDRESS], attached={"form.txt": ""}).passed
    for name, right in (("trip.eml", True), ("trip.txt", False)):
        kept = sent(attachments=[{"name": name, "text": "Subject: Trip\n\nCode: KZ9992\n", "type": "text/plain"}])
        assert mail.mail_sent(kept, [ADDRESS], holds=["Code: KZ9992"]).passed is right
    kept = sent(attachments=[{"name": "all.txt", "text": "Code: KZ9992", "type": "text/plain"}])
    assert mail.mail_sent(kept, [ADDRESS], lacks=["KZ9993"]).passed
    assert not mail.mail_sent(kept, [ADDRESS], lacks=["KZ9992"]).passed
    assert mail.letter_file_says(posted, "form.txt", "Name: Rosa").passed
    assert not mail.letter_file_says(posted, "form.txt", "Name: Bo").passed
    assert not mail.letter_file_says(posted, "other.txt", "Name: Rosa").passed


def test_a_check_on_a_folder_that_is_not_there_does_not_hold() -> None:
    fault = CannotSee("absent", "there is no folder Tax").fault
    finding = examine(expect.mailbox_holds(see.mailbox(ADDRESS, "Tax"), []), lambda _: fault)
    assert not finding.passed and not finding.known


SEND = f"""
import smtplib
with smtplib.SMTP("127.0.0.1", 587) as post:
    post.login({ADDRESS!r}, {PASSWORD!r})
    post.sendmail({ADDRESS!r}, [{ADDRESS!r}, "bo@x.example"], "Subject: Hello\\n\\nIt is 12.\\n")
"""
INTRUDE = """
import imaplib, os, signal, smtplib
for place in ("/run/mail/store", "/run/mail/outbox", "/run/mail/users"):
    try:
        os.listdir(place) if place != "/run/mail/users" else open(place)
    except PermissionError:
        print("closed", end=" ")
for number in range(2, 400):
    if number != os.getpid():
        try:
            if open(f"/proc/{number}/cmdline").read().find("dovecot") >= 0:
                os.kill(number, signal.SIGKILL)
        except OSError:
            pass
try:
    imaplib.IMAP4("127.0.0.1").login("rosa.weber@alder.example", "guess")
except imaplib.IMAP4.error:
    print("refused", end=" ")
with smtplib.SMTP("127.0.0.1", 587) as post:
    print(post.ehlo()[0], post.mail("x@y.example")[0])
"""


@pytest.fixture(scope="module")
def computer() -> Any:
    with open_computer("sandbox", image="full", network="loopback", clock="2026-03-12T09:30:00") as computer:
        letters = [written(read=False), written(subject="Quote", starred=True)]
        account = MailAccount(address=ADDRESS, password=PASSWORD, folders={"INBOX": letters, "Travel": []})
        mail_service(SetupContext(computer), [account])
        yield computer


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_the_service_keeps_and_delivers_mail(computer: Computer) -> None:
    context = ProbeContext(computer)
    before = mailbox(context, ADDRESS)
    assert {found["subject"]: found["marks"] for found in before["letters"]} == {
        "Keys": [],
        "Quote": ["read", "starred"],
    }
    assert mailbox(context, ADDRESS) == before, "looking changes nothing"
    assert (
        mailbox(context, ADDRESS, "Travel")["letters"] == [] and "Travel" in mail_folders(context, ADDRESS)["folders"]
    )
    with pytest.raises(CannotSee, match="no folder Tax"):
        mailbox(context, ADDRESS, "Tax")
    assert posted_mail(context)["letters"] == []
    assert computer.run(["python3", "-c", SEND]).code == 0
    (posted,) = posted_mail(context)["letters"]
    assert (posted["recipients"], posted["text"].strip()) == (["bo@x.example", ADDRESS], "It is 12.")
    assert "Hello" in [found["subject"] for found in mailbox(context, ADDRESS)["letters"]]


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_thunderbird_opens_with_the_account_and_asks_nothing(computer: Computer) -> None:
    thunderbird(SetupContext(computer), ADDRESS, PASSWORD, "Ann")
    (window,) = computer.windows()
    assert "Thunderbird" in window.title
    # Both letters are listed, whatever else the window shows.
    shown = " ".join(node.name for node in computer.tree().nodes if node.showing)
    assert "Keys" in shown and "Quote" in shown


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_the_agent_gets_neither_behind_nor_rid_of_the_service(computer: Computer) -> None:
    said = computer.run(["python3", "-c", INTRUDE])
    assert said.stdout.split()[:5] == ["closed", "closed", "closed", "refused", "250"], said.stderr
    assert said.stdout.split()[5].startswith("53"), "posting needs a password"
    assert mailbox(ProbeContext(computer), ADDRESS)["letters"]
