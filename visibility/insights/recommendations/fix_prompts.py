"""The prompt that fixes a gap: for an agent that edits the site or writes for it, and knows nothing else.

It says the goal, what was measured, the evidence, what to do and to leave, the rules, and how to show that it is
done, in MAX_PROMPT_TOKENS at most: evidence gives way, the task never does. Words of others stand between marks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from apikeys.text.sentences import counted, one_line, shortened
from apikeys.text.size import estimate, most
from apikeys.text.untrusted import QUOTE_NOTICE, holds_marks, marked_inside, outside_marks, quoted
from visibility.audit.wording import MAX_PROMPT_TOKENS
from visibility.evidence.types import Trait, Voice
from visibility.insights.recommendations.kind import Fix, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.wording import EvidenceText

MAX_SUMMARY = 400
MAX_QUESTION = 200
MAX_QUESTIONS = 4
MAX_ADDRESS = 200
_QUOTE_LENGTHS = (280, 120)
"""Characters of a quote, and those where there is no room for so many."""
_MAX_NAME = 80
_RULES = (
    "Use only facts that you find on the brand's own pages or that I give you; where one is missing, write "
    "[fact needed: …] instead of inventing it.",
    "Write no reviews, ratings or praise in the name of others.",
    "Say nothing about competitors without a source that you name.",
)
_DONE = "The change is published and can be crawled; the scans after that say whether it helped."
_TRAITS = {
    Trait.SENTENCE_LENGTH: "{:g} words a sentence",
    Trait.YOU_SHARE: "“you” and its like {:g} in 100 words",
    Trait.WE_SHARE: "“we” {:g}",
    Trait.CONTRACTIONS: "contractions {:g}",
    Trait.NUMBERS: "numbers {:g}",
    Trait.READABILITY: "school grade {:g}",
}
"""Traits of the voice that a writer can keep to."""


def compose(fix: Fix, material: Material, words: Words) -> str:
    """The prompt for what a kind says of a gap."""
    brand = shortened(one_line(material.brand.name), _MAX_NAME)
    task = [
        f"{_own(fix.goal)}\nThe brand: {_own(brand)}; its site: {_own(one_line(material.brand.domain))}.",
        QUOTE_NOTICE,
        _section("What to do:", [f"{number}. {_own(task)}" for number, task in enumerate(fix.tasks, start=1)]),
        _section("What not to touch:", [f"- {_own(text)}" for text in fix.keep or ("Everything else.",)]),
        _section("Rules:", [f"- {rule}" for rule in (*_RULES, *_voice(material))]),
        f"How to show that it is done: {_own(fix.done_when) or _DONE}",
    ]
    measured, quotes, questions = _fitting(material, words, MAX_PROMPT_TOKENS - sum(estimate(part) for part in task))
    parts = [*task[:2], measured, quotes, questions, *task[2:]]
    return "\n\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line of evidence: `lead` is the service's own, `text` and `url` are others'."""

    section: str
    lead: str
    text: str
    url: str = ""

    def line(self, characters: int) -> str:
        quote = quoted(shortened(one_line(self.text), characters)) if self.text else ""
        return " ".join(filter(None, [self.lead, quote, quoted(_address(self.url)) if self.url else ""]))


_MEASURED, _SAID, _ASKED = "What was measured:", "What engines and pages say:", "What people ask:"


def _fitting(material: Material, words: Words, room: float) -> tuple[str, str, str]:
    """The sections of evidence, of what there is room for: first what was measured, then quotes and questions in
    turn."""
    quotes = list(_said(words.evidence))
    pieces = [*quotes[:1], *([_Piece(_MEASURED, "", words.summary)] if words.summary else [])]
    pieces += _in_turn(quotes[1:], list(_asked(material, words.evidence)))
    lines: dict[str, list[str]] = {_MEASURED: [], _SAID: [], _ASKED: []}
    for piece in pieces:
        for characters in _QUOTE_LENGTHS if piece.section != _MEASURED else (MAX_SUMMARY, *_QUOTE_LENGTHS):
            line = piece.line(characters)
            cost = most(line) + (0 if lines[piece.section] else most(piece.section)) + 2
            if cost <= room:
                lines[piece.section].append(line)
                room -= cost
                break
    measured = f"{_MEASURED} {lines[_MEASURED][0]}" if lines[_MEASURED] else ""
    return measured, _bullets(_SAID, lines[_SAID]), _bullets(_ASKED, lines[_ASKED])


def _said(evidence: Sequence[EvidenceText]) -> Iterator[_Piece]:
    for item in evidence:
        yield _Piece(_SAID, f"{_own(one_line(item.engine))}:" if item.engine else "", item.text, item.url or "")


def _asked(material: Material, evidence: Sequence[EvidenceText]) -> Iterator[_Piece]:
    prompts = list(dict.fromkeys(item.prompt_id for item in evidence if item.prompt_id))
    known = [prompt for prompt in prompts if prompt in material.subject.prompts] if prompts else []
    for prompt in known[:MAX_QUESTIONS]:
        yield _Piece(_ASKED, "", shortened(material.subject.question(prompt), MAX_QUESTION))


def _in_turn(quotes: Sequence[_Piece], questions: Sequence[_Piece]) -> list[_Piece]:
    turns = max(len(quotes), len(questions))
    return [piece for turn in range(turns) for pieces in (questions, quotes) for piece in pieces[turn : turn + 1]]


def _address(url: str) -> str:
    """The address, without its query where it is long; of one that is longer still its beginning."""
    if len(url) <= MAX_ADDRESS:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return shortened(url, MAX_ADDRESS)
    return shortened(f"{parts.scheme}://{parts.netloc}{parts.path}", MAX_ADDRESS)


def _own(sentence: str) -> str:
    """A sentence of a kind: what it quotes between “ and ” is put into marks, unless it has its own already. One that
    would forge a mark is quoted whole."""
    bare = outside_marks(sentence)
    if holds_marks(bare):
        return quoted(sentence)
    return sentence if bare != sentence else marked_inside(sentence)


def _voice(material: Material) -> Iterator[str]:
    """How the brand's own pages speak, in a line, where that was measured."""
    stored = material.voice
    voice: Voice | None = stored.content if stored else None
    if voice is None or not voice.figures:
        return
    figures = {figure.trait: figure.value for figure in voice.figures}
    traits = [form.format(figures[trait]) for trait, form in _TRAITS.items() if trait in figures]
    yield f"Keep to the voice of the brand's pages ({counted(voice.words, 'word')} read): {', '.join(traits)}."


def _section(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([heading, *lines])


def _bullets(heading: str, lines: Sequence[str]) -> str:
    return _section(heading, [f"- {line}" for line in lines]) if lines else ""
