"""Sentences for drafts are those of a page's blocks: headings and bylines begin none."""

from visibility.services.content.material import _best_sentences

BLOCKS = [
    "How long a battery lasts",
    "By Ingrid Sand, head of electronics · reviewed on",
    "A battery keeps 70 per cent of its capacity for at least 800 full charges. We replace it when it does not.",
    "What wears a battery out",
]


def test_a_heading_or_a_byline_begins_no_sentence():
    [best, *others] = _best_sentences("How many full charges does a battery last?", BLOCKS)
    assert best == "A battery keeps 70 per cent of its capacity for at least 800 full charges."
    assert not any("Ingrid" in text or "How long" in text for text in others)
