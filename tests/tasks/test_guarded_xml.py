"""Reading XML that an agent may have written: ordinary documents are read, all else is a fault in words."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guarded_xml import MOST_NESTING, parse_xml, scan_xml

LAUGHS = b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
BROKEN = [
    b"", b"<a>", b"<a></b>", b"<a/><b/>", b"\xff\xfe", b"<a>&x;</a>",
    b"<?xml version='1.0' encoding='nonsense'?><a/>",
]  # fmt: skip
REFUSED = [
    LAUGHS,
    LAUGHS.decode().encode("utf-16"),
    b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
    b"<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://localhost/x'> %x;]><a/>",
    b"<a>" * 5000 + b"</a>" * 5000,
    b"<a>" + b"<b/>" * 200_001 + b"</a>",
]


def ignore(_name: str, _attributes: Mapping[str, str]) -> None:
    """Hear of an element."""


def kind_of(data: bytes) -> str:
    """Return the fault that both ways of reading find."""
    with pytest.raises(CannotSee) as parsed:
        parse_xml(data, "a.xml")
    with pytest.raises(CannotSee) as scanned:
        scan_xml(data, "a.xml", ignore, most=200_000)
    assert parsed.value.fault == scanned.value.fault
    assert parsed.value.fault.why.startswith("a.xml ")
    return parsed.value.fault.kind


def test_an_ordinary_document_may_name_its_type() -> None:
    assert parse_xml(b"<?xml version='1.0'?><!DOCTYPE a><a><b c='d'>e</b></a>", "a.xml")[0].text == "e"


@pytest.mark.parametrize("data", BROKEN)
def test_what_is_not_well_formed_cannot_be_read(data: bytes) -> None:
    assert kind_of(data) == "unreadable"


@pytest.mark.parametrize("data", REFUSED, ids=range(len(REFUSED)))
def test_what_no_user_wrote_is_refused(data: bytes) -> None:
    assert kind_of(data) == "refused"


def test_the_deepest_document_that_is_read() -> None:
    assert parse_xml(b"<a>" * MOST_NESTING + b"</a>" * MOST_NESTING, "a.xml").tag == "a"


def test_more_elements_where_the_caller_allows_them() -> None:
    data = b"<a>" + b"<b/>" * 10 + b"</a>"
    assert len(parse_xml(data, "a.xml", most=11)) == 10
    with pytest.raises(CannotSee, match="more or deeper elements"):
        parse_xml(data, "a.xml", most=10)


def test_namespaces_get_short_names() -> None:
    data = b"<a xmlns='urn:one' xmlns:z='urn:two' z:k='1' p='2'><z:b/><c xmlns='urn:three'/></a>"
    root = parse_xml(data, "a.xml", prefixes={"urn:one": "o", "urn:two": "t"})
    assert [element.tag for element in root.iter()] == ["o:a", "t:b", "c"]
    assert root.attrib == {"t:k": "1", "p": "2"}
    assert parse_xml(data, "a.xml").tag == "{urn:one}a"


def test_scanning_tells_of_every_element() -> None:
    heard: list[tuple[str, dict[str, str]]] = []
    scan_xml(
        b"<s xmlns='urn:x'><c r='A1'/><c/></s>", "a.xml", lambda tag, given: heard.append((tag, dict(given))), most=9
    )
    assert heard == [("s", {}), ("c", {"r": "A1"}), ("c", {})]


def test_what_the_listener_refuses_is_passed_on() -> None:
    def refuse(_tag: str, _given: Mapping[str, str]) -> None:
        raise CannotSee("refused", "enough")

    with pytest.raises(CannotSee, match="enough"):
        scan_xml(b"<a/>", "a.xml", refuse, most=9)


@given(st.one_of(st.binary(max_size=200), st.text(alphabet="<>/ab&;!DOCTYPE[]\"'= ", max_size=80).map(str.encode)))
def test_any_bytes_are_a_tree_or_a_fault(data: bytes) -> None:
    try:
        assert parse_xml(data, "a.xml").tag
    except CannotSee as fault:
        assert fault.fault.kind in ("unreadable", "refused")
