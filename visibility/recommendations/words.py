"""The headline of a brand's page."""

from collections.abc import Sequence

from brands.models import Brand
from visibility.counts.resources import NowFigures, Standing
from visibility.detection.addresses import host_of
from visibility.models import ChangeRecord, Recommendation


def lead_words(
    brand: Brand, record: ChangeRecord | None, standings: Sequence[Standing], figures: NowFigures | None
) -> str:
    """The latest change of the score, or without one the brand's standing; at most 20 words a sentence."""
    if figures is None or figures.score is None:
        return "Nothing is measured yet. A first scan shows how often AI mentions you."
    if record is not None:
        day = f"{record.began.day} {record.began:%B}"
        verb = "gained" if record.delta > 0 else "lost"
        points = f"{abs(record.delta):.0f} points"
        if pages := _lost_pages(brand, record):
            return f"On {day} AI stopped citing {pages}. The same day you {verb} {points}."
        return f"You {verb} {points} on {day} ({record.before:.0f} → {record.after:.0f} %)."
    own = next((each for each in standings if each.competitor_id is None), None)
    ahead = [each for each in standings if each.relation == "ahead"]
    if ahead and own:
        first = ahead[0]
        return (
            f"{first.name} is in {first.mentioned} of {first.of} answers, you in {own.mentioned} of {own.of}: more "
            f"often than you, beyond chance."
        )
    behind = [each for each in standings if each.relation == "behind"]
    if behind and len(behind) == len(standings) - 1:
        return f"You lead all {len(behind)} competitors, beyond chance."
    if behind:
        others = len(standings) - 1
        return f"Nobody is ahead of you beyond chance. You are ahead of {len(behind)} of {others} competitors."
    level = [each for each in standings if each.relation == "level"]
    if level and len(level) == len(standings) - 1:
        return "You and your competitors are level: a difference of 10 points would have shown."
    if len(standings) > 1:
        return "You and your competitors are too close to call on what is measured so far."
    return "Add a competitor to see how you compare."


def _lost_pages(brand: Brand, record: ChangeRecord) -> str:
    """The own pages that answers stopped citing on that day, with their site where all are of one; empty for none."""
    card = Recommendation.objects.filter(brand=brand, kind="fall", subject=str(record.began)).first()
    lost = int(card.payload.get("lostPages", 0)) if card else 0
    if card is None or not lost:
        return ""
    sites = {host_of(str(each["url"])) for each in card.evidence if each["kind"] == "page"}
    number = f"{lost} of your pages" if lost > 1 else "one of your pages"
    return f"{number} on {sites.pop()}" if len(sites) == 1 else number
