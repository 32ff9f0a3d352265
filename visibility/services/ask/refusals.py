"""What cannot be answered from what is stored, by the words of the question, and which tool could help. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from visibility.services.ask.reading.folding import folded, folded_pattern
from visibility.services.ask.types import Kind
from visibility.services.ask.vocabulary import any_of


@dataclass(frozen=True, slots=True)
class Refusal:
    """One kind of question that is not answered: `words` mean it, unless `unless` stands there as well.

    `sentence` says so; names of tools stand in braces there. A question that is also of one of the kinds
    `but_answered` asks for that.
    """

    name: str
    words: str
    unless: str
    tool: str
    sentence: str
    but_answered: frozenset[Kind] = frozenset()

    def is_meant(self, question: str, kinds: Collection[Kind] = ()) -> bool:
        """Whether the question is of this kind."""
        text = folded(question)
        if self.but_answered.intersection(kinds) or not re.search(folded_pattern(self.words), text):
            return False
        return not (self.unless and re.search(folded_pattern(self.unless), text))


_PLEASE = rf"^\W*(?:(?:{any_of(lambda words: words.refusals.please)})\W+)*"
_WRITE = rf"{_PLEASE}(?:{any_of(lambda words: words.refusals.write)})\b"
_MODEL = (
    rf"(?:{any_of(lambda words: words.refusals.article_of_models)})?\s*"
    rf"(?:{any_of(lambda words: words.refusals.models)})\b"
)
_WHY = rf"\b(?:{any_of(lambda words: words.meaning.why)})\b"

SECRETS = "secrets"
OUT_OF_SCOPE = "out of scope"
REASONS = "reasons of a model"
REFUSALS = (
    Refusal(
        SECRETS,
        rf"(?<!\w)(?:{any_of(lambda words: words.refusals.secrets)})",
        "",
        "list_sites",
        "Keys, passwords and instructions of the service are not shown or changed by a question: {list_sites} lists "
        "what this key may read.",
    ),
    Refusal(
        OUT_OF_SCOPE,
        rf"(?<!\w)(?:{any_of(lambda words: words.refusals.out_of_scope)})",
        "",
        "get_site_brief",
        "Only questions about how visible a site is in answers of AI systems are answered here: {get_site_brief} "
        "shows what is known of one.",
    ),
    Refusal(
        "other accounts",
        rf"\b(?:{any_of(lambda words: words.refusals.other_accounts)})",
        "",
        "list_sites",
        "Questions about other accounts are not answered: answers rest only on the sites that "
        "this key may read, which {list_sites} lists.",
    ),
    Refusal(
        "changes",
        rf"{_PLEASE}(?:(?:{any_of(lambda words: words.refusals.start)})\b.*"
        rf"\b(?:{any_of(lambda words: words.refusals.started)})|"
        rf"(?:{any_of(lambda words: words.refusals.change)})\b\s)",
        "",
        "run_visibility_scan",
        "Nothing is started or changed by a question: {run_visibility_scan} starts a scan, and the tools of "
        "each thing change it.",
    ),
    Refusal(
        "writing of prompts",
        rf"{_WRITE}.*\b(?:{any_of(lambda words: words.refusals.written_prompts)})\b",
        "",
        "generate_prompts",
        "Nothing is written here: {generate_prompts} writes new prompts and adds them.",
    ),
    Refusal(
        "writing",
        _WRITE,
        rf"\b(?:{any_of(lambda words: words.refusals.told_not_written)})\b",
        "generate_content_draft",
        "Nothing is written here: {generate_content_draft} drafts a page, best for one of the opportunities "
        "that {get_content_opportunities} lists.",
    ),
    Refusal(
        "prices",
        any_of(lambda words: words.refusals.prices),
        rf"\b(?:{any_of(lambda words: words.refusals.prices_of_ours)})\b",
        "get_prompt_detail",
        "Prices of products are not measured, only who is named and cited: what answers say about "
        "a price is in their texts, which {get_prompt_detail} shows.",
    ),
    Refusal(
        "predictions",
        any_of(lambda words: words.refusals.predictions),
        rf"\b(?:{any_of(lambda words: words.refusals.predicted_here)})\b",
        "get_visibility_scores",
        "The future is not predicted: only what was measured is known, and {get_visibility_scores} shows its trend.",
        frozenset({Kind.NEXT_SCAN, Kind.COST, Kind.QUOTAS, Kind.RECOMMENDATIONS, Kind.SURE, Kind.CRITERIA}),
    ),
    Refusal(
        "words of answers",
        any_of(lambda words: words.refusals.words_of_answers),
        rf"\b(?:{any_of(lambda words: words.refusals.words_told_here)})\b",
        "get_positioning_claims",
        "The words of answers are not repeated here: {get_positioning_claims} shows what they say "
        "about a site, and {get_prompt_detail} shows their texts.",
        frozenset({Kind.CLAIMS, Kind.THEMES, Kind.CRITERIA}),
    ),
    Refusal(
        REASONS,
        rf"{_WHY}[^?]*?(?:\x00|\b{_MODEL})|{any_of(lambda words: words.refusals.how_models_decide)}",
        "",
        "get_prompt_detail",
        "Why a model answers as it does is not known: only what its answers say and cite is stored, and "
        "{get_prompt_detail} shows it.",
        frozenset({Kind.CRITERIA, Kind.DEFINITIONS}),
    ),
)
"""In the order in which they are looked for. An engine's name stands as \\x00 in what they are shown."""
WHY = re.compile(_WHY, re.IGNORECASE)
"""Asks for reasons."""


def refusal_of(question: str, kinds: Collection[Kind] = (), *, has_premise: bool = False) -> Refusal | None:
    """Why a question of these kinds is not answered; None where nothing in it says so. What it takes for granted can
    be held against the figures, though nobody knows the reasons of a model."""
    refusal = next((refusal for refusal in REFUSALS if refusal.is_meant(question, kinds)), None)
    return None if has_premise and refusal and refusal.name == REASONS else refusal
