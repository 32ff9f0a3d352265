"""How a number is written for people: the same digits on pages, in commands, answers and drafts."""

from decimal import ROUND_HALF_UP, Decimal


def shown(value: float | Decimal, digits: int = 1, *, signed: bool = False) -> str:
    """The number with so many digits behind the point, halves rounded away from zero as people do: 5.55 is "5.6".

    What counts is the number as it is written, not the binary fraction behind it. `signed` writes a plus too; zero
    has no sign.
    """
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded or abs(rounded):{'+' if signed and rounded else ''}f}"


def on_questions(interval: str | None) -> str:
    """What stands behind an interval of this kind (`intervals.Kind`) that speaks of exactly the questions asked;
    empty where it speaks of questions like these, as intervals without a word do."""
    return " on exactly these questions" if interval == "questions" else ""
