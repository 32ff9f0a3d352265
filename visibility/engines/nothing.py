"""The errors of responses that came whole and hold no answer."""

from visibility.engines.protocol import EngineError
from visibility.engines.spec import EngineSpec


def filtered() -> EngineError:
    """The provider held the answer back; it would do so again."""
    return EngineError("content_filter", "The provider's filter held the answer back.", retryable=False)


def output_limit(spec: EngineSpec) -> EngineError:
    """All output went into reasoning: asking again would cost as much and give as little."""
    return EngineError(
        "output_limit",
        f"The {spec.max_output_tokens} output tokens were used up before the answer began. Raise the engine's limit.",
        retryable=False,
    )


def missing(field: str) -> EngineError:
    """The body lacks what every answer has."""
    return EngineError("bad_body", f"The provider's answer has no {field}.", retryable=True)


def empty() -> EngineError:
    """Everything is there but words."""
    return EngineError("empty_answer", "The engine answered without any text.", retryable=True)
