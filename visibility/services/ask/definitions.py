"""Facts about why another tool shows another number for the same answers."""

from collections.abc import Iterator

from apikeys.text.sentences import joined
from visibility.services.ask.fact import Fact, QuestionContext, interval, percent, unmeasured
from visibility.services.reading.other_tools import other_numbers


def facts_of_definitions(context: QuestionContext) -> Iterator[Fact]:
    """Our score, and what five common definitions make of the answers of now."""
    report = other_numbers(context.caller, brand_id=context.brand.pk)
    if report.now is None or not report.numbers:
        yield unmeasured(context.brand, "numbers to compare")
        return
    refs = tuple(map(str, report.now.runs))
    yield Fact(
        f"Other tools count other things: by five common definitions the same {report.now.answers} answers show "
        f"{context.brand.name} at {percent(report.least)} to {percent(report.most)}; the score here is "
        f"{percent(report.now.score)}{interval(report.now)}.",
        refs,
    )
    numbers = [f"“{number.explanation.title}” {percent(number.value)}" for number in report.numbers]
    yield Fact(
        f"By definition: {joined(numbers)}. The page of {context.brand.name} says what makes each differ.", refs
    )
