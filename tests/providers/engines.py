"""Engines whose provider is the one on loopback: one of each adapter, as an operator configures them."""

import importlib

from apikeys.operators import system_caller
from tests.providers.faults import PROTOCOLS
from visibility.engines.presets import PRESETS
from visibility.services.engines.configuring import add_engine

MODELS = {
    "responses": ("openai", "gpt-5.2"),
    "chat": ("perplexity", "sonar"),
    "messages": ("anthropic", "claude-sonnet-5"),
    "gemini": ("gemini", "gemini-2.5-flash"),
}
"""Provider and model of each protocol."""


def key_variable(protocol):
    """The environment variable that holds the key of this protocol's engine."""
    return f"LOOPBACK_{protocol.upper()}_API_KEY"


def key(protocol):
    """A key such as providers issue: with characters that are encoded in addresses."""
    return f"sk-secret+of/{protocol}-4711"


def add_loopback_engines(provider, environ, protocols=PROTOCOLS, **bounds):
    """An enabled engine of each protocol; their keys are put into `environ`. Their libraries are loaded: no call
    waits for that."""
    for protocol in protocols:
        preset, model = MODELS[protocol]
        importlib.import_module(PRESETS[preset].adapter.rpartition(".")[0])
        environ[key_variable(protocol)] = key(protocol)
        add_engine(
            system_caller("test"),
            name=f"loopback-{protocol}",
            provider=preset,
            model=model,
            search=True,
            base_url=provider.base_url(protocol),
            key_variable=key_variable(protocol),
            enabled=True,
            **bounds,
        )
