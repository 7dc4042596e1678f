"""Single letters are found by their subject and judged by what they say, answer, hold and bring; mail can arrive."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.errors import SetupFailed, SpecError
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make
from proctor.vocabulary.apps.thunderbird.setup import PROFILE, thunderbird_account
from proctor.vocabulary.desktop.probes.files import digest
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.services.mail import checks_of_letters as checks
from proctor.vocabulary.services.mail.probes import mailbox
from proctor.vocabulary.services.mail.setup import Letter, MailAccount, letter_bytes, mail_delivered, mail_service

ADDRESS, PASSWORD = "rosa.weber@alder.example", "Lantern-204"
BO, ADA = "bo@x.example", "ada@x.example"
NAMELESS = letter(b"Subject: Bill\r\n\r\nWithout an id.\r\n")
NOTE = {"name": "note.txt", "text": "one\n", "type": "text/plain"}


def written(subject: str = "Keys", text: str = "Hello.\n", **more: Any) -> Letter:
    given = {"from": ADDRESS, "to": BO, "date": "2026-03-11T10:00:00", "subject": subject, "text": text}
    return Letter.model_validate({**given, **more})


def posted(*letters: Letter, recipients: tuple[str, ...] = (BO,)) -> dict[str, Any]:
    """What the probe returns of letters that were sent."""
    found = [{**letter(letter_bytes(each)), "sender": ADDRESS, "recipients": sorted(recipients)} for each in letters]
    return {"mailbox": "what was sent", "letters": found}


def test_a_letter_is_found_among_others_by_its_subject() -> None:
    sent = posted(written(), written("Keys again", "Other.\n"))
    assert checks.letter_is(sent, " keys", [BO.upper()], ["Hello."]).passed
    assert checks.letter_is(sent, "Keys").passed
    assert checks.letter_is(sent, "Key").feedback == ("0 emails 'Key' were sent, expected one.",)
    twice = posted(written(), written())
    assert checks.letter_is(twice, "Keys").feedback == ("2 emails 'Keys' were sent, expected one.",)
    assert checks.letter_holds(twice, "Keys", []).feedback == ("2 emails 'Keys' were sent, expected one.",)


def test_a_letter_goes_to_exactly_these_people() -> None:
    sent = posted(written(), recipients=(BO, ADA))
    assert checks.letter_is(sent, "Keys", [BO, ADA]).passed
    assert checks.letter_is(sent, "Keys", [BO]).feedback == (
        "The email 'Keys' went to ada@x.example, bo@x.example, expected bo@x.example.",
    )
    for account, right in ((ADDRESS, True), (ADA, False)):
        sent["letters"][0]["account"] = account
        assert checks.letter_is(sent, "Keys", [BO, ADA]).passed is right
    nobody = posted(written(), recipients=())
    assert checks.letter_is(nobody, "Keys", [BO]).feedback == (
        "The email 'Keys' went to nobody, expected bo@x.example.",
    )


def test_a_letter_says_exactly_these_lines() -> None:
    sent = posted(written(text="12  chairs \n\n3 lamps\n\nOn Monday, Bo Dahl wrote:\n> 13 chairs\n"))
    assert checks.letter_is(sent, "Keys", lines=["12 chairs", "", "3 lamps "]).passed
    assert checks.letter_is(sent, "Keys", lines=["12 chairs", "4 lamps"]).feedback == (
        "The email 'Keys' says '12 chairs / 3 lamps', expected '12 chairs / 4 lamps'.",
    )
    for lines in ([], ["12 chairs"], ["3 lamps", "12 chairs"], ["12 chairs", "3 lamps", "13 chairs"]):
        assert not checks.letter_is(sent, "Keys", lines=lines).passed


def test_a_letter_has_exactly_these_files_with_it() -> None:
    sent = posted(written(attachments=[NOTE]))
    assert checks.letter_is(sent, "Keys", files=["note.txt"]).passed
    assert checks.letter_is(sent, "Keys").feedback == (
        "The email 'Keys' has the attachments: note.txt; expected: no file.",
    )
    assert checks.letter_is(posted(written()), "Keys", files=["b.txt", "a.txt"]).feedback == (
        "The email 'Keys' has the attachments: no file; expected: a.txt, b.txt.",
    )
    every = checks.letter_is(sent, "Keys", [ADA], ["Bye."])
    assert len(every.feedback) == 3, "every mismatch is named"


def test_an_answer_answers_and_is_not_just_so_named() -> None:
    inbox = {"mailbox": "inbox", "letters": [letter(letter_bytes(written("Quote", id="6@x"))), NAMELESS]}
    assert checks.letter_answers(posted(written("Re: Quote", reply_to_id="6@x")), inbox, "re: quote", "Quote").passed
    for wrong in (written("Re: Quote"), written("Re: Quote", reply_to_id="5@x"), written("Quote", reply_to_id="6@x")):
        found = checks.letter_answers(posted(wrong), inbox, "Re: Quote", "Quote")
        assert found.feedback == ("No email 'Re: Quote' answers the email 'Quote'.",)
    assert not checks.letter_answers(posted(written("Re: Bill")), inbox, "Re: Bill", "Bill").passed


def test_an_answer_may_name_the_thread_alone() -> None:
    inbox = {"mailbox": "inbox", "letters": [letter(letter_bytes(written("Quote", id="6@x")))]}
    sent = posted(written("Re: Quote"))
    for ids, right in ((["5@x", "6@x"], True), (["6@x", "5@x"], False)):
        sent["letters"][0]["references"] = ids
        assert checks.letter_answers(sent, inbox, "Re: Quote", "Quote").passed is right


@pytest.mark.parametrize(
    ("text", "plainly", "courteous"),
    [
        ("Agreed, until 3 April\n", True, True),
        ("Agreed, until 3 April\n\n-- \nRosa Weber\n", True, True),
        ("Agreed, until 3 April\n\nBo Ek wrote:\n> When?\n", True, True),
        ("Hi Bo,\n\nAgreed, until 3 April\n\nBest regards,\nRosa Weber\n", False, True),
        ("Dear Mr Ek,\nAgreed, until 3 April\nThanks!\nRosa", False, True),
        ("Agreed, until 3 April\nRosa\n", False, True),
        ("Agreed, until 3 April.\n", False, True),
        ("Agreed, until 3 April?\n", False, False),
        ("Agreed, until 3 April\nBo\n", False, False),
        ("Hi Bo, not at all.\nAgreed, until 3 April\n", False, False),
        ("Agreed, until 3 April\nThanks, but only if it rains\n", False, False),
        ("Agreed, until 3 April\n--\na\nb\nc\nd\ne\n", False, False),
        ("Agreed, until 3 April\n5\n", False, False),
        ("Hi Bo,\nBest regards,\nRosa\n", False, False),
    ],
)
def test_a_signature_says_nothing_and_courtesy_little(text: str, plainly: bool, courteous: bool) -> None:
    sent = posted(written(text=text))
    assert checks.letter_is(sent, "Keys", lines=["Agreed, until 3 April"]).passed is plainly
    assert checks.letter_is(sent, "Keys", lines=["Agreed, until 3 April"], courtesy=True).passed is courteous


def test_letters_are_counted_whatever_they_are() -> None:
    assert checks.letters_sent(posted(written()), 1).passed
    assert checks.letters_sent(posted(), 0).passed
    found = checks.letters_sent(posted(written(), written("Other")), 1)
    assert found.feedback == ("2 emails were sent: 'Keys', 'Other'; expected 1.",)


def test_an_answer_goes_back_to_whom_the_letter_is_from() -> None:
    theirs = letter(letter_bytes(written("Quote", id="6@x", **{"from": f"Bo <{BO}>", "to": ADDRESS})))
    inbox = {"mailbox": "inbox", "letters": [theirs]}
    answer = written("Re: Quote", reply_to_id="6@x")
    assert checks.letter_answers(posted(answer), inbox, "Re: Quote", "Quote").passed
    for recipients in ((BO, ADA), (ADA,), ()):
        found = checks.letter_answers(posted(answer, recipients=recipients), inbox, "Re: Quote", "Quote")
        assert found.feedback[0].startswith("The email 'Re: Quote' went to")


def test_a_letter_may_be_forwarded_as_an_attachment_where_that_is_said() -> None:
    inside = {"name": "Quote.eml", "type": "message/rfc822", "text": "12 chairs\n3 lamps\n", "sha256": "0"}
    sent = posted(written())
    sent["letters"][0]["attachments"] = [inside]
    assert checks.letter_is(sent, "Keys", letters=True).passed
    assert not checks.letter_is(sent, "Keys").passed
    assert checks.letter_holds(sent, "Keys", ["12 chairs", "3 lamps"]).passed
    assert not checks.letter_holds(sent, "Keys", ["4 lamps"]).passed
    sent["letters"][0]["attachments"] = [{**inside, "type": "application/octet-stream"}]
    assert checks.letter_is(sent, "Keys", letters=True).passed, "a file with a letter in it is one too"
    assert checks.letter_holds(sent, "Keys", ["12 chairs"]).passed
    sent["letters"][0]["attachments"] = [{**inside, "type": "text/plain", "name": "Quote.txt"}]
    assert not checks.letter_is(sent, "Keys", letters=True).passed, "a text is no letter"
    assert not checks.letter_holds(sent, "Keys", ["12 chairs"]).passed


def test_a_letter_holds_lines_quoted_or_forwarded() -> None:
    forwarded = "See below.\n\n-------- Forwarded Message --------\nSubject: List\n\n12  chairs\n> 3 lamps\n>> tea\n"
    sent = posted(written(text=forwarded))
    assert checks.letter_holds(sent, "Keys", ["12 chairs", "3 lamps", "tea", "See  below.", "> tea"]).passed
    found = checks.letter_holds(sent, "Keys", ["12 chairs", "lamps", "4 lamps"])
    assert found.feedback == (
        "The email 'Keys' does not have the line 'lamps'.",
        "The email 'Keys' does not have the line '4 lamps'.",
    )


def test_a_letter_brings_a_file_as_it_is() -> None:
    sent = posted(written(attachments=[NOTE, {"name": "b.txt", "text": "two\n"}]), written("Other"))
    with FakeComputer() as computer:
        computer.write_file("Documents/two.txt", b"two\n")
        file = digest(ProbeContext(computer), "Documents/two.txt")
    assert checks.letter_brings(sent, file, "Keys").passed
    assert checks.letter_brings(sent, file, "Other").feedback == (
        "No email 'Other' has Documents/two.txt attached unchanged.",
    )
    changed = {**file, "sha256": hashlib.sha256(b"two").hexdigest()}
    assert not checks.letter_brings(sent, changed, "Keys").passed


@pytest.mark.parametrize(("content", "right"), [("one\ntwo\n", True), (b"one\ntwo\n", True), ("one\n", False)])
def test_a_text_is_the_same_whichever_way_its_lines_end_on_the_way(content: str | bytes, right: bool) -> None:
    message = EmailMessage()
    message["Subject"] = "Keys"
    message.set_content("See the file.")
    as_bytes = {"maintype": "text", "subtype": "plain"} if isinstance(content, bytes) else {}
    message.add_attachment(content, filename="a.txt", **as_bytes)
    sent = {"letters": [letter(message.as_bytes(policy=SMTP))]}
    file = {"path": "a.txt", "sha256": hashlib.sha256(b"one\ntwo\n").hexdigest()}
    assert checks.letter_brings(sent, file, "Keys").passed is right


def test_mail_arrives_for_accounts_only_and_never_none() -> None:
    with pytest.raises(SpecError, match="letters"):
        make.mail_delivered(ADDRESS, [])
    with pytest.raises(SpecError, match="address"):
        make.mail_delivered("Rosa", [{"from": BO, "to": ADDRESS, "subject": "", "date": "2026-03-11", "text": ""}])


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_thunderbird_opens_later_with_the_letters_that_have_arrived() -> None:
    with open_computer("sandbox", image="full", network="loopback", clock="2026-03-12T09:30:00") as computer:
        setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
        mail_service(setup_context, [MailAccount(address=ADDRESS, password=PASSWORD)])
        thunderbird_account(setup_context, ADDRESS, PASSWORD, "Rosa Weber")
        assert not computer.windows()
        assert PASSWORD.encode() not in computer.read_file(f"{PROFILE}/logins.json")
        quote, bill = written("Quote", date="2026-03-09", starred=True), written("Bill", date="2026-03-10")
        mail_delivered(setup_context, ADDRESS, [written("Keys", read=False), quote, bill])
        arrived = {each["subject"]: each["marks"] for each in mailbox(probe_context, ADDRESS)["letters"]}
        assert arrived == {"Keys": [], "Quote": ["read", "starred"], "Bill": ["read"]}
        with pytest.raises(SetupFailed, match=BO):
            mail_delivered(setup_context, BO, [written()])

        computer.launch(["thunderbird"], wait=False)
        computer.wait_for(lambda _: len(listed(computer)) == 3, what="the list of the letters", timeout_sec=90)
        assert listed(computer) == ["Keys", "Bill", "Quote"], "newest first, by their dates"
        assert len(computer.windows()) == 1, "nothing is asked"


def listed(computer: Computer) -> list[str]:
    """The subjects in the list of letters, from top to bottom."""
    nodes = [node for node in computer.tree().nodes if node.showing and node.role == "static"]
    found = [(node.box.y, node.name) for node in nodes if node.box and node.name in ("Keys", "Quote", "Bill")]
    return [name for _, name in sorted(found)]
