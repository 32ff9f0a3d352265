"""Passages: sentences of answers that hold certain words or warn against somebody, and whom they are about."""

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import not_
from uuid import UUID

from django.db.models import QuerySet
from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from apikeys.text import marked
from visibility.answers.text import AnswerText, Named
from visibility.answers.words import Words
from visibility.detection import Stance
from visibility.detection.entries import Entry
from visibility.detection.splitting import Line
from visibility.detection.words import is_plain
from visibility.models import Answer, Mention, UntrackedName

MOST = 5
SHORT = 60
"""Fewer characters are a heading, or a cell of a table."""
SEARCHED = 60
"""Answers that are read for passages: the newest."""
POINTS = ("point", "item")
"""Kinds of lines that are points of a list."""
_NAMED = ("start", "end", "name")
_RULED = re.compile(r"^ {0,3}([-*_])(?: *\1){2,} *$", re.MULTILINE)


class Passage(Resource):
    """Words of an answer, at `start` to `end` of its text; `stance`: what they say of whom was asked for."""

    engine: str
    day: datetime.date
    prompt_id: UUID
    is_older_wording: bool = Field(default=False, exclude_if=not_, description="the prompt was reworded since")
    answer_id: int
    start: int
    end: int
    about: list[UntrustedText] = Field(description="whom it names, or whose item it stands in; empty: nobody")
    stance: str | None = Field(exclude_if=not_)
    text: UntrustedText


class WordsAbout(Resource):
    """In so many answers a sentence with the words is about the subject; null: about nobody by name."""

    subject: UntrustedText | None
    answers: int


class WordsFound(Resource):
    """So many of the answers (`of`) hold the words that were asked for, whomever they are about: one after the other,
    or all somewhere; and so many one after the other in whatever form, as words with these `beginnings`. `read` are
    the newest of these answers, which `about` counts."""

    answers: int
    of: int
    as_phrase: bool
    in_any_form: int
    beginnings: str = Field(exclude=True)
    read: int = Field(exclude=True)
    about: list[WordsAbout] = Field(exclude=True)


def find_words(
    answers: QuerySet[Answer],
    text: str,
    names: Mapping[UUID | None, str],
    companies: Mapping[str, str],
    asked: str | None = None,
) -> tuple[WordsFound, list[Passage]]:
    """In how many of the answers the words stand one after the other, where in none all of them in any order; whom
    they are about, and the first sentence of some, of whom was `asked` for first. `names` are those who are tracked,
    `companies` the others, by the names that answers offer.
    """
    words = Words.of(text)
    exact, alike = (answers.filter(words.in_text("<->", forms=forms)) for forms in (False, True))
    number, in_any_form = exact.count(), alike.count()
    holding = exact if number else alike if in_any_form else answers.filter(words.in_text("&", forms=False))
    newest = list(holding.order_by("-day", "pk").select_related("engine", "version__prompt")[:SEARCHED])
    named = _names_in(newest, names, companies)
    found = [[*_passages(answer, words, named[answer.pk])] for answer in newest]
    subjects: Counter[str | None] = Counter()
    for each in found:
        subjects.update({name for passage in each for name in passage.about} or [None])
    counted = WordsFound(
        answers=number if in_any_form else holding.count(),
        of=answers.count(),
        as_phrase=bool(in_any_form),
        in_any_form=in_any_form,
        beginnings=" ".join(f"{beginning}…" for beginning in words.beginnings),
        read=len(newest),
        about=[WordsAbout(subject=name, answers=number) for name, number in _most(subjects, asked)],
    )

    def telling(passage: Passage) -> tuple[bool, bool]:
        return bool(asked) and asked not in passage.about, passage.end - passage.start < SHORT

    firsts = [min(each, key=telling) for each in found if each]
    return counted, _spread(sorted(firsts, key=lambda passage: telling(passage)[0]))


def words_sentence(found: WordsFound, where: str, asked: str | None) -> str:
    """In how many answers the words stand, and in how many they are about whom was asked for."""
    of = f"of {found.of} answers{where}"
    others = f"; {found.in_any_form} words that begin so: {marked(found.beginnings)}"
    if not found.answers:
        return f"None {of} holds these words{others if found.in_any_form else ''}."
    how = "one after the other" if found.as_phrase else "not one after the other"
    counts = f"{found.answers} {of} hold these words, {how}{others if found.in_any_form > found.answers else ''}"
    read = "" if found.read == found.answers else f", of the {found.read} that were read"
    about = {each.subject: each.answers for each in found.about if each.subject}
    about = {asked: about.get(asked, 0)} if asked else about
    named = ", ".join(f"{marked(subject)} in {number}" for subject, number in about.items()) or "nobody by name"
    return f"{counts}. Sentences with them are about {named}{read}."


