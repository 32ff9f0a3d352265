"""What is proposed for topics that nobody has decided: from the audited site and the description, never from answers.

What answers say of a brand proposes nothing: who chooses topics by how often they name it raises its score.
"""

import hashlib
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import orjson
from django.core.cache import cache
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from apikeys.text.sentences import counted, shortened
from brands.models import Brand
from visibility.audit.page import PageKind, ParsedPage
from visibility.measured.audits import finished_audits, read_pages
from visibility.measured.topics import Topics, read_topics
from visibility.models import AuditPage, Run
from visibility.resources.topics import UndecidedTopic, UndecidedTopics
from visibility.services.topics.deciding import topics_question, undecided_topics
from visibility.writers.selling import Sold, sold_things, words_that_say
from visibility.writers.stems import terms_of

logger = logging.getLogger(__name__)

OFFERING: Collection[PageKind] = frozenset({"home", "product", "listing", "pricing", "other"})
"""Pages whose titles and headings say what is sold; an article may be about anything."""
MIN_PAGES, MIN_WORDS = 5, 1_000
"""Of a site that was read as a whole: what it never says, in fewer pages or words, it only does not say here."""
MAX_QUOTE = 120
MAX_HEADING = 80
"""Characters of a heading; a longer one is a sentence about something."""
KEPT_SECONDS = 86_400
FORM = 1
"""Whoever changes what is proposed from the same site, description and prompts raises it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Whether the topic (by its name) is the brand's own, as its site or description has it; `because` says by which
    page or which words, in a sentence that holds words of theirs."""

    topic: str
    is_own: bool
    because: str


@snapshot()
def propose_topics(caller: Caller, *, brand: Brand) -> Mapping[str, Proposal]:
    """What is proposed for the undecided topics of a brand that the caller sees, by key; none for those of which
    neither the audited site nor the description says anything.

    A topic is proposed as own where a title or a heading of a page names its thing, or the description does; as not
    own only where the latest audit read the whole site, which never says it. Raises insufficient_scope.
    """
    caller.require(Scope.READ_PROMPTS)
    undecided = undecided_topics(caller, brand=brand)
    if not undecided:
        return {}
    audit = finished_audits(Run.objects.filter(brand=brand)).select_related("audit").first()
    if audit is None and not brand.description:
        return {}
    things = _things(read_topics(brand.pk), undecided)
    key = _key(brand, audit, things)
    try:
        made: dict[str, tuple[bool, str]] | None = cache.get(key)
    except Exception:  # each cache backend has its own family of errors
        made = None
    if made is None:
        made = _proposals(brand, audit, things)
        try:
            cache.set(key, made, KEPT_SECONDS)
        except Exception:  # as above
            logger.warning("The cache is silent: what is proposed for topics is not kept", exc_info=True)
    return {topic: Proposal(name, *made[topic]) for topic, name in undecided.items() if topic in made}


