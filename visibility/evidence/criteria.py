"""What answers to buying questions judge by. Pure."""

from collections.abc import Sequence

from visibility.evidence.types import AnswerText, Criterion


def find_criteria(answers: Sequence[AnswerText], names: Sequence[str]) -> list[Criterion]:
    """The criteria of the answers to buying questions, weightiest first; `names` are those of all subjects."""
    raise NotImplementedError
