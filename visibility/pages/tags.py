"""What templates of pages need: words of others without marks, numbers and days as people read them, icons."""

import re
from datetime import date, datetime
from decimal import Decimal
from urllib.parse import urlencode, urlsplit

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from apikeys.language import day_words, full_day_words, number_words, time_words
from visibility.counts.words import country_name, engine_name, market_name, shown_rate_words, shown_words
from visibility.drawing.charts import bar
from visibility.models.prompts import topic_title
from visibility.pages.filters import OF_PAGE, Filters
from visibility.pages.frame import Visit
from visibility.pages.tables import table_address
from visibility.scores.words import feature_words
from visibility.sources.cited import CitedSite

register = template.Library()
register.filter("engine", engine_name)
register.filter("features", feature_words)
register.filter("market", market_name)
register.filter("country", country_name)
register.filter("shown", shown_words)
register.filter("shown_rate", shown_rate_words)
register.filter("topic", topic_title)
# Paths of a 24 by 24 field, drawn with a line of the text's colour.
ICONS = {
    "overview": '<path d="M3 12a9 9 0 1 1 18 0M12 12l4-4M3 18h18"/>',
    "todo": '<path d="M4 7l2 2 3-4M4 17l2 2 3-4M13 7h7M13 17h7"/>',
    "history": '<path d="M3 17l5-6 4 3 8-9M15 5h5v5"/>',
    "prompts": '<path d="M4 5h16v11H9l-5 4z"/>',
    "answers": '<path d="M4 5h16M4 10h16M4 15h10M4 20h6"/>',
    "competitors": '<circle cx="9" cy="9" r="3.5"/><path d="M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 6a3 3 0 0 1 0 6'
    'M18 14.5c2.2.8 3.5 2.7 3.5 5.5"/>',
    "sources": '<path d="M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1"/>'
    '<path d="M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1"/>',
    "audit": '<circle cx="11" cy="11" r="7"/><path d="M20.5 20.5l-4.5-4.5M8 11l2 2 4-4"/>',
    "settings": '<path d="M4 7h9M19 7h1M4 17h2M12 17h8"/><circle cx="16" cy="7" r="2.5"/>'
    '<circle cx="9" cy="17" r="2.5"/>',
    "more": '<circle cx="5" cy="12" r="1"/><circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/>',
    "down": '<path d="M7 10l5 5 5-5"/>',
    "play": '<path d="M7 5l12 7-12 7z"/>',
}
SOURCE_CLASSES = {
    "own": gettext_lazy("yours"),
    "competitor": gettext_lazy("competitor"),
    "review_site": gettext_lazy("tests"),
    "community": gettext_lazy("forum"),
    "news": gettext_lazy("news"),
    "reference": gettext_lazy("reference"),
    "video": gettext_lazy("video"),
    "shop": gettext_lazy("shop"),
}
_SENTENCE = re.compile(r"[.!?](?= |$)")
_CLAUSE = re.compile(r"[,;:] | \(")
_LITTLE = re.compile(r"(?:\s+[\W\d_]*\w{0,3}[\W\d_]*)+$")
_LINK_END = re.compile(r"\]\([^()\s]{0,300}\)?")
PROOF_STATES = {
    "rose": gettext_lazy("Rose"),
    "fell": gettext_lazy("Fell"),
    "no_change": gettext_lazy("No change seen"),
    "waiting": gettext_lazy("Too early"),
}
CENT = Decimal("0.01")
ROLES = {"owner": gettext_lazy("owner"), "editor": gettext_lazy("editor"), "viewer": gettext_lazy("viewer")}
SEVERITIES = {
    "critical": gettext_lazy("critical"),
    "high": gettext_lazy("high"),
    "medium": gettext_lazy("medium"),
    "low": gettext_lazy("low"),
    "info": gettext_lazy("for information"),
}
STORED_WORDS = (
    *(gettext_noop("content"), gettext_noop("product"), gettext_noop("tech"), gettext_noop("commerce")),
    *(gettext_noop("community"), gettext_noop("PR")),
    *(gettext_noop("Credits"), gettext_noop("Drafts"), gettext_noop("Writer calls")),
    *(gettext_noop("active"), gettext_noop("revoked"), gettext_noop("expired"), gettext_noop("owner inactive")),
    *(gettext_noop("awareness"), gettext_noop("consideration"), gettext_noop("decision")),
    *(gettext_noop("informational"), gettext_noop("comparison"), gettext_noop("transactional")),
    *(gettext_noop("Manual"), gettext_noop("Daily"), gettext_noop("Weekly"), gettext_noop("Monthly")),
)
"""Owners of tasks, quotas, states of keys, stages, intents and schedules, which are stored and read in English."""
MINUS = "\N{MINUS SIGN}"
EFFORTS = {
    "low": (gettext_lazy("easy"), "good"),
    "medium": (gettext_lazy("some work"), "warn"),
    "high": (gettext_lazy("hard"), ""),
}


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon that says nothing to a screen reader."""
    return mark_safe(f'<svg class="ico" viewBox="0 0 24 24" aria-hidden="true">{ICONS[name]}</svg>')  # noqa: S308


@register.simple_tag(takes_context=True)
def csv_address(context: Context, name: str) -> str:
    """The address of a table of the page as CSV."""
    return table_address(context["request"], name)


@register.simple_tag(takes_context=True)
def to(context: Context, page: str, **filters: object) -> SafeString:
    """The `href` of a page of the brand, with these filters in addition to those of the page that is open; None takes
    one away. None for who came by a link: nothing else opens for them."""
    visit: Visit = context["visit"]
    if visit.link is not None:
        return SafeString()
    shown: Filters | None = context.get("filters")
    carried: dict[str, object] = {**visit.carried}
    if page == "brand-answers":
        # The answers behind a figure are those that it counts, and not all of the period.
        narrowed = {name: carried.get(name) for name in ("topic", "engine", "market")}
        carried = {**narrowed, "on": shown and shown.day}
    query = urlencode({name: value for name, value in {**carried, **filters}.items() if value})
    return format_html(' href="{}{}"', visit.address(page), f"?{query}" if query else "")


@register.simple_tag(takes_context=True)
def again(context: Context, **filters: object) -> SafeString:
    """The `href` of the page that is open, with other filters; none for who came by a link."""
    if context["visit"].link is not None:
        return SafeString()
    query = context["request"].GET.copy()
    for name in OF_PAGE:
        query.pop(name, None)
    for name, value in filters.items():
        query[name] = str(value)
    return format_html(' href="?{}"', query.urlencode())


@register.filter
def dollars(amount: Decimal) -> str:
    """US dollars as people write them, such as $0.42."""
    return gettext("less than $0.01") if 0 < amount < CENT else f"${amount:,.2f}"


@register.filter
def quoted(text: str) -> str:
    """Words of an answer without the rest of a link that was cut off before its text."""
    return _LINK_END.sub("", text)


@register.filter
def percent(value: float | None) -> str:
    """58.27 as "58"; nothing measured as a dash."""
    return "–" if value is None else f"{value:.0f}"


@register.filter
def duration(seconds: int) -> str:
    """90 seconds as "2 min"."""
    return f"{seconds} s" if seconds < 60 else f"{-(-seconds // 60)} min"


@register.filter
def thousands(value: int) -> str:
    """20000 as "20,000"."""
    return number_words(value)


@register.filter
def signed(value: float) -> str:
    """-8.4 with a sign of its own, and without decimals."""
    return f"{value:+.0f}".replace("-", MINUS) if round(value) else "0"


@register.filter
def day(value: date | datetime | None) -> str:
    """The day as "3 Nov", with its year where it is not this one."""
    return day_words(value) if value else gettext("never")


@register.filter
def full_day(value: date | datetime) -> str:
    """The day as "3 November 2026"."""
    return full_day_words(value)


@register.filter
def clock(moment: datetime) -> str:
    """The time of the day, in UTC."""
    return time_words(moment)


@register.simple_tag
def today() -> str:
    """Today, in UTC."""
    return full_day_words(timezone.now().date())


@register.filter
def ago(moment: date | datetime | None) -> str:
    """How long ago, in days."""
    if not moment:
        return gettext("never")
    days = (timezone.now().date() - (moment.date() if isinstance(moment, datetime) else moment)).days
    if days >= 60:
        return day(moment)
    return {0: gettext("today"), 1: gettext("yesterday")}.get(days) or gettext("{days} days ago").format(days=days)


@register.filter
def effort(level: str) -> str:
    """An effort in words."""
    return str(EFFORTS[level][0])


@register.filter
def effort_tone(level: str) -> str:
    """The colour of an effort."""
    return EFFORTS[level][1]


@register.filter
def path(url: str) -> str:
    """The path of an own page: its host is known."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@register.filter
