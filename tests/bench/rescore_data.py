"""The histories that are measured again: a brand with rivals, a panel of prompts, two engines, one scan a day.

The answers are real ones where the reference data is there, else labelled passages joined to the same length.
"""

import os
from copy import copy
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path

import orjson
from django.db.models import Sum

from apikeys import keyformat
from apikeys.operators import system_caller
from brands.services.access import lock_brand
from brands.services.names import replace_aliases
from tests.conftest import REFERENCE_DATA
from tests.factories import ApiKeyFactory, BrandFactory, CompetitorFactory
from tests.generations import tracked_names_of
from tests.live import ROOT
from visibility.detection.text.reading import Reading
from visibility.engines.protocol import Source
from visibility.models import Answer, Citation, DailyScore, Generation, Prompt, PromptVersion, Run, RunScore
from visibility.pipeline.detect.citing import citations_of
from visibility.pipeline.generations.planning import plan_outdated
from visibility.services.prompts.editing import prompt_digest

__all__ = ["Answer", "lock_brand"]

PROMPTS, ENGINES, WORDINGS_OF_A_TOPIC = 350, ("chat", "search"), 5
RIVALS = {"Apple": "apple.com", "Samsung": "samsung.com", "Bose": "bose.com", "Dell": "dell.com", "LG": "lg.com"}
LENGTH = 3_000
FIRST_DAY = datetime(2025, 1, 1, 12, tzinfo=UTC)


def materials():
    """(question, text, sources) of each answer to fill histories with, and what they are."""
    file = Path(REFERENCE_DATA, "real-answers", "answers.jsonl")
    if file.exists():
        lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        return [(line["prompt"], line["text"], _sources(line["citations"])) for line in lines], "real answers"
    file = ROOT / "tests" / "measurement" / "labelled" / "passages.jsonl"
    passages = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    texts = cycle(passage["text"] for passage in passages)
    return [(passage["prompt"], _joined(texts), _sources(["https://rtings.com/x", "https://apple.com/y"]))
            for passage in passages], "labelled passages, joined"  # fmt: skip


def _joined(texts):
    joined = ""
    while len(joined) < LENGTH:
        joined += next(texts) + "\n\n"
    return joined


def _sources(citations):
    rows = [each if isinstance(each, dict) else {"url": each} for each in citations]
    return [{"url": row["url"], "title": row.get("title") or ""} for row in rows]


def filled_brand(answers):
    """A brand with so many stored answers, with their citations but no mentions yet; returns (brand, raw key)."""
    brand = BrandFactory(name="Sony", domain=f"sony{os.urandom(3).hex()}.com")
    for name, domain in RIVALS.items():
        CompetitorFactory(brand=brand, name=name, domain=domain)
    raw = keyformat.mint()
    ApiKeyFactory(owner=brand.owner, raw=raw)
    given, _ = materials()
    versions = _panel(brand, given)
    tracked = tracked_names_of(brand)
    known = [_known(tracked, brand, *each) for each in given]
    stream = cycle(known)
    for day in range(max(answers // (PROMPTS * len(ENGINES)), 1)):
        _measured_day(brand, tracked.generation, versions, stream, FIRST_DAY + timedelta(days=day))
    return brand, raw


def _known(tracked, brand, _question, text, sources):
    """(text, sources, citations) of an answer."""
    citations = citations_of(
        tracked, Answer(brand=brand, text=text), Reading(text, [Source(**source) for source in sources])
    )
    return text, sources, citations


def _panel(brand, given):
    questions = [f"{question} ({number})" for number, (question, *_) in enumerate(islice(cycle(given), PROMPTS))]
    prompts = Prompt.objects.bulk_create(
        Prompt(brand=brand, text=text, topic=f"t{number // WORDINGS_OF_A_TOPIC}", digest=prompt_digest(text, ""))
        for number, text in enumerate(questions)
    )
    return PromptVersion.objects.bulk_create(
        PromptVersion(prompt=prompt, number=1, text=prompt.text) for prompt in prompts
    )


def _measured_day(brand, generation, versions, stream, at):
    """A scan that ended: each prompt asked once of each engine, and a score so that there are figures to replace."""
    total = len(versions) * len(ENGINES)
    run = Run.objects.create(
        brand=brand, trigger="schedule", status="succeeded", created_at=at, started_at=at, finished_at=at,
        total=total, done=total, engines=list(ENGINES),
    )  # fmt: skip
    asked = list(zip([(version, engine) for engine in ENGINES for version in versions], stream, strict=False))
    answers = Answer.objects.bulk_create(
        [
            Answer(
                run=run, brand=brand, prompt_id=version.prompt_id, version=version, engine=engine, position=position,
                state="answered", text=text, sources=sources, answered_at=at, served_model="m",
            )
            for position, ((version, engine), (text, sources, _)) in enumerate(asked)
        ],
        batch_size=200,
    )  # fmt: skip
    Citation.objects.bulk_create(
        (
            _of_answer(citation, answer)
            for answer, (_, (*_, citations)) in zip(answers, asked, strict=True)
            for citation in citations
        ),
        batch_size=1_000,
    )
    RunScore.objects.create(generation_id=generation, run=run, stage="scored", analysed=total)
    DailyScore.objects.create(generation_id=generation, brand=brand, date=at.date(), detector_version="1")


def _of_answer(citation, answer):
    row = copy(citation)
    row.pk, row.answer_id = None, answer.pk
    return row


def with_new_detector(brand):
    """Have all found anew; returns the generation that is to be built and the one that it will replace."""
    Generation.objects.filter(brand=brand).update(detector=0)
    return _planned(brand)


def with_new_alias(brand):
    """Edit the names of the brand; returns the same."""
    replace_aliases(system_caller("bench"), brand=brand, aliases=["PlayStation"])
    return _planned(brand)


def _planned(brand):
    plan_outdated()
    return (Generation.objects.get(brand=brand, state=state) for state in ("building", "current"))


def check(brand, generation):
    """Every answer is analysed and every day has its score: what is fast and wrong is not fast."""
    assert Generation.objects.get(brand=brand, state="current").pk == generation.pk
    analysed = RunScore.objects.filter(generation=generation, stage="scored").aggregate(analysed=Sum("analysed"))[
        "analysed"
    ]
    assert analysed == Answer.objects.filter(brand=brand).count()
    days = DailyScore.objects.filter(brand=brand, competitor=None, score__isnull=False, detector_version__gt="")
    assert days.count() == Run.objects.filter(brand=brand).count()


CHANGES = {"names": with_new_alias, "detector": with_new_detector}
