from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from proctor.errors import MissingExtra, SpecError, UnknownName
from proctor.models import MODELS, open_model


def test_an_unknown_provider_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'anthropic'"):
        open_model("antropic/claude")


@pytest.mark.parametrize("name", ["", "gpt-4o", "/gpt-4o", "openai/"])
def test_a_name_without_provider_or_model(name: str) -> None:
    with pytest.raises(SpecError, match="provider/name"):
        open_model(name)


def test_gemini_is_another_name_for_google(keys: str) -> None:
    model: Any = open_model("gemini/gemini-2.5-pro")
    assert model.name == "google/gemini-2.5-pro"
    model.close()


def test_a_models_name_may_hold_slashes(keys: str) -> None:
    model: Any = open_model("openai/meta-llama/Llama-3", base_url="http://localhost:8000/v1")
    assert model.name == "openai/meta-llama/Llama-3"
    assert model.price is None
    model.close()


def test_an_unknown_option_is_named(keys: str) -> None:
    with pytest.raises(SpecError, match="take no option 'timeuot'"):
        open_model("openai/gpt-4o", timeuot=3)


def test_a_key_is_no_option(keys: str) -> None:
    with pytest.raises(SpecError, match="recorded"):
        open_model("openai/gpt-4o", api_key="sk-12345678")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "http://host:port/", "http://[::1"])
def test_a_wrong_url_is_refused_when_opened(url: str, keys: str) -> None:
    with pytest.raises(SpecError, match="not a base URL"):
        open_model("openai/gpt-4o", base_url=url)


def test_a_password_in_a_url_is_refused_and_not_repeated(keys: str) -> None:
    with pytest.raises(SpecError, match="environment") as caught:
        open_model("openai/gpt-4o", base_url="http://ada:opensesame@localhost/v1")
    assert "opensesame" not in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "module"), [("openai", "openai"), ("anthropic", "anthropic"), ("google", "google")]
)
def test_a_missing_sdk_is_named_with_the_command(provider: str, module: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from proctor.errors import MissingExtra\nfrom proctor.models import open_model\n"
        f"try:\n    open_model('{provider}/m')\nexcept MissingExtra as error:\n    print(error.extra)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == provider
    assert issubclass(MissingExtra, SpecError)


def test_opening_a_shelf_imports_no_sdk() -> None:
    program = (
        "import sys, proctor.models; print([m for m in ('openai', 'anthropic', 'google.genai') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert {"openai", "anthropic", "google", "gemini", "local", "scripted"} <= set(MODELS.names())


@pytest.mark.parametrize("sdk", ["openai", "anthropic", "google.genai"])
def test_the_sdks_do_not_warn(sdk: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", f"import {sdk}"], check=True, capture_output=True)


def test_an_address_is_not_a_model() -> None:
    with pytest.raises(SpecError, match="is an address(?s:.*)base_url=URL"):
        open_model("http://127.0.0.1:8000/v1")
