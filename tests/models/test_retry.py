from __future__ import annotations

import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.models.retry import TRIES, CallFailed, Kind, Patience, kind_of_status, persist, retry_after
from tests.models.clock import Clock


def failing(*kinds: Kind, then: str = "fine") -> tuple[list[Kind], object]:
    left = list(kinds)

    def attempt() -> str:
        if left:
            raise CallFailed(left.pop(0), "no")
        return then

    return left, attempt


@pytest.mark.parametrize("kind", ["rate", "overloaded", "timeout", "connection", "malformed"])
def test_passing_troubles_pass(kind: Kind, clock: Clock) -> None:
    _, attempt = failing(kind, kind)
    tried = persist(attempt, clock.patience())  # type: ignore[arg-type]
    assert (tried.result, tried.failure, tried.retries) == ("fine", None, 2)
    assert clock.waits == [1.0, 2.0]
    assert tried.seconds == 3.0


@pytest.mark.parametrize(("times", "said"), [(1, "fine"), (2, None)])
def test_silence_is_asked_again_once(times: int, said: str | None, clock: Clock) -> None:
    _, attempt = failing(*["empty"] * times)
    tried = persist(attempt, clock.patience())  # type: ignore[arg-type]
    assert (tried.result, tried.retries, clock.waits) == (said, 1, [1.0])


@pytest.mark.parametrize("kind", ["auth", "bad_request"])
def test_lasting_troubles_end_it_at_once(kind: Kind, clock: Clock) -> None:
    _, attempt = failing(kind)
    tried = persist(attempt, clock.patience())  # type: ignore[arg-type]
    assert tried.failure is not None
    assert (tried.failure.kind, tried.retries, clock.waits) == (kind, 0, [])


@pytest.mark.parametrize("kind", TRIES)
def test_tries_are_counted(kind: Kind, clock: Clock) -> None:
    left, attempt = failing(*[kind] * 50)
    tried = persist(attempt, clock.patience(1e9))  # type: ignore[arg-type]
    assert tried.failure is not None
    assert 50 - len(left) == TRIES[kind] == tried.retries + 1


def test_patience_ends_before_a_wait_that_would_outlast_it(clock: Clock) -> None:
    _, attempt = failing(*["rate"] * 50)
    tried = persist(attempt, clock.patience(10))  # type: ignore[arg-type]
    assert tried.failure is not None
    assert clock.waits == [1.0, 2.0, 4.0]
    assert clock.now <= 10


def test_other_errors_are_not_caught(clock: Clock) -> None:
    def attempt() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        persist(attempt, clock.patience())


@given(tries=st.integers(1, 60), jitter=st.floats(0, 1), asked=st.none() | st.floats(0, 1000))
def test_waits_are_bounded_and_never_shorter_than_asked(tries: int, jitter: float, asked: float | None) -> None:
    wait = Patience(jitter=lambda: jitter).delay(tries, asked)
    assert wait >= (asked or 0)
    assert wait <= max(asked or 0, 60)
    assert wait >= 0.5


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "bad_request"), (401, "auth"), (403, "auth"), (404, "bad_request"), (408, "timeout"), (413, "too_large"),
     (429, "rate"), (500, "overloaded"), (503, "overloaded"), (529, "overloaded")],
)  # fmt: skip
def test_the_class_of_a_status(status: int, kind: Kind) -> None:
    assert kind_of_status(status) == kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "2.5"}, 2.5), ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
     ({"retry-after": "-3"}, None),
     ({}, None), ({"retry-after": "soon"}, None), ({"retry-after": ""}, None), ({"retry-after-ms": "x"}, None),
     ({"retry-after": "nan"}, None), ({"retry-after": "inf"}, None)],
)  # fmt: skip
def test_how_long_a_provider_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_come_back_at() -> None:
    found = retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert found is not None
    assert 90 < found <= 100
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0.0
