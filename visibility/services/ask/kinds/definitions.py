"""Why another tool shows another number for the same answers."""

from visibility.services.ask.fact import QuestionContext, Told, fact, site_step, unmeasured
from visibility.services.ask.types import Value
from visibility.services.reading.other_tools import other_numbers


def told_of_definitions(context: QuestionContext) -> Told:
    """Our score, and what five common definitions make of the answers of now."""
    report = other_numbers(context.caller, brand_id=context.brand.pk)
    if report.now is None or not report.numbers:
        return unmeasured(context)
    now = report.now
    numbers: list[Value] = [
        {"definition": number.definition.value, "value": number.value}
        for number in report.numbers
        if number.value is not None
    ]
    return Told(
        [
            fact(
                "other_numbers",
                *now.runs,
                subject=context.brand.name,
                score=now.score,
                low=now.low,
                high=now.high,
                answers=now.answers,
                count=len(numbers),
                least=report.least,
                most=report.most,
            ),
            fact("by_definition", *now.runs, subject=context.brand.name, definitions=numbers),
        ],
        site_step("get_visibility_scores", "which_definition", context.brand),
    )
