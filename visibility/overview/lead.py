"""The headline of a brand's page."""

from collections.abc import Sequence

from apikeys.language import month_day_words
from visibility.counts.resources import NowFigures, TestedStanding
from visibility.detection.addresses import host_of
from visibility.models import ChangeRecord
from visibility.recommendations.work import Work


def lead_words(
    work: Work, record: ChangeRecord | None, standings: Sequence[TestedStanding], figures: NowFigures | None
) -> str:
    """The latest change of the score, or without one the brand's standing; at most 20 words a sentence. What explains
    a fall is of the brand's `work`."""
    if figures is None or figures.score is None:
        return "Nothing is measured yet. A first scan shows how often AI mentions you."
    if record is not None:
        day = month_day_words(record.began)
        verb = "gained" if record.delta > 0 else "lost"
        points = f"{abs(record.delta):.0f} points"
        if pages := _lost_pages(work, record):
            return f"On {day} AI stopped citing {pages}. The same day you {verb} {points}."
        return f"You {verb} {points} on {day} ({record.before:.0f} → {record.after:.0f} %)."
    return _standing_lead(standings, figures)


def _standing_lead(standings: Sequence[TestedStanding], figures: NowFigures) -> str:
    """Who is ahead of the brand, else whom it is ahead of, and on which questions that was found."""
    own = next((each for each in standings if each.competitor_id is None), None)
    rivals = [each for each in standings if each.competitor_id is not None]
    if not rivals or own is None:
        return "Add a competitor to see how you compare."
    ahead, behind, level = (
        [each for each in rivals if each.relation == relation] for relation in ("ahead", "behind", "level")
    )
    if ahead:
        first = ahead[0]
        if first.mentioned == first.of == own.of and own.mentioned == 0:
            asked = f"these {figures.prompts} questions" if figures.prompts > 1 else "this question"
            return f"On {asked} {first.name} is always there, you never."
        counts = f"{first.name} is in {first.mentioned} of {first.of} answers, you in {own.mentioned} of {own.of}"
        return f"{counts}. It is ahead of you {_where([first])}."
    if behind:
        names = behind[0].name if len(behind) == 1 else f"{len(behind)} of {len(rivals)} competitors"
        names = f"all {len(rivals)} competitors" if len(behind) == len(rivals) > 1 else names
        lead = f"You are ahead of {names} {_where(behind)}."
        return lead if len(behind) == len(rivals) else f"{lead} Nobody is ahead of you beyond chance."
    if len(level) == len(rivals):
        names = level[0].name if len(level) == 1 else "your competitors"
        return f"You are level with {names} {_where(level)}: a difference of 10 points would have shown."
    names = rivals[0].name if len(rivals) == 1 else "your competitors"
    return f"How you compare with {names} is too close to call on what is measured so far."


def _where(rivals: Sequence[TestedStanding]) -> str:
    """What a comparison speaks of: of other questions, too, only where all of it was made over topics."""
    is_general = all(each.units == "topics" for each in rivals)
    return "on questions like these" if is_general else "on these questions"


def _lost_pages(work: Work, record: ChangeRecord) -> str:
    """The own pages that answers stopped citing on that day, with their site where all are of one; empty for none."""
    card = work.fall_of(record.began)
    urls = [str(each["url"]) for each in card.facts.get("pages", ())] if card else []
    if not urls:
        return ""
    sites = {host_of(url) for url in urls}
    number = f"{len(urls)} of your pages" if len(urls) > 1 else "one of your pages"
    return f"{number} on {sites.pop()}" if len(sites) == 1 else number
