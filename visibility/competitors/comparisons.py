"""Comparisons: engines are asked to choose between the brand and each of some competitors. They are in no score."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from uuid import UUID

from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from brands.models import Brand, Competitor
from visibility.competitors.resources import (
    ComparedInFull,
    ComparedQuestion,
    ComparedRow,
    EngineCounts,
    EnginePreferences,
    PreferenceQuote,
)
from visibility.models import DailyScore, Preference, Prompt, PromptVersion, Run
from visibility.models.prompts import Intent, Purpose, Stage
from visibility.models.runs import RunTrigger
from visibility.prompts.services import prompt_digest
from visibility.runs.services import ScanPlan, Started, plan_engines, start_run

MOST_COMPETITORS = 10
USUAL_COMPETITORS = 5
QUOTES_OF_SIDE = 2
LONGEST_QUOTE, SHORT_QUOTE = 500, 200
QUESTIONS = {
    "en": (
        "{first} or {second}: which one would you choose, and why?",
        "How does {first} compare with {second}? Which is the better choice for most people?",
    ),
    "de": (
        "{first} oder {second}: Was würdest du wählen, und warum?",
        "Wie schneidet {first} im Vergleich mit {second} ab? Was ist für die meisten die bessere Wahl?",
    ),
    "fr": (
        "{first} ou {second} : que choisirais-tu, et pourquoi ?",
        "Que vaut {first} face à {second} ? Quel est le meilleur choix pour la plupart des gens ?",
    ),
    "es": (
        "{first} o {second}: ¿qué elegirías y por qué?",
        "¿Cómo se compara {first} con {second}? ¿Cuál es la mejor opción para la mayoría?",
    ),
}
"""In the languages in which a preference is recognised. Each is asked in both orders: engines favour the first."""


def start_comparison(
    caller: Caller, *, brand_id: UUID, trigger: RunTrigger, competitor_ids: Sequence[UUID] | None = None
) -> Started:
    """Ask the brand's engines to choose between it and these competitors, by default the five most visible.

    Returns the comparison that is active or was started within the last hour instead. Raises not_found,
    read_only_collaborator, no_engine_configured, invalid_arguments, quota_exceeded; then nothing is started.
    """

    def plan(brand: Brand) -> ScanPlan:
        engines = plan_engines(brand)
        competitors = _most_visible(brand) if competitor_ids is None else _chosen(brand, competitor_ids)
        return ScanPlan(_wordings(caller, brand, competitors), engines)

    return start_run(caller, brand_id=brand_id, kind=Run.Kind.COMPARISON, trigger=trigger, make_plan=plan)


def read_comparison(run: Run, *, full: bool) -> list[ComparedRow | ComparedInFull]:
    """Whom the answers of a comparison prefer, by competitor; in full also by question."""
    preferences = Preference.objects.filter(answer__run=run).select_related("answer__prompt__competitor")
    by_competitor: dict[Competitor, dict[Prompt, list[Preference]]] = defaultdict(lambda: defaultdict(list))
    for preference in preferences.order_by("answer__position").select_related("answer__engine"):
        prompt = preference.answer.prompt
        if prompt.competitor:
            by_competitor[prompt.competitor][prompt].append(preference)
    competitors = sorted(by_competitor, key=lambda competitor: competitor.name)
    return [_compared(competitor, by_competitor[competitor], full=full) for competitor in competitors]


def _chosen(brand: Brand, ids: Sequence[UUID]) -> list[Competitor]:
    if not 1 <= len(set(ids)) <= MOST_COMPETITORS:
        raise invalid(
            "competitorIds",
            gettext("Choose 1 to {most} competitors, or leave this out.").format(most=MOST_COMPETITORS),
        )
    competitors = list(Competitor.objects.filter(brand=brand, pk__in=ids))
    if strange := set(ids) - {competitor.pk for competitor in competitors}:
        raise invalid(
            "competitorIds",
            gettext(
                "No competitors of this brand: {ids}. Use ids from the list of its competitors, or leave this out "
                "for the most visible ones."
            ).format(ids=", ".join(sorted(map(str, strange)))),
        )
    return competitors


def _most_visible(brand: Brand) -> list[Competitor]:
    """By the score of now; those without one come last, by name."""
    competitors = list(Competitor.objects.filter(brand=brand))
    if not competitors:
        raise invalid("competitorIds", gettext("The brand has no competitor to compare with. Add one first."))
    now = DailyScore.objects.filter(brand=brand, date=None, score__isnull=False)
    scores = dict(now.exclude(competitor=None).values_list("competitor", "score"))
    return sorted(competitors, key=lambda each: (-scores.get(each.pk, -1.0), each.name))[:USUAL_COMPETITORS]


def _wordings(caller: Caller, brand: Brand, competitors: Sequence[Competitor]) -> list[PromptVersion]:
    """The questions about the locked brand and each competitor, stored where they are new."""
    locale = _usual_locale(brand)
    drafts = {
        prompt_digest(text, locale, str(competitor.pk)): (text, competitor)
        for competitor in competitors
        for text in _questions(brand.name, competitor.name, locale)
    }
    stored = Prompt.objects.filter(brand=brand, purpose=Purpose.COMPARISON, digest__in=drafts)
    known = set(stored.values_list("digest", flat=True))
    new = [
        Prompt(
            brand=brand,
            purpose=Purpose.COMPARISON,
            competitor=competitor,
            text=text,
            stage=Stage.DECISION,
            intent=Intent.COMPARISON,
            locale=locale,
            digest=digest,
        )
        for digest, (text, competitor) in drafts.items()
        if digest not in known
    ]
    Prompt.objects.bulk_create(new)
    PromptVersion.objects.bulk_create(
        PromptVersion(prompt=prompt, number=1, text=prompt.text, locale=locale, created_by=caller.actor)
        for prompt in new
    )
    return list(PromptVersion.objects.filter(prompt__in=stored.all()).order_by("pk"))


def _questions(brand: str, competitor: str, locale: str) -> Iterator[str]:
    for text in QUESTIONS.get(locale.split("-")[0], QUESTIONS["en"]):
        yield text.format(first=brand, second=competitor)
        yield text.format(first=competitor, second=brand)


def _usual_locale(brand: Brand) -> str:
    """The most frequent one of its active prompts, if there are questions in its language."""
    locales = Counter(Prompt.objects.filter(brand=brand).active().values_list("locale", flat=True))
    usual = max(locales, key=lambda locale: locales[locale], default="")
    return usual if usual.split("-")[0] in QUESTIONS else ""


def _compared(
    competitor: Competitor, by_prompt: Mapping[Prompt, Sequence[Preference]], *, full: bool
) -> ComparedRow | ComparedInFull:
    every = [*chain(*by_prompt.values())]
    questions = [
        ComparedQuestion(
            prompt_id=prompt.pk,
            prompt=prompt.text,
            engines=[
                EnginePreferences(engine=engine, quotes=_quotes(of_engine), **_counted(of_engine))
                for engine, of_engine in _by_engine(rows)
            ],
        )
        for prompt, rows in by_prompt.items()
    ]
    quotes = {quote.prefers: quote for each in questions for engine in each.engines for quote in engine.quotes}
    row = ComparedRow(
        competitor_id=competitor.pk,
        name=competitor.name,
        engines=[EngineCounts(engine=engine, **_counted(rows)) for engine, rows in _by_engine(every)],
        quotes=[quote.model_copy(update={"text": quote.text[:SHORT_QUOTE]}) for quote in quotes.values()],
        **_counted(every),
    )
    return ComparedInFull(**dict(row), prompts=questions) if full else row


def _by_engine(rows: Sequence[Preference]) -> list[tuple[str, list[Preference]]]:
    by_engine: dict[str, list[Preference]] = defaultdict(list)
    for row in rows:
        by_engine[row.answer.engine.name].append(row)
    return [(engine, by_engine[engine]) for engine in sorted(by_engine)]


def _counted(rows: Sequence[Preference]) -> dict[str, int]:
    sides = Counter(row.side for row in rows)
    return {
        "answers": len(rows),
        "site_preferred": sides[Preference.Side.BRAND],
        "competitor_preferred": sides[Preference.Side.COMPETITOR],
        "undecided": sides[Preference.Side.NOBODY],
    }


def _quotes(rows: Sequence[Preference]) -> list[PreferenceQuote]:
    """The first quotes for each side; repeated words are left out."""
    quotes: dict[str, dict[str, PreferenceQuote]] = {"site": {}, "competitor": {}}
    for row in rows:
        text = row.answer.text[row.start : row.end].strip()[:LONGEST_QUOTE]
        if row.side != Preference.Side.NOBODY and text:
            side = "site" if row.side == Preference.Side.BRAND else "competitor"
            quotes[side].setdefault(text, PreferenceQuote(prefers=side, rule=row.rule, text=text))
    return [quote for of_side in quotes.values() for quote in [*of_side.values()][:QUOTES_OF_SIDE]]
