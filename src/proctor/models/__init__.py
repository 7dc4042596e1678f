"""The shelf of models: opened by `provider/name`, spoken to all alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from proctor.errors import SpecError
from proctor.models.vendors import VENDORS
from proctor.registry import Registration, Registry

if TYPE_CHECKING:
    from proctor.models.model import Model

MODELS: Registry[Callable[..., Any]] = Registry(
    "model provider",
    {
        "anthropic": Registration("proctor.models.anthropic:AnthropicModel", "anthropic"),
        "gemini": Registration("proctor.models.google:GoogleModel", "google"),
        "google": Registration("proctor.models.google:GoogleModel", "google"),
        "local": Registration("proctor.models.local:LocalModel", "local"),
        "openai": Registration("proctor.models.openai:OpenAIModel", "openai"),
        "scripted": Registration("proctor.models.script:ScriptedModel"),
    },
    group="proctor.models",
)


def open_model(model: str, *, base_url: str | None = None, **options: Any) -> Model:
    """Return a model that is ready to be asked; nothing is sent yet.

    Args:
        model: `provider/name`, such as `openai/gpt-4.1`; a provider may also be `module:Class`, or a vendor with a
            computer tool whose models are asked in another provider's format.
        base_url: A server that speaks the provider's format, such as one of vLLM or Ollama.
        options: What the provider's class takes, such as `timeout=60`.

    Raises:
        UnknownName: There is no such provider.
        MissingExtra: Its SDK is not installed.
        SpecError: Its key is not in the environment, the URL is none, or an option is unknown.
    """
    provider, slash, name = model.partition("/")
    if not (slash and provider and name):
        raise SpecError(f"{model!r} is not the name of a model", remedy="write provider/name, such as openai/gpt-4.1")
    if provider in ("http:", "https:"):
        raise SpecError(
            f"{model!r} is an address, not a model",
            remedy="write provider/name, and the address as an option: --agent prompted,model=openai/NAME,base_url=URL",
        )
    if (format_of := asked_as(provider)) != provider:
        options["vendor"] = provider
    factory = MODELS.get(format_of)
    if base_url:
        options["base_url"] = base_url
    _check_options(provider, factory, options)
    opened: Model = factory(name, **options)
    return opened


def asked_as(vendor: str) -> str:
    """Return the provider whose wire format a vendor's models are asked in; its own, or its tool's."""
    if MODELS.knows(vendor) or not VENDORS.knows(vendor):
        return vendor
    return VENDORS.get(vendor).asked_as or vendor


def _check_options(provider: str, factory: Callable[..., Any], options: dict[str, Any]) -> None:
    if "api_key" in options:
        raise SpecError(
            "a key is not an option: options are recorded",
            remedy="put it into the environment; key_variable=NAME names the variable",
        )
    takes = inspect.signature(factory).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values()):
        return
    if unknown := [name for name in options if name not in takes]:
        known = ", ".join(list(takes)[1:]) or "(none)"
        raise SpecError(f"models of {provider!r} take no option {unknown[0]!r}", remedy=f"their options are: {known}")
