"""What may stand in the configuration of an engine. The message of each refusal says what to write instead."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from apikeys.errors import invalid
from apikeys.text.validation import clean_line
from visibility.engines.adapters import local_search
from visibility.engines.addresses import refusal_of_host
from visibility.engines.presets import PRESETS
from visibility.engines.spec import LocaleHandling

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
_RANGES: dict[str, tuple[int, int]] = {
    "max_output_tokens": (16, 200_000),
    "max_searches": (1, 50),
    "concurrency": (1, 1_000),
    "requests_per_minute": (1, 1_000_000),
    "max_samples": (1, 100),
}
_OPTIONAL = ("requests_per_minute", "max_samples")
_DEFAULTS: dict[str, Any] = {
    "label": "",
    "base_url": "",
    "search": False,
    "locale_handling": LocaleHandling.SEARCH.value,
    "max_output_tokens": 8192,
    "max_searches": 5,
    "input_price": None,
    "output_price": None,
    "search_price": None,
    "concurrency": 8,
    "requests_per_minute": None,
    "max_samples": None,
    "key_variable": "",
    "enabled": False,
    "writes": False,
}
FIELDS = ("name", "provider", "model", *_DEFAULTS)
"""All that is configured of an engine."""
PROVIDERS = {
    **{name: preset.label for name, preset in PRESETS.items()},
    local_search.NAME: "Pages stored for a brand (local-search)",
}
"""Whom an engine can be of, by name, with the label for people."""
_HIGHEST_PRICE = Decimal(100_000)


def checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an engine, complete and in their stored form. Raises invalid_arguments, naming the field."""
    unknown = sorted(set(values) - set(FIELDS))
    if unknown:
        raise invalid(unknown[0], f"An engine has no field {unknown[0]}. Its fields are {', '.join(FIELDS)}.")
    engine_values = {**_DEFAULTS, **values}
    provider = _provider(engine_values.get("provider"))
    fields: dict[str, Any] = {
        "name": _name(engine_values.get("name")),
        "provider": provider,
        "model": clean_line("model", str(engine_values.get("model") or ""), longest=100),
        "label": clean_line("label", str(engine_values["label"] or ""), longest=100, required=False),
        "locale_handling": _locale_handling(engine_values["locale_handling"]),
        "search": bool(engine_values["search"]),
        "enabled": bool(engine_values["enabled"]),
        "writes": bool(engine_values["writes"]),
        **{field: _number(field, engine_values[field]) for field in _RANGES},
        **{field: _price(field, engine_values[field]) for field in ("input_price", "output_price", "search_price")},
    }
    fields["key_variable"] = _key_variable(provider, str(engine_values["key_variable"] or "").strip())
    fields["base_url"] = _base_url(str(engine_values["base_url"] or "").strip(), bool(fields["key_variable"]))
    if provider == local_search.NAME:
        _require_ranking(fields)
    elif local_search.is_local(fields["name"]):
        raise invalid(
            "name",
            f"Names that begin with {local_search.PREFIX} are for engines that quote stored pages. "
            "Choose another name.",
        )
    elif fields["search"] and not PRESETS[provider].search_tool:
        raise invalid("search", f"{PRESETS[provider].label} does not search the web. Leave search off.")
    return fields


def _name(value: Any) -> str:
    name = str(value or "").strip()
    if not _NAME.fullmatch(name):
        raise invalid("name", "Give a name of 1 to 64 lower case letters, digits and inner hyphens.")
    if name == local_search.NAME:
        raise invalid("name", f"{name} is the engine that quotes stored pages. Choose another name.")
    return name


def _require_ranking(fields: Mapping[str, Any]) -> None:
    """What an engine over stored pages may be: its model names the ranking, and nothing of a provider applies."""
    if not fields["name"].startswith(local_search.PREFIX):
        raise invalid("name", f"An engine over stored pages has a name that begins with {local_search.PREFIX}.")
    if fields["model"] not in local_search.RANKINGS:
        raise invalid("model", f"Give a ranking instead of a model: {', '.join(local_search.RANKINGS)}.")
    for field in ("search", "writes", "base_url", "key_variable"):
        if fields[field]:
            raise invalid(field, "An engine over stored pages connects to no provider. Leave this empty.")


def _provider(value: Any) -> str:
    if value not in PROVIDERS:
        raise invalid("provider", f"Choose a provider: {', '.join(PROVIDERS)}.")
    return str(value)


def _locale_handling(value: Any) -> str:
    if value not in list(LocaleHandling):
        raise invalid("locale_handling", f"Choose how locales are handled: {', '.join(LocaleHandling)}.")
    return str(value)


def _number(field: str, value: Any) -> int | None:
    if value is None and field in _OPTIONAL:
        return None
    low, high = _RANGES[field]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise invalid(field, f"Give a whole number from {low} to {high:,}.")
    return value


def _price(field: str, value: Any) -> Decimal | None:
    if value is None:
        return None
    try:
        price = Decimal(str(value))
    except ArithmeticError:
        price = Decimal("NaN")
    if not price.is_finite() or not 0 <= price <= _HIGHEST_PRICE:
        raise invalid(field, f"Give a price in US dollars from 0 to {_HIGHEST_PRICE:,}.")
    return price


def _key_variable(provider: str, value: str) -> str:
    """Only variables that are named as keys: any other secret of the process could be sent to any address."""
    usual = PRESETS[provider].key_variable if provider in PRESETS else ""
    if not value and not usual:
        return ""
    if not _VARIABLE.fullmatch(value) or len(value) > 100:
        example = usual or "MY_SERVER_API_KEY"
        raise invalid(
            "key_variable",
            "Name the environment variable that holds the key, in capitals and ending in _API_KEY, "
            f"such as {example}. Never put the key itself here.",
        )
    return value


def _base_url(value: str, with_key: bool) -> str:
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    plain = clean_line("base_url", value, longest=300) == value and " " not in value
    if parts.scheme not in ("http", "https") or not host or not plain or "@" in parts.netloc or parts.query:
        raise invalid("base_url", "Give an address such as https://api.example.com/v1, without user, key or query.")
    if refusal := refusal_of_host(host, plain_key=with_key and parts.scheme == "http"):
        raise invalid("base_url", refusal)
    return value.rstrip("/")
