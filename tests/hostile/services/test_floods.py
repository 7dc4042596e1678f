"""An agent floods the services of its computer: every look ends in time, as a value or as a fault, and none is void."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor import open_computer
from proctor.computers.computer import Computer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.services.calendar.probes import calendar
from proctor.vocabulary.services.calendar.setup import Calendar, calendar_service
from proctor.vocabulary.services.chat.probes import chat_log
from proctor.vocabulary.services.chat.setup import CHAT, ChatChannel, chat_server
from proctor.vocabulary.services.mail.probes import mail_folders, mailbox, posted_mail
from proctor.vocabulary.services.mail.setup import MailAccount, mail_service
from proctor.vocabulary.services.web.probes import site_log, site_records
from proctor.vocabulary.services.web.setup import Page, WebForm, web_site

pytestmark = [pytest.mark.sandbox("full"), pytest.mark.alone, pytest.mark.turns(by="file")]

ADDRESS, PASSWORD, SITE = "rosa.weber@alder.example", "Lantern-204", "shop.example"
EVENT = {"summary": "Tea", "start": "2026-03-11T10:00:00", "end": "2026-03-11T11:00:00"}
FLOOD = (Path(__file__).parent / "flood.py").read_text()


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    with open_computer("sandbox", image="full", network="loopback") as found:
        context = SetupContext(found)
        mail_service(context, [MailAccount(address=ADDRESS, password=PASSWORD)])
        calendar_service(context, ADDRESS, PASSWORD, [Calendar.model_validate({"title": "Family", "events": [EVENT]})])
        chat_server(context, [ChatChannel(name="#club", people=("ann", "ben"))])
        web_site(context, SITE, "Shop", {"/": Page(title="Home", body="hi")}, forms={"/order": WebForm(kind="order")})
        yield found


@pytest.fixture(scope="module")
def flooded(computer: Computer) -> Computer:
    """The same while the agent holds every connection that it can get, after it has written what it could."""
    start = 'python3 -c "$1" > /tmp/flood 2>&1 & until grep -q holding /tmp/flood; do sleep 0.2; done'
    done = computer.run(["sh", "-c", start, "sh", FLOOD], timeout_sec=120)
    assert done.code == 0, done.stderr
    return computer


def test_no_service_runs_as_root_or_as_the_agent(computer: Computer) -> None:
    listed = computer.run(["ps", "-eo", "user:12,comm", "--no-headers"], root=True).stdout.splitlines()
    users: dict[str, set[str]] = {}
    for user, name in (line.split(None, 1) for line in listed):
        users.setdefault(name.strip(), set()).add(user)
    assert users["dovecot"] == users["auth"] == users["anvil"] == {"mail"}
    assert users["ngircd"] == {"irc"}
    assert users["python3"] == {"mail", "radicale", "irc", "www-data"}
    assert users["init"] == {"root"}
    assert {name for name, who in users.items() if "root" in who} == {"init", "ps"}
    script = "for p in $(pgrep -u mail,irc,www-data,radicale); do grep CapEff /proc/$p/status; done | sort -u"
    held = computer.run(["sh", "-c", script], root=True).stdout.split()
    assert set(held) <= {"CapEff:", "0000000000000000", "0000000000000400"}, "more than the right to open a port"


LOOKS: dict[str, Callable[[ProbeContext], Any]] = {
    "mailbox": lambda context: mailbox(context, ADDRESS),
    "an empty folder": lambda context: mailbox(context, ADDRESS, "Drafts"),
    "folders": lambda context: mail_folders(context, ADDRESS),
    "posted": posted_mail,
    "calendar": lambda context: calendar(context, "Family"),
    "chat": chat_log,
    "records": lambda context: site_records(context, SITE),
    "log": lambda context: site_log(context, SITE),
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_ends_as_a_value_or_a_fault(flooded: Computer, look: str) -> None:
    try:
        assert LOOKS[look](ProbeContext(flooded))
    except CannotSee as fault:
        assert fault.fault.kind == "refused"
        assert look in ("chat", "records", "log", "posted", "mailbox")


def test_what_services_keep_is_still_judged(flooded: Computer) -> None:
    (event,) = calendar(ProbeContext(flooded), "Family")["events"]
    assert event["summary"] == "Tea"
    assert "Drafts" in mail_folders(ProbeContext(flooded), ADDRESS)["folders"]


def test_what_is_too_much_is_never_taken_for_all(flooded: Computer) -> None:
    """Whoever fills a log before doing something does not hide it by that."""
    with pytest.raises(CannotSee, match="more than is looked at"):
        site_records(ProbeContext(flooded), SITE)
    with pytest.raises(CannotSee, match="more than is looked at"):
        site_log(ProbeContext(flooded), SITE)
    with pytest.raises(CannotSee, match="more than is looked at"):
        chat_log(ProbeContext(flooded))


def test_no_disk_is_filled(flooded: Computer) -> None:
    sizes = flooded.run(["du", "-sk", "/run/mail", CHAT, "/run/proctor-sites", "/run/calendars"], root=True).stdout
    assert sum(int(line.split()[0]) for line in sizes.splitlines()) < 64 * 1024


def test_a_chat_that_lost_its_people_is_a_fault(computer: Computer) -> None:
    """The last test of this computer: its chat is over afterwards."""
    computer.run(["pkill", "-9", "ngircd"], root=True)
    with pytest.raises(CannotSee, match="cannot be followed"):
        chat_log(ProbeContext(computer))