def find_warnings(answers: QuerySet[Answer], subject: UUID | None, name: str) -> list[Passage]:
    """What answers say against the brand (None) or a competitor, by the quotes that their stances rest on."""
    warning = (Stance.CAUTIONED, Stance.REJECTED)
    against = Mention.objects.filter(answer__in=answers, competitor=subject, stance__in=warning)
    newest = against.order_by("-answer__day", "answer", "start").select_related(
        "answer__engine", "answer__version__prompt"
    )[:SEARCHED]
    return _spread(_made(each.answer, each.quote_start, each.quote_end, [name], each.stance) for each in newest)


def _names_in(
    answers: Sequence[Answer], names: Mapping[UUID | None, str], companies: Mapping[str, str]
) -> Mapping[int, list[Named]]:
    """The names in each answer, by their places in its text: those who are tracked, and companies that nobody
    tracks, at places where they are offered or not."""
    found: dict[int, list[Named]] = defaultdict(list)
    tracked = Mention.objects.filter(answer__in=answers).visible()
    for answer, start, end, key in tracked.values_list("answer", "start", "end", "competitor"):
        if key in names:
            found[answer].append(Named(start, end, names[key]))
    shown = set(companies.values())
    untracked = UntrackedName.objects.filter(answer__in=answers)
    for answer, start, end, name, is_offered in untracked.values_list("answer", *_NAMED, "is_offered"):
        company = companies.get(name) if is_offered else name
        if company in shown:
            found[answer].append(Named(start, end, company, is_offered))
    return found


def _passages(answer: Answer, words: Words, named: Sequence[Named]) -> Iterator[Passage]:
    """The sentences of the visible text that hold the words one after the other, else the longest of them."""
    text = AnswerText(answer.text, named)
    for start, end in words.sentences_of(text.seen):
        named_there = {name.subject for name in text.named_in(start, end) if name.is_offered}
        about = named_there or _owner(text, start, end)
        yield _made(answer, *text.seen.raw_span(start, end), sorted(about))


def _owner(text: AnswerText, start: int, end: int) -> set[str]:
    """The names that the list item around a stretch of the visible text begins with; nobody where another name or a
    ruled line follows them, as the item may have ended there."""
    owner = _entry(text, text.seen.index_at(start))
    before = [span for span in owner.names if span[1] <= start] if owner else []
    if owner is None or not before:
        return set()
    names = {name.subject for span in owner.names for name in text.named_in(*span)}
    behind = before[-1][1]
    is_other = {name.subject for name in text.named_in(behind, end)} - names
    return set() if is_other or _RULED.search(text.text, *text.seen.raw_span(behind, end)) else names


def _entry(text: AnswerText, index: int) -> Entry | None:
    """The entry that a line belongs to. A flat list hides whose a line is that has a label as others do ("Cons:"): it
    belongs to the item above."""
    lines = text.seen.lines
    labels = Counter(_label(text, line) for line in lines)
    above = index
    while above and text.owners[above] is None and (label := _label(text, lines[above])) and labels[label] > 1:
        above -= 1
    return text.owners[above] if above == index or lines[above].kind in POINTS else None


def _label(text: AnswerText, line: Line) -> str:
    """The plain words that a point of a list begins with before a colon."""
    label, colon, _ = text.seen.text[line.body : line.end].partition(":")
    is_label = colon and line.kind in POINTS and is_plain(label)
    return label.casefold() if is_label else ""


def _made(answer: Answer, start: int, end: int, about: list[str], stance: str | None = None) -> Passage:
    return Passage(
        engine=answer.engine.name,
        day=answer.day,
        prompt_id=answer.prompt_id,
        is_older_wording=answer.version.number != answer.version.prompt.version,
        answer_id=answer.pk,
        start=start,
        end=end,
        about=about,
        stance=stance,
        text=" ".join(answer.text[start:end].split()),
    )


def _most(subjects: Counter[str | None], asked: str | None) -> list[tuple[str | None, int]]:
    """The subject that was asked for, and those of most answers."""
    order = sorted(subjects, key=lambda name: (name != asked or name is None, -subjects[name], str(name)))
    return [(name, subjects[name]) for name in order[:MOST]]


def _spread(passages: Iterable[Passage]) -> list[Passage]:
    """At most MOST passages, no two in the same words, of different engines and prompts first."""
    seen: Counter[object] = Counter()
    ranked: dict[str, tuple[int, int, Passage]] = {}
    for passage in passages:
        place = passage.engine, passage.prompt_id
        if passage.text.casefold() not in ranked:
            ranked[passage.text.casefold()] = seen[place], seen[passage.engine], passage
            seen.update((place, passage.engine))
    return [passage for *_, passage in sorted(ranked.values(), key=lambda each: each[:2])][:MOST]
