"""The language in which prompts are asked for."""

import pytest

from visibility.content.words import language_of_locale

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("locale", "language"), [("de-DE", "german"), ("fr", "french"), ("pt_BR", "portuguese"), ("xx", None), ("", None)]
)
def test_a_locale_chooses_the_language(locale, language):
    assert language_of_locale(locale) == language
