"""The prompt that fixes a gap: pasted into an assistant, it states the case, quotes the evidence, sets the task."""

from collections.abc import Sequence

from apikeys.text.sentences import one_line
from apikeys.text.untrusted import QUOTE_NOTICE, marked_inside, quoted
from visibility.insights.recommendations.kind import Fix, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.wording import EvidenceText

_RULES = (
    "Use only facts that you find on the brand's own pages or that I give you. Where a fact is missing, write "
    "[fact needed: …] instead of inventing one. Claim nothing about competitors without a source to show for it, and "
    "write no reviews in the name of others."
)


def compose(fix: Fix, material: Material, words: Words) -> str:
    """The prompt that says all of it. Every word of an answer, a page or a question stands between quote marks."""
    brand = material.brand
    parts = [
        f"{marked_inside(fix.goal)} The brand is {one_line(brand.name)} ({one_line(brand.domain)}).",
        QUOTE_NOTICE,
        _listed("Questions:", _questions(material, words.evidence)),
        marked_inside(words.summary),
        _listed("What the answers and pages say:", [_said(item) for item in words.evidence]),
        "\n".join(["What to do:", *(f"{number}. {task}" for number, task in enumerate(fix.tasks, start=1))]),
        _listed("What to leave as it is:", fix.keep),
        _RULES,
        fix.done_when,
    ]
    return "\n\n".join(filter(None, parts))


def _questions(material: Material, evidence: Sequence[EvidenceText]) -> list[str]:
    prompts = dict.fromkeys(item.prompt_id for item in evidence if item.prompt_id)
    return [quoted(material.subject.question(prompt)) for prompt in prompts if prompt in material.subject.prompts]


def _listed(heading: str, items: Sequence[str]) -> str:
    return "\n".join([heading, *(f"- {item}" for item in items)]) if items else ""


def _said(item: EvidenceText) -> str:
    return " ".join(
        filter(None, [item.engine and f"{item.engine}:", quoted(item.text), item.url and quoted(item.url)])
    )