def get(mapping: dict[str, object], key: object) -> object:
    """A value of a mapping by a key that is no literal."""
    return mapping.get(key) if key is not None else None  # type: ignore[call-overload]


@register.filter
def source_class(name: str) -> str:
    """The kind of a cited site in words."""
    return str(SOURCE_CLASSES.get(name, ""))


@register.filter
def translated(words: str) -> str:
    """Words that are marked where they are kept, in the language of the page."""
    return gettext(words) if words else ""


@register.filter
def owners(names: list[str]) -> str:
    """Who of the brand's people does something."""
    return ", ".join(map(gettext, names))


@register.filter
def engines(names: list[str]) -> str:
    """Engines by the names that people know."""
    return ", ".join(map(engine_name, names))


@register.filter
def kind(name: str) -> str:
    """The kind of a cited site in words, of every site."""
    return source_class(name) or gettext("other")


@register.filter
def role(name: str) -> str:
    """What somebody may do with a brand, in a word."""
    return str(ROLES[name])


@register.filter
def severity(name: str) -> str:
    """How bad a finding is, in a word."""
    return str(SEVERITIES[name])


@register.filter
def cited_bar(site: CitedSite) -> SafeString:
    """How many answers cite a site, and how many of these mention the brand."""
    return bar(100 * site.citing / site.of, part=100 * site.naming / site.of)


@register.filter
def safe_url(url: str) -> str:
    """An address of others, if it is one of the web; nothing else becomes a link."""
    return url if urlsplit(url).scheme in ("http", "https") else ""


@register.filter
def bare_url(url: str) -> str:
    """An address of others to read: without its scheme."""
    return url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")


@register.filter
def proof_state(state: str) -> str:
    """Whether it worked, in the glossary's words."""
    return str(PROOF_STATES.get(state, PROOF_STATES["waiting"]))


@register.filter
def opening(text: str, most: int) -> str:
    """The whole sentences of a text that have room in so many characters; of a long first one its whole clauses, else
    its beginning, which ends with a word that says something."""
    if len(text) <= most:
        return text
    if ends := [found.end() for found in _SENTENCE.finditer(text, 0, most + 1)]:
        return text[: ends[-1]].strip()
    clauses = [found.start() for found in _CLAUSE.finditer(text, most // 3, most)]
    if clauses:
        return f"{text[: clauses[-1]]}…"
    end = text.rfind(" ", 0, most)
    return f"{_LITTLE.sub('', text[:end]) if end > 0 else text[: most - 1]}…"
