"""Whom the answers of a comparison prefer: the brand or the competitor that they were asked to choose between."""

from uuid import UUID

from django.db import transaction

from visibility.answers.detect import BRAND, Reader, detect
from visibility.detection import preferred
from visibility.models import Answer, Preference, Run
from visibility.runs.finish import finish


def measure_comparison(reader: Reader, run_id: UUID) -> None:
    """Read the answers of a comparison, judge each, and end the run. One that is not active is passed over."""
    run = Run.objects.active().filter(pk=run_id).first()
    if run is None:
        return
    detect(reader, run.answers.all())
    answers = run.answers.all().answered().filter(prompt__competitor__isnull=False)
    judged = [_preference(reader, answer) for answer in answers.select_related("version", "prompt")]
    with transaction.atomic():
        run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
        if run is not None:
            Preference.objects.bulk_create(
                judged,
                update_conflicts=True,
                unique_fields=["answer"],
                update_fields=["side", "rule", "start", "end"],
            )
            finish(run)


def _preference(reader: Reader, answer: Answer) -> Preference:
    """Not saved."""
    competitor = str(answer.prompt.competitor_id)
    mentions = reader.detector.detect(answer.text, answer.version.text).mentions
    choice = preferred(answer.text, mentions, (BRAND, competitor))
    sides = {BRAND: Preference.Side.BRAND, competitor: Preference.Side.COMPETITOR}
    side = sides[choice.subject] if choice.subject else Preference.Side.NOBODY
    return Preference(answer=answer, side=side, rule=choice.rule, start=choice.start, end=choice.end)
