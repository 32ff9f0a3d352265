"""Themes of 300 real reviews whose sentences people rated: quotes are where they say, estimates follow people."""

from collections import defaultdict
from statistics import correlation

import pytest

from tests.evidence.answer_texts import untrue
from visibility.evidence.themes import find_themes
from visibility.evidence.types import Polarity, ReviewText
from visibility.evidence.valence import valence

FILE = "site-audit/reviews/amazonReviewSnippets_GroundTruth.txt"
NAMES = ("Apex", "Canon", "Nikon", "Nokia", "Creative Zen", "Nomad Jukebox", "Apple iPod")
MIN_THEMES = 15
MIN_CORRELATION = 0.55
CLEAR = 0.6


@pytest.fixture
def sentences(reference_data):
    """By review its sentences, each with what people think of it, from -4 to 4."""
    rows = [line.split("\t") for line in (reference_data / FILE).read_text(encoding="utf-8").splitlines()]
    by_review = defaultdict(list)
    for key, rating, text in rows:
        by_review[key.split("_")[0]].append((text, float(rating)))
    return by_review


@pytest.fixture
def reviews(sentences):
    return [ReviewText(key, "\n".join(text for text, _ in rows)) for key, rows in sentences.items()]


def test_themes_with_verbatim_quotes(reviews):
    themes = find_themes(reviews, [], NAMES)
    assert len(themes) >= MIN_THEMES
    labels = {theme.label for theme in themes}
    assert {"Battery life", "Picture quality", "Customer support", "Price", "Warranty"} <= labels
    assert not {"Player", "Camera", "Phone", "Apex", "Great", "Product", "Problem"} & labels
    texts = {review.key: review.text for review in reviews}
    assert not untrue((quote for theme in themes for quote in theme.quotes), texts)
    assert all(theme.estimated and theme.polarity for theme in themes if theme.count >= 8)


def test_estimates_follow_people(sentences):
    pairs = [(valence(text) or 0.0, rating) for rows in sentences.values() for text, rating in rows]
    assert correlation(*zip(*pairs, strict=True)) >= MIN_CORRELATION


def test_no_estimate_says_the_opposite_of_people(reviews, sentences):
    """People's view of a theme is the mean of their ratings of the sentences that its label stands in."""
    for theme in find_themes(reviews, [], NAMES):
        words = theme.label.casefold().split()[0]
        ratings = [rating for rows in sentences.values() for text, rating in rows if words in text]
        mean = sum(ratings) / len(ratings)
        assert theme.polarity != (Polarity.NEGATIVE if mean > 0.6 else Polarity.POSITIVE if mean < -0.6 else None), (
            theme
        )
