from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.models.secrets import HIDDEN, Redactor, redact


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plain-value-1234")
    monkeypatch.setenv("OTHER_TOKEN", "plain-value-1234-and-more")
    monkeypatch.setenv("SHORT_KEY", "on")
    monkeypatch.setenv("HARMLESS", "harmless-value")


@pytest.mark.parametrize(
    "secret",
    [
        "plain-value-1234",
        "plain-value-1234-and-more",
        "sk-proj-abc123DEF456ghi789",
        "sk-ant-REDACTED",
        "sk-abcd****************wxyz",
        "AIzaSyA1234567890abcdefghijk",
        "hf_abcdefghijklmnop",
        "AKIAABCDEFGHIJKLMNOP",
    ],
)
def test_secrets_are_hidden(secret: str) -> None:
    for text in (secret, f"key: {secret}.", f'{{"k": "{secret}"}}', f"Bearer {secret}", f"x={secret}&y=1"):
        assert secret not in redact(text)
        assert HIDDEN in redact(text)


def test_a_bearer_of_any_shape_and_the_password_of_an_address_are_hidden() -> None:
    assert redact("Authorization: Bearer abc.def.ghi123") == f"Authorization: Bearer {HIDDEN}"
    assert redact("cannot reach http://me:pass@host:80/v1") == f"cannot reach http://{HIDDEN}@host:80/v1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "on",
        "harmless-value",
        "a task-list of desk-items",
        "sk-8",
        "http://host/v1?x=a@b",
        "Bearer of news",
        "risk-aversion",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text) == text


def test_the_inside_of_encoded_data_is_not_torn_apart() -> None:
    for encoded in ("gAAAAABsk-abcdefghijklmnop_qr", "x/AIzaSyA1234567890abcdefghijk", "iVBOR+sk-abcdefghijklmnop"):
        assert redact(encoded) == encoded


def test_data_is_searched_throughout() -> None:
    redactor = Redactor(["another-secret"])
    data = {"a": ["another-secret", {"plain-value-1234": 3}], "b": None, "c": 1.5, "d": ("x another-secret",)}
    assert redactor.data(data) == {"a": [HIDDEN, {HIDDEN: 3}], "b": None, "c": 1.5, "d": [f"x {HIDDEN}"]}


def test_a_redactor_does_not_show_what_it_hides() -> None:
    assert "another-secret" not in repr(Redactor(["another-secret"]))


@given(before=st.text(max_size=30), secret=st.text(min_size=8, max_size=40), after=st.text(max_size=30))
def test_a_known_value_is_hidden_wherever_it_stands(before: str, secret: str, after: str) -> None:
    known = secret.strip()
    hidden = Redactor([secret]).text(before + secret + after)
    assert len(known) < 8 or known in HIDDEN or known not in hidden.replace(HIDDEN, "\0")
