"""What new prompts are made of: what is asked already, own pages, what answers judge by, engines' searches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.db.models.functions import Left

from brands.models import Brand
from visibility.measured.evidence import criteria_by_topic
from visibility.measured.own_pages import is_own, own_domains
from visibility.models import Answer, Mention, Page, Prompt
from visibility.writers.languages.language import language_of
from visibility.writers.searches import queries_of
from visibility.writers.suggesting import PAGE_BEGINNING
from visibility.writers.tasks import KnownPage, KnownPrompt, Searched

MAX_PAGES = 30
MAX_STORED_PAGES = 200
MAX_ANSWERS = 2_000
"""The newest ones whose searches are looked at."""
MAX_SEARCHES = 60
MIN_NAMED = 2


@dataclass(frozen=True, slots=True)
class Material:
    """What a brand has to make prompts of, in one language."""

    prompts: Sequence[KnownPrompt]
    pages: Sequence[KnownPage]
    criteria: Mapping[str, Sequence[str]]
    rivals: Mapping[str, Sequence[str]]
    searches: Sequence[Searched]


def material_of(brand: Brand, locale: str) -> Material:
    """The brand's material for prompts of this locale; searches and criteria are those of prompts in its language."""
    prompts = Prompt.objects.filter(brand=brand).order_by("created_at", "pk")
    rows = prompts.values_list("text", "topic", "stage", "intent", "locale", "persona")
    known = [KnownPrompt(*row) for row in rows]
    locales = {prompt.locale for prompt in known if language_of(prompt.locale) == language_of(locale)}
    # Labels are in the language of the answers, and which of several that is was not kept.
    is_one_language = locales == {prompt.locale for prompt in known}
    criteria = _criteria(brand) if is_one_language else {}
    return Material(known, _own_pages(brand), criteria, _rivals(brand), _searches(brand, locales))


def _criteria(brand: Brand) -> dict[str, list[str]]:
    return {
        topic: [criterion.label for criterion in criteria] for topic, criteria in criteria_by_topic(brand.pk).items()
    }


def _own_pages(brand: Brand) -> list[KnownPage]:
    """The beginnings of the brand's own pages in its corpus."""
    domains = own_domains(brand)
    stored = Page.objects.filter(brand=brand).order_by("url").annotate(beginning=Left("text", PAGE_BEGINNING))
    rows = stored.values_list("url", "title", "beginning")[:MAX_STORED_PAGES]
    own_pages = [KnownPage(title, beginning) for url, title, beginning in rows if is_own(url, domains)]
    return own_pages[:MAX_PAGES]


def _searches(brand: Brand, locales: set[str]) -> list[Searched]:
    """What the newest answers to prompts of these locales were searched for, most often first."""
    answers = Answer.objects.filter(brand=brand, state=Answer.State.ANSWERED, prompt__locale__in=locales).counting()
    rows = answers.order_by("-answered_at").values_list("prompt__topic", "searches")[:MAX_ANSWERS]
    counts = Counter((topic, search) for topic, searches in rows for search in queries_of(searches))
    return [Searched(search, topic, answers) for (topic, search), answers in counts.most_common(MAX_SEARCHES)]


def _rivals(brand: Brand) -> dict[str, list[str]]:
    """By topic that answers were given on: the competitors that two of them or more name, most often first."""
    answers = Answer.objects.filter(brand=brand, state=Answer.State.ANSWERED).counting()
    rows = Mention.objects.visible().filter(answer__in=answers.values("pk"), competitor__isnull=False).order_by()
    named = rows.values_list("answer__prompt__topic", "competitor__name").annotate(
        count=Count("answer", distinct=True)
    )
    rivals: dict[str, list[str]] = {
        topic: [] for topic in answers.order_by().values_list("prompt__topic", flat=True).distinct()
    }
    for topic, rival, count in sorted(named, key=lambda row: (-row[2], row[1])):
        if count >= MIN_NAMED:
            rivals[topic].append(rival)
    return rivals


def usual_locale(brand: Brand) -> str:
    """The locale of most active prompts; empty where most state none."""
    counts = Counter(Prompt.objects.filter(brand=brand).active().order_by("locale").values_list("locale", flat=True))
    return counts.most_common(1)[0][0] if counts else ""
