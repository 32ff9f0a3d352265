"""Pieces of evidence: what answers say at a place, pages, figures."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from visibility.audit import iso_day, say
from visibility.detection.visible import read
from visibility.models import Answer
from visibility.reading.reads import Finding
from visibility.recommendations.cited import Behind
from visibility.recommendations.facts import Facts, Seen, Subject

Piece = dict[str, Any]
MOST_QUOTES = 3
SHORT_QUOTE, LONGEST_QUOTE = 60, 300
_ITEM_END = re.compile(r"\n\s*(?:\n|[-*•#]|\d+[.)])")
_NEXT_ITEM = re.compile(r"\s*(?:#|-{3}|\W*\d+[.)])")


def quotes(answers: Sequence[Seen], subject: Subject, most: int = MOST_QUOTES) -> list[Piece]:
    """What some of these answers say of somebody, of other engines and prompts first."""
    return quotes_at({each: each.quotes[subject] for each in answers if subject in each.quotes}, most)


def passages(facts: Facts, answers: Sequence[Seen], rival: Subject) -> list[Piece]:
    """Two passages an engine, on the brand and on whom it is compared with: what to read where no reader has."""
    subjects = [None, rival] if rival is not None else [None]
    by_engine = ([each for each in answers if each.engine == engine] for engine in sorted(facts.by_engine))
    return [piece for rows in by_engine for subject in subjects for piece in quotes(rows, subject, most=1)]


def quotes_at(places: Mapping[Seen, tuple[int, int]], most: int = MOST_QUOTES) -> list[Piece]:
    """The texts at these places of some of these answers."""
    chosen = spread([*places], most)
    texts = dict(Answer.objects.filter(pk__in=[each.pk for each in chosen]).values_list("pk", "text"))
    return [
        {
            "kind": "answer",
            "text": _quoted(texts[each.pk], *places[each]),
            "engine": each.engine,
            "prompt_id": str(each.prompt),
            "answer_id": each.pk,
        }
        for each in chosen
        if each.pk in texts
    ]


def quotes_of(finding: Finding, most: int = MOST_QUOTES) -> list[Piece]:
    """What answers or reviews say of a finding, of other engines first."""
    number: dict[str, int] = defaultdict(int)
    ranked = []
    for each in finding.quotes:
        ranked.append((number[each.engine], each))
        number[each.engine] += 1
    return [
        {
            "kind": "answer" if each.answer_id else "review",
            "text": each.text[:LONGEST_QUOTE],
            "engine": each.engine or None,
            "prompt_id": str(each.prompt_id) if each.prompt_id else None,
            "answer_id": each.answer_id,
        }
        for _, each in sorted(ranked, key=lambda one: one[0])[:most]
    ]


def distinct(pieces: Iterable[Piece]) -> list[Piece]:
    """These without those whose words one of the same engine has already."""
    return list({(piece["text"], piece["engine"]): piece for piece in pieces}.values())


def page(url: str, text: str = "") -> Piece:
    """A page, and what is to be said of it."""
    return {"kind": "page", "text": text or url, "url": url}


def list_page(each: Behind) -> Piece:
    """A list that answers rest on: by how many it is cited, and whether the brand is on it."""
    counts = say(
        "cited by {number} answers, of which {naming} mention you", number=len(each.citing), naming=each.naming
    )
    if each.read is None or each.read.error:
        return page(each.page.url, say("{counts}; not read: look whether it names you", counts=counts))
    if each.read.names_brand:
        state = say("names you")
    elif each.read.competitors:
        state = say("names {competitors}, not you", competitors=", ".join(each.read.competitors))
    else:
        state = say("does not name you")
    read_at = iso_day(each.read.read_at.date())
    return page(each.page.url, say("{counts}; read {read_at}: {state}", counts=counts, read_at=read_at, state=state))


def silent_page(url: str, answers: int, silent: int) -> Piece:
    """An own page that so many answers cite, some of them without the brand's name."""
    text = say("{answers} answers cite this page, {silent} of them without your name", answers=answers, silent=silent)
    return page(url, text)


def lost_page(url: str, before: tuple[int, int], since: tuple[int, int]) -> Piece:
    """A page that answers cite less than before, each as so many of so many answers."""
    text = say(
        "cited by {before} of {all_before} answers before, by {since} of {all_since} since",
        before=before[0],
        all_before=before[1],
        since=since[0],
        all_since=since[1],
    )
    return page(url, text)


def offered_name(name: str, offered: int, of: int) -> Piece:
    """How many answers offer a name."""
    return {
        "kind": "figure",
        "text": say("{offered} of {of} answers offer {name}", offered=offered, of=of, name=name),
    }


def spread(answers: Sequence[Seen], most: int) -> list[Seen]:
    """Some of these answers, of other engines and prompts first, the newest of each."""
    number: dict[object, int] = defaultdict(int)
    ranked = []
    for answer in sorted(answers, key=lambda each: (-each.day.toordinal(), each.pk)):
        ranked.append((number[answer.engine, answer.prompt], number[answer.engine], answer))
        number[answer.engine, answer.prompt] += 1
        number[answer.engine] += 1
    return [answer for *_, answer in sorted(ranked, key=lambda each: each[:2])][:most]


def _quoted(text: str, start: int, end: int) -> str:
    """What an answer says at a place; a bare name goes on to the end of its item, or of the next one if that is
    about it."""
    if end - start < SHORT_QUOTE:
        item = _ITEM_END.search(text, end)
        end = item.start() if item else len(text)
    if end - start < SHORT_QUOTE and not _NEXT_ITEM.match(text, end):
        end += 2 + len(text[end + 2 :].partition("\n\n")[0])
    return " ".join(read(text[start:end]).text.replace("\0", " ").split())[:LONGEST_QUOTE]
