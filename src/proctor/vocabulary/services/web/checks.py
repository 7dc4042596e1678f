"""Checks on what web sites received."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose


@CHECKS.register
def site_record(
    of: Seen, fields: dict[str, str], account: str | None = None, among: dict[str, str] | None = None
) -> Finding:
    """A site received exactly one form of the kind, with these fields, from this account.

    Ignores case, blanks around and between words, and fields that are not named. `among` are fields that tell which
    forms are looked at; others do not matter then.
    """
    mine = [each for each in of["records"] if not any(_different(each, among or {}, None))]
    return site_records_are({**of, "records": mine}, [fields], account)


@CHECKS.register
def site_records_are(of: Seen, records: list[dict[str, str]], account: str | None = None) -> Finding:
    """A site received exactly these forms, in any order; ignores what `site_record` does."""
    found, kind = list(of["records"]), of["kind"]
    problems = []
    if len(found) != len(records):
        problems.append(f"{of['site']} received {len(found)} of the kind {kind}, expected {len(records)}.")
    left = list(found)
    for wanted in records:
        match = next((record for record in left if not any(_different(record, wanted, account))), None)
        if match is not None:
            left.remove(match)
        elif left:
            nearest = min(left, key=lambda record: len(list(_different(record, wanted, account))))
            problems += [
                f"{of['site']}, {kind} {nearest['number']}: {line}" for line in _different(nearest, wanted, account)
            ]
    return unless(problems)


@CHECKS.register
def site_record_among(of: Seen, fields: dict[str, str]) -> Finding:
    """What a site received of the kind includes at least one form with these fields."""
    if any(not any(_different(record, fields, None)) for record in of["records"]):
        return right()
    wanted = ", ".join(f"{name} '{value}'" for name, value in fields.items())
    return wrong(f"{of['site']} received no {of['kind']} with {wanted}.")


@CHECKS.register
def no_site_record(of: Seen) -> Finding:
    """A site received no form of the kind at all."""
    count = len(of["records"])
    return right() if not count else wrong(f"{of['site']} received {count} of the kind {of['kind']}, expected none.")


@CHECKS.register
def page_requested(of: Seen, path: str, at_most: int | None = None) -> Finding:
    """Someone visited a page of a site, at most this often; a query after `?` counts only if given."""
    asked = [request["path"] for request in of["requests"] if request["method"] == "GET"]
    times = sum(path == (each if "?" in path else each.partition("?")[0]) for each in asked)
    if not times:
        return wrong(f"The page {path} of {of['site']} was never opened.")
    if at_most is not None and times > at_most:
        return wrong(f"The page {path} of {of['site']} was opened {times} times, expected {at_most}.")
    return right()


def _different(record: Mapping[str, Any], wanted: Mapping[str, str], account: str | None) -> Iterator[str]:
    for name, value in wanted.items():
        got = record["fields"].get(name)
        if got is None:
            yield f"{name} is missing, expected '{value}'."
        elif loose(got) != loose(value):
            yield f"{name} is '{got}', expected '{value}'."
    if account is not None and record["account"] != account:
        yield f"it was sent by '{record['account'] or 'nobody signed in'}', expected '{account}'."
