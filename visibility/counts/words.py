"""Counts as words: names, bases, intervals and standings as sentences, the same at every door."""

from collections.abc import Sequence

from babel import Locale
from django.utils.translation import get_language, gettext, ngettext

from apikeys.language import span_words
from apikeys.resources import Theirs, Worded, worded
from visibility.counts.resources import EngineNow, NowFigures, Shown, Standing
from visibility.models.prompts import country_of, language_of

MOST_NAMES = 5
FEW_TOPICS = 8
"""With fewer topics an interval over topics is too wide to say much: the one on these prompts is given."""
STANDS = {"ahead": "behind", "behind": "ahead of", "level": "level with"}
"""How a brand does, by the relation of a competitor to it."""
ENGINE_NAMES = {
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "copilot": "Microsoft Copilot",
    "deepseek": "DeepSeek",
    "gemini": "Gemini",
    "google_ai_mode": "Google AI Mode",
    "google_ai_overview": "Google AI Overviews",
    "grok": "Grok",
    "perplexity": "Perplexity",
}


def engine_name(name: str) -> str:
    """An engine by the name that people know; one that is not known keeps its own."""
    return ENGINE_NAMES.get(name, name)


def score_words(name: str, now: NowFigures | None, engines: Sequence[EngineNow]) -> Worded:
    """How often a brand is named now, on which base."""
    if now is None or now.score is None:
        return worded(lambda theirs: f"{theirs(name)} is not measured: no answer counts for it yet.")
    mean = f", the mean over {len(engines)} engines" if len(engines) > 1 else ""
    score, base = f"{_percent(now.score)} of answers{_interval(now)}", base_words(now, engines)
    return worded(lambda theirs: f"{theirs(name)} is named in {score}{mean}. Base: {base}.")


def base_words(now: NowFigures, engines: Sequence[EngineNow]) -> str:
    """The answers behind the figures of now, with their days and each engine's own count."""
    prompts = ngettext("{number} prompt", "{number} prompts", now.prompts).format(number=now.prompts)
    topics = ngettext("{number} topic", "{number} topics", now.topics).format(number=now.topics)
    words = gettext("{answers} answers to {prompts} on {topics}, {days}: {counts}")
    base = words.format(
        answers=now.answers,
        prompts=prompts,
        topics=topics,
        days=span_words(now.first_day, now.as_of),
        counts=", ".join(map(_count_words, engines)),
    )
    if len(now.markets) < 2:
        return base
    markets = ", ".join(map(market_name, now.markets))
    return gettext("{base}; all markets together: {markets}").format(base=base, markets=markets)


def _count_words(engine: EngineNow) -> str:
    name = engine_name(engine.engine)
    count = gettext("{engine} {mentioned} of {answers}")
    words = count.format(engine=name, mentioned=engine.mentioned, answers=engine.answers)
    return f"{words} ({shown_words(engine.shown)})" if engine.shown else words


def shown_words(shown: Shown) -> str:
    """For how many prompts an AI answer was shown."""
    words = gettext("shown for {prompts} of {asked} prompts")
    return words.format(prompts=shown.prompts, asked=shown.asked)


def shown_rate_words(shown: Shown) -> str:
    """How often one was shown, with its interval where there is one."""
    if shown.rate is None or shown.panel_low is None or shown.panel_high is None:
        return ""
    words = gettext("{rate:.0f} % of the time, {low:.0f} to {high:.0f}")
    return words.format(rate=shown.rate, low=shown.panel_low, high=shown.panel_high)


def market_name(market: str) -> str:
    """A market as people write it: "de-AT" is Austria (German)."""
    if not market:
        return gettext("market not known")
    country, language = country_of(market), language_of(market)
    spoken = _names().languages.get(language.split("-")[0], language)
    if not country:
        return str(spoken)
    return f"{country_name(country)} ({spoken})" if language else country_name(country)


def country_name(country: str) -> str:
    """A country by its name; one that is not known keeps its letters."""
    return str(_names().territories.get(country, country))


def _names() -> Locale:
    return Locale.parse(get_language() or "en", sep="-")


def shown_interval(now: NowFigures) -> tuple[float, float, str] | None:
    """The interval to show, and what it speaks of: prompts like these where there are topics enough, else these."""
    if now.topics >= FEW_TOPICS and now.low is not None and now.high is not None:
        return now.low, now.high, gettext("on prompts like these")
    if now.panel_low is not None and now.panel_high is not None:
        return now.panel_low, now.panel_high, gettext("on these prompts")
    return None


def margin_words(value: float, low: float, high: float) -> str:
    """An interval by its ends, or with ± where both arms are the same within a point and neither ends at 0 or 100."""
    is_cut = round(low) <= 0 or round(high) >= 100
    if not is_cut and abs((high - value) - (value - low)) <= 1:
        return f"± {max(high - value, value - low):.0f}"
    return gettext("{low:.0f} to {high:.0f}").format(low=low, high=high)


def standing_words(name: str, standings: Sequence[Standing]) -> Worded:
    """Who is ahead of a brand and whom it is ahead of, beyond chance; empty without competitors."""
    rivals = [each for each in standings if each.competitor_id is not None]

    def write(theirs: Theirs) -> str:
        parts = {}
        for relation in ("ahead", "behind", "level", "too_close"):
            of_relation = [each for each in rivals if each.relation == relation]
            names = [f"{theirs(each.name)} ({each.mentioned} of {each.of})" for each in of_relation]
            if names:
                parts[relation] = listed(names)
        open_ones = parts.pop("too_close", None)
        verdicts = "; ".join(f"{STANDS[relation]} {names}" for relation, names in parts.items())
        sentences = [f"{theirs(name)} is {verdicts}."] if verdicts else []
        return " ".join([*sentences, f"Too close to call: {open_ones}."] if open_ones else sentences)

    return worded(write)


def place_words(standings: Sequence[Standing]) -> str | None:
    """ "3rd of 4", or "2nd to 4th of 4" where others are too close to call; None without competitors or figures."""
    relations = [each.relation for each in standings if each.score is not None]
    first, last = 1 + relations.count("ahead"), len(relations) - relations.count("behind")
    if len(relations) < 2 or not any(each.competitor_id is None and each.score is not None for each in standings):
        return None
    words = gettext("{first} to {last} of {number}") if last > first else gettext("{first} of {number}")
    return words.format(first=ordinal(first), last=ordinal(last), number=len(relations))


def ordinal(number: int) -> str:
    """1 as "1st"."""
    endings = {1: gettext("{number}st"), 2: gettext("{number}nd"), 3: gettext("{number}rd")}
    words = gettext("{number}th")
    return (words if 10 <= number % 100 <= 20 else endings.get(number % 10, words)).format(number=number)


def foreign_topic_words(name: str) -> Worded:
    """What a topic that is not the brand's own means for its figures."""
    return worded(lambda theirs: f"This topic is not {theirs(name)}'s own: no figure, gap or change counts it.")


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = gettext(" and {number} more").format(number=len(names) - MOST_NAMES) if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def tied_words(names: Sequence[str]) -> Worded | None:
    """Who is named most: the first by name, and how many are named as often."""
    if not names:
        return None
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return worded(lambda theirs: f"{theirs(min(names))}{more}")


def _interval(now: NowFigures) -> str:
    if (shown := shown_interval(now)) is None:
        return ""
    low, high, where = shown
    return f" (95 % interval {low:.0f} to {high:.0f} %, {where})"


def _percent(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.0f} %"