def undecided_resource(caller: Caller, brand: Brand) -> UndecidedTopics | None:
    """The question which topics the brand sells, with what is proposed, as agents read it; None where all are
    decided. Raises insufficient_scope."""
    question = topics_question(caller, brand=brand)
    if not question.undecided:
        return None
    proposals = propose_topics(caller, brand=brand)
    page = reverse("topics-page", args=[brand.pk])
    return UndecidedTopics(
        question=f"{question.states}: which does the site sell? Until then they count in its score. Its owner or an "
        f"editor decides, on the page {page} or in the admin; no tool does.",
        page=page,
        topics=[
            UndecidedTopic(
                topic=name,
                proposed=None if key not in proposals else "own" if proposals[key].is_own else "not_own",
                because=proposals[key].because if key in proposals else None,
            )
            for key, name in question.undecided.items()
        ],
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a topic asks for, in which language."""

    language: str
    things: Sequence[Sold]


def _things(topics: Topics, keys: Collection[str]) -> dict[str, _Asked]:
    """Of each topic what its prompts ask for, in the language of most of them."""
    wanted = {}
    for topic in topics.topics:
        if topic.key not in keys:
            continue
        wordings = sorted(topics.wordings[prompt] for prompt in topic.prompts & topics.wordings.keys())
        wanted[topic.key] = _Asked(topic.language, sold_things(topic.name, topic.language, wordings))
    return wanted


def _key(brand: Brand, audit: Run | None, things: Mapping[str, _Asked]) -> str:
    """Of all that proposals follow from, and nothing else."""
    wanted = sorted(
        (topic, wish.language, sorted((sold.thing, *sorted(sold.kinds)) for sold in wish.things))
        for topic, wish in things.items()
    )
    content = [FORM, brand.pk, audit.pk if audit else None, brand.description, wanted]
    return f"topic-proposals:{hashlib.blake2b(orjson.dumps(content), digest_size=20).hexdigest()}"


def _proposals(brand: Brand, audit: Run | None, things: Mapping[str, _Asked]) -> dict[str, tuple[bool, str]]:
    pages = read_pages(audit) if audit else []
    whole = _Whole.of(audit, pages) if audit else None
    proposals: dict[str, tuple[bool, str]] = {}
    for topic, wanted in things.items():
        if (
            proposal := _of_pages(pages, wanted)
            or _of_description(brand.description, wanted)
            or (whole.silent_on(wanted, brand.description) if whole else None)
        ):
            proposals[topic] = proposal
    return proposals


def _of_pages(pages: Sequence[ParsedPage], wanted: _Asked) -> tuple[bool, str] | None:
    for page in pages:
        if page.kind not in OFFERING:
            continue
        titles = [text.text for text in page.titles[:1]]
        for text in [*titles, *(heading.text for heading in page.headings if len(heading.text) <= MAX_HEADING)]:
            if words_that_say(text, wanted.things, plain=False):
                return (True, f"Your page {page.url} says “{shortened(text, MAX_QUOTE)}”.")
    return None


def _of_description(description: str, wanted: _Asked) -> tuple[bool, str] | None:
    words = words_that_say(description, wanted.things)
    return (True, f"Your description says “{shortened(words, MAX_QUOTE)}”.") if words else None


@dataclass(frozen=True, slots=True)
class _Whole:
    """All words of a site that was read as a whole, in one language, as stems."""

    pages: int
    language: str
    said: str

    @classmethod
    def of(cls, audit: Run, pages: Sequence[ParsedPage]) -> "_Whole | None":
        """None where the audit may have left pages out, or read too little, or not all in one language."""
        known = AuditPage.objects.filter(run=audit).order_by()
        states = dict.fromkeys(known.exclude(state=AuditPage.State.ASIDE).values_list("state", flat=True).distinct())
        limit = audit.audit.max_pages if hasattr(audit, "audit") else None
        languages = {page.lang_detected for page in pages if page.lang_detected}
        if (
            set(states) != {AuditPage.State.FETCHED}
            or limit is None
            or not MIN_PAGES <= len(pages) < limit
            or len(languages) != 1
            or sum(page.words for page in pages) < MIN_WORDS
            or any(page.client_rendered or page.cut for page in pages)
        ):
            return None
        said = {term for page in pages for term in terms_of(page.visible_text)}
        return cls(len(pages), languages.pop(), " ".join(sorted(said)))

    def silent_on(self, wanted: _Asked, description: str) -> tuple[bool, str] | None:
        """That it is not own, where neither the site nor the description ever says what is asked for."""
        stems = {stem for sold in wanted.things for stem in (sold.kinds if not sold.thing else {sold.thing})}
        said = " ".join([self.said, *terms_of(description)])
        # Within other words, too: who sells smartwatches sells watches.
        if wanted.language != self.language or not stems or any(stem in said for stem in stems):
            return None
        return (False, f"The audit read all {counted(self.pages, 'page')} of your site; none speaks of it.")
