"""The headline of a brand's page."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext, ngettext

from apikeys.language import month_day_words
from visibility.counts.resources import NowFigures, TestedStanding
from visibility.counts.words import engine_name
from visibility.detection.addresses import host_of
from visibility.models import ChangeRecord
from visibility.recommendations.work import Work


def lead_words(
    work: Work, record: ChangeRecord | None, standings: Sequence[TestedStanding], figures: NowFigures | None
) -> str:
    """The latest change of the score, or without one the brand's standing; at most 20 words a sentence. What explains
    a fall is of the brand's `work`."""
    if figures is None or figures.score is None:
        return gettext("Nothing is measured yet. A first scan shows how often AI mentions you.")
    if record is not None and record.instrument and record.is_of_engine:
        return _engine_lead(record, record.instrument)
    if record is not None:
        day, points = month_day_words(record.began), f"{abs(record.delta):.0f}"
        if pages := _lost_pages(work, record):
            words = gettext("On {day} AI stopped citing {pages}. The same day you lost {points} points.")
            if record.delta > 0:
                words = gettext("On {day} AI stopped citing {pages}. The same day you gained {points} points.")
            return words.format(day=day, pages=pages, points=points)
        words = gettext("You lost {points} points on {day} ({before:.0f} → {after:.0f} %).")
        if record.delta > 0:
            words = gettext("You gained {points} points on {day} ({before:.0f} → {after:.0f} %).")
        return words.format(points=points, day=day, before=record.before, after=record.after)
    return _standing_lead(standings, figures)


def _engine_lead(record: ChangeRecord, instrument: Mapping[str, Any]) -> str:
    """That the score moved when an engine changed itself, and how it is on the others."""
    names = dict.fromkeys(engine_name(each["engine"]) for each in instrument["changes"])
    words = gettext("Your score moved by {points} points when {engine} changed on {day}.")
    moved = words.format(
        points=f"{record.delta:+.0f}".replace("-", "\N{MINUS SIGN}"),
        engine=gettext(" and ").join(names),
        day=month_day_words(date.fromisoformat(instrument["changes"][0]["since"])),
    )
    before, after = instrument["othersBefore"], instrument["othersAfter"]
    if before is None or after is None:
        return moved
    others = gettext("On the other AI engines it is {after:.0f} %, before {before:.0f} %.")
    return f"{moved} {others.format(before=before, after=after)}"


def _standing_lead(standings: Sequence[TestedStanding], figures: NowFigures) -> str:
    """Who is ahead of the brand, else whom it is ahead of, and on which questions that was found."""
    own = next((each for each in standings if each.competitor_id is None), None)
    rivals = [each for each in standings if each.competitor_id is not None]
    if not rivals or own is None:
        return gettext("Add a competitor to see how you compare.")
    ahead, behind, level = (
        [each for each in rivals if each.relation == relation] for relation in ("ahead", "behind", "level")
    )
    if ahead:
        first = ahead[0]
        if first.mentioned == first.of == own.of and own.mentioned == 0:
            words = ngettext(
                "On this question {name} is always there, you never.",
                "On these {number} questions {name} is always there, you never.",
                figures.prompts,
            )
            return words.format(number=figures.prompts, name=first.name)
        counts = gettext("{name} is in {theirs} of {of} answers, you in {yours} of {yours_of}.")
        lead = gettext("It is ahead of you {where}.").format(where=_where([first]))
        numbers = {"theirs": first.mentioned, "of": first.of, "yours": own.mentioned, "yours_of": own.of}
        return f"{counts.format(name=first.name, **numbers)} {lead}"
    if behind:
        names = behind[0].name
        if len(behind) == len(rivals) > 1:
            names = gettext("all {number} competitors").format(number=len(rivals))
        elif len(behind) > 1:
            names = gettext("{number} of {of} competitors").format(number=len(behind), of=len(rivals))
        lead = gettext("You are ahead of {names} {where}.").format(names=names, where=_where(behind))
        return lead if len(behind) == len(rivals) else f"{lead} {gettext('Nobody is ahead of you beyond chance.')}"
    if len(level) == len(rivals):
        names = level[0].name if len(level) == 1 else gettext("your competitors")
        words = gettext("You are level with {names} {where}: a difference of 10 points would have shown.")
        return words.format(names=names, where=_where(level))
    names = rivals[0].name if len(rivals) == 1 else gettext("your competitors")
    words = gettext("How you compare with {names} is too close to call on what is measured so far.")
    return words.format(names=names)


def _where(rivals: Sequence[TestedStanding]) -> str:
    """What a comparison speaks of: of other questions, too, only where all of it was made over topics."""
    is_general = all(each.units == "topics" for each in rivals)
    return gettext("on questions like these") if is_general else gettext("on these questions")


def _lost_pages(work: Work, record: ChangeRecord) -> str:
    """The own pages that answers stopped citing on that day, with their site where all are of one; empty for none."""
    card = work.fall_of(record.began)
    urls = [str(each["url"]) for each in card.facts.get("pages", ())] if card else []
    if not urls:
        return ""
    sites = {host_of(url) for url in urls}
    pages = ngettext("one of your pages", "{number} of your pages", len(urls)).format(number=len(urls))
    return gettext("{pages} on {site}").format(pages=pages, site=sites.pop()) if len(sites) == 1 else pages
