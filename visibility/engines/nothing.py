"""The errors of responses that came whole, are charged, and hold no answer."""

from visibility.engines.protocol import Bill, EngineError
from visibility.engines.spec import EngineSpec


def output_limit(spec: EngineSpec, bill: Bill) -> EngineError:
    """All output went into reasoning: asking again would cost as much and give as little."""
    return EngineError(
        "output_limit",
        f"The {spec.max_output_tokens} output tokens were used up before the answer began. Raise the engine's limit.",
        retryable=False,
        bill=bill,
    )


def missing(field: str, bill: Bill) -> EngineError:
    """The body lacks what every answer has."""
    return EngineError("bad_body", f"The provider's answer has no {field}.", retryable=True, bill=bill)


def empty(bill: Bill) -> EngineError:
    """Everything is there but words."""
    return EngineError("empty_answer", "The engine answered without any text.", retryable=True, bill=bill)
