"""The one sentence with which a brand's page begins, and what it is followed by."""

from collections.abc import Sequence

from brands.models import Brand
from visibility.models import ChangeRecord, Recommendation
from visibility.scores.now_resources import NowFigures, Standing


def lead_words(
    brand: Brand, record: ChangeRecord | None, standings: Sequence[Standing], figures: NowFigures | None
) -> str:
    """What happened, or where nothing did how the brand stands; of at most 20 words a sentence."""
    if figures is None or figures.score is None:
        return "Nothing is measured yet. A first scan shows how often AI mentions you."
    if record is not None:
        day = f"{record.began.day} {record.began:%B}"
        verb = "gained" if record.delta > 0 else "lost"
        points = f"{abs(record.delta):.0f} points"
        if lost := _lost_pages(brand, record):
            pages = f"{lost} of your pages" if lost > 1 else "one of your pages"
            return f"On {day} AI stopped citing {pages}. The same day you {verb} {points}."
        return f"You {verb} {points} on {day} ({record.before:.0f} → {record.after:.0f} %)."
    ahead = [each for each in standings if each.site_is == "behind"]
    if ahead:
        return (
            f"{ahead[0].name} is mentioned in {ahead[0].score:.0f} % of answers: more often than you, beyond chance."
        )
    behind = [each for each in standings if each.site_is == "ahead"]
    if behind and len(behind) == len(standings) - 1:
        return f"You lead all {len(behind)} competitors, beyond chance."
    if behind:
        others = len(standings) - 1
        return f"Nobody is ahead of you beyond chance. You are ahead of {len(behind)} of {others} competitors."
    if len(standings) > 1:
        return "You and your competitors are too close to call on what is measured so far."
    return "Add a competitor to see how you compare."


def _lost_pages(brand: Brand, record: ChangeRecord) -> int:
    card = Recommendation.objects.filter(brand=brand, kind="fall", subject=str(record.began)).first()
    return int(card.payload.get("lostPages", 0)) if card else 0
