"""The prompt that fixes a gap: pasted into an assistant, it states the case, quotes the evidence, sets the task."""

from collections.abc import Sequence

from apikeys.text.sentences import one_line
from apikeys.text.untrusted import QUOTE_NOTICE, quoted
from visibility.insights.recommendations.types import Gap, GapKind
from visibility.insights.recommendations.wording import MAX_NAMED, EvidenceText, rivals_in_words, summary
from visibility.measured.facts import BrandFacts

_RULES = (
    "Use only facts that you find on the brand's own pages or that I give you. Where a fact is missing, write "
    "[fact needed: …] instead of inventing one. Claim nothing about competitors without a source to show for it."
)


def fix_prompt(gap: Gap, subject: BrandFacts, evidence: Sequence[EvidenceText]) -> str:
    """The prompt for one gap. Every word of an answer, a page or a question stands between quote marks."""
    brand, domain = one_line(subject.brand), one_line(subject.domain)
    task = _source_task if gap.kind == GapKind.SOURCE else _mention_task
    parts = [
        f"Help {brand} ({domain}) to be named when people ask AI assistants the questions below.",
        QUOTE_NOTICE,
        _listed("Questions:", [quoted(subject.question(prompt)) for prompt in gap.prompts[:MAX_NAMED]]),
        f"Named instead of {brand}: {rivals_in_words(gap, subject)}.",
        summary(gap, subject, quoted(gap.subject)),
        _listed("What the answers say:", [_said(item) for item in evidence if item.kind == "answer"]),
        _listed("Sources that they cite:", [_cited(item) for item in evidence if item.kind == "citation"]),
        task(gap, brand, domain),
        _RULES,
    ]
    return "\n\n".join(filter(None, parts))


def _listed(heading: str, items: Sequence[str]) -> str:
    return "\n".join([heading, *(f"- {item}" for item in items)]) if items else ""


def _said(item: EvidenceText) -> str:
    return f"{item.engine}: {quoted(item.text)}"


def _cited(item: EvidenceText) -> str:
    return f"{quoted(item.url or '')} {quoted(item.text)}"


def _mention_task(gap: Gap, brand: str, domain: str) -> str:
    page = (
        "Revise the page of {} that these answers already cite:" if gap.brand_page_cited else "Write a page for {}:"
    )
    return f"""{page.format(domain)}
1. Open with two or three sentences that answer the question and say for whom {brand} is the right choice.
2. Compare with what is named instead in a table, by the criteria of the quotes, with facts that can be checked.
3. Answer each question above under a heading in its own words.
4. Say what the cited sources cover that the pages of {brand} do not, and add it.
5. List which of the cited sources should be asked to test or list the product, and why they would."""


def _source_task(gap: Gap, brand: str, domain: str) -> str:
    return f"""Write a plan for getting {brand} onto {quoted(gap.subject)}:
1. Say from the cited pages what this source publishes (tests, lists, forum, directory) and how it chooses.
2. Say which product or page of {domain} fits which cited page, and what that page says of those named instead.
3. Draft a short, honest message to its editors with what they need to test or add the product. Where it is a
   community, say how to take part openly as the brand.
4. List what {domain} must publish first (specifications, prices, test samples, a press contact)."""
