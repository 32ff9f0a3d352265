"""What is proposed for undecided topics: from the brand's own pages and description, never from answers.

Topics chosen by how often answers name the brand would raise its score.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from brands.access import readable_brand
from brands.models import Brand
from visibility.detection import host_of, is_below, is_function_word
from visibility.models import Page, Topic
from visibility.topics.pooling import stem, stems

LEAST_PAGES, LEAST_WORDS = 5, 1_000
"""With fewer stored pages or words, that the site does not say something proves nothing."""
_PHRASE = re.compile(r"[^.,;:!?|()\n–—]+")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_AND = frozenset({"and", "or"})
_COMMON = 0.5


@dataclass(frozen=True, slots=True)
class Proposal:
    """Whether a topic is the brand's own, and the words of the brand that say so, in a sentence."""

    own: bool
    because: str


@dataclass(frozen=True, slots=True)
class _Thing:
    """What the wordings of a topic ask for: "watch", and all words that most of them share."""

    head: str
    words: frozenset[str]


def propose_topics(caller: Caller, brand_id: UUID) -> dict[UUID, Proposal]:
    """Proposals for the undecided topics of a brand that the caller may see, as `proposals_of`; raises not_found."""
    return proposals_of(readable_brand(caller, brand_id))


def proposals_of(brand: Brand) -> dict[UUID, Proposal]:
    """Proposals for the undecided topics of a brand; none for those of which it says nothing.

    Own where its description or the title of a page of its site names the thing; not own only where many pages of
    the site are stored and none ever says the word.
    """
    topics = list(Topic.objects.filter(brand=brand).prefetch_related("prompts"))
    if all(topic.own is not None for topic in topics):
        return {}
    things = _things({topic.pk: [prompt.text for prompt in topic.prompts.all()] for topic in topics})
    pages = _own_pages(brand)
    own_words = f"{brand.description} {' '.join(f'{page.title} {page.text}' for page in pages)}".lower()
    is_whole = len(pages) >= LEAST_PAGES and len(own_words.split()) >= LEAST_WORDS
    phrases = {
        phrase: gettext("The description says “{phrase}”.").format(phrase=phrase)
        for phrase in _phrases(brand.description)
    }
    for page in pages:
        for phrase in _phrases(page.title):
            phrases.setdefault(
                phrase, gettext("The page {url} is called “{title}”.").format(url=page.url, title=page.title[:120])
            )
    proposals = {}
    for topic in topics:
        thing = things.get(topic.pk)
        if topic.own is not None or thing is None:
            continue
        naming = next((phrase for phrase in phrases if _names(phrase, thing)), None)
        if naming is not None:
            proposals[topic.pk] = Proposal(True, phrases[naming])
        elif is_whole and thing.head not in own_words:
            proposals[topic.pk] = Proposal(
                False, gettext("None of {number} stored pages of the site speaks of it.").format(number=len(pages))
            )
    return proposals


def _own_pages(brand: Brand) -> list[Page]:
    hosts = tuple(domain.domain for domain in brand.domains.filter(competitor=None))
    return [page for page in Page.objects.filter(brand=brand) if is_below(host_of(page.url), hosts)]


def _things(wordings: Mapping[UUID, Sequence[str]]) -> dict[UUID, _Thing]:
    holders = Counter(word for texts in wordings.values() for word in frozenset().union(*map(stems, texts)))
    things = {}
    for topic, texts in wordings.items():
        shared = Counter(word for text in texts for word in stems(text))
        telling = frozenset(
            word
            for word, number in shared.items()
            if number > _COMMON * len(texts) and holders[word] <= max(1, len(wordings) / 4) and word.isalpha()
        )
        heads = Counter(head for text in texts if (head := _head(text, telling)))
        if heads:
            things[topic] = _Thing(heads.most_common(1)[0][0], telling)
    return things


def _head(text: str, telling: frozenset[str]) -> str:
    """The last telling word of the first phrase that has one: "mattress" of "queen mattress for side sleepers"."""
    for part in _parts(text):
        if words := [word for word in map(stem, part) if word in telling]:
            return words[-1]
    return ""


def _phrases(text: str) -> Iterator[str]:
    """What is listed in a description or title: what comes before "for" or "in" in each phrase."""
    for phrase in _PHRASE.findall(text):
        listed: dict[int, list[str]] = defaultdict(list)
        number, is_behind = 0, False
        for word in _WORD.findall(phrase):
            if word.lower() in _AND:
                number += 1
            elif is_function_word(word.lower()):
                is_behind = bool(listed[number]) or is_behind
            elif not is_behind:
                listed[number].append(word)
        yield from (" ".join(words) for words in listed.values() if words)


def _parts(text: str) -> Iterator[list[str]]:
    part: list[str] = []
    for word in _WORD.findall(text):
        if is_function_word(word.lower()):
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _names(phrase: str, thing: _Thing) -> bool:
    """Whether a phrase names the thing and no other kind of it: "GPS running watches", not "luxury watches"."""
    words = stems(phrase)
    return thing.head in words and (words == {thing.head} or bool((words & thing.words) - {thing.head}))
