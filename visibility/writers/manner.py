"""Whether a draft speaks as the brand's pages do, by the traits that are measured reliably on so few words."""

from collections.abc import Mapping, Sequence

from visibility.audit.readability import reading_grade, words_of
from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.types import Trait, Voice
from visibility.writers.checking import DraftCheck
from visibility.writers.languages.language import language_of
from visibility.writers.markup import Block
from visibility.writers.statements import INLINE_QUOTE, statements
from visibility.writers.tasks import DraftTask

MIN_WORDS = 100
"""Words in the brand's own voice without which nothing is compared."""
SPREAD = {Trait.READABILITY: 4.0, Trait.SENTENCE_LENGTH: 8.0, Trait.YOU_SHARE: 4.0, Trait.WE_SHARE: 4.0}
"""How far a page may be from the brand's usual: its own pages differ by as much from one another."""
_WORDS = {
    Trait.READABILITY: ("harder to read", "easier to read"),
    Trait.SENTENCE_LENGTH: ("longer in its sentences", "shorter in its sentences"),
    Trait.YOU_SHARE: ("more in words to the reader (you)", "poorer in words to the reader (you)"),
    Trait.WE_SHARE: ("more in words of oneself (we)", "poorer in words of oneself (we)"),
}


def voice_check(body: Sequence[Block], task: DraftTask, voice: Voice | None) -> DraftCheck:
    """Whether each trait is within its range. Words of others are no voice of the brand."""
    usual = {figure.trait: figure.value for figure in voice.figures} if voice else {}
    others = {material.mark for material in task.materials if not material.own}
    own = [
        statement.bare
        for statement in statements([block for block in body if not block.quote])
        if not others.intersection(statement.marks) and not INLINE_QUOTE.search(statement.bare)
    ]
    count = sum(len(words_of(text)) for text in own)
    if not usual or voice is None or voice.language != language_of(task.locale):
        return _result("", "There is no voice profile in this language to compare with.")
    if count < MIN_WORDS:
        return _result("", f"Only {count} words are in the brand's own voice: too few to compare.")
    measured = _measured(own, voice.language)
    for trait, spread in SPREAD.items():
        if trait in usual and trait in measured and abs(measured[trait] - usual[trait]) > spread:
            word = _WORDS[trait][measured[trait] < usual[trait]]
            return _result(f"The text is {word} than the brand's pages ({measured[trait]} and {usual[trait]}).", "")
    return _result("", "The text speaks as the brand's pages do.")


def _measured(own: Sequence[str], language: str) -> Mapping[Trait, float]:
    words = LANGUAGES[language].voice
    count = sum(len(words_of(text)) for text in own)
    text = " ".join(own)
    values = {
        Trait.SENTENCE_LENGTH: round(count / len(own), 1),
        Trait.YOU_SHARE: round(100 * sum(1 for _ in words.you.finditer(text)) / count, 2),
        Trait.WE_SHARE: round(100 * sum(1 for _ in words.we.finditer(text)) / count, 2),
    }
    grade = reading_grade([f"{sentence.rstrip('.!? ')}." for sentence in own], min_words=MIN_WORDS)
    return values if grade is None else {**values, Trait.READABILITY: grade}


def _result(fault: str, fine: str) -> DraftCheck:
    return DraftCheck(id="voice", passed=not fault, message=fault or fine)
