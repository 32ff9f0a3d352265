"""Brands that go the whole way, from the texts of answers to the letter; and what of a letter the rows do not say."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.utils import timezone

from apikeys.accounts.caller import Caller
from brands.models import Brand
from tests.scores.conftest import TEXTS, imported
from visibility.counts.reader import select_now
from visibility.counts.words import engine_name
from visibility.letters.letter import Letter, read_letter
from visibility.metrics.exact import chance_of_lead
from visibility.models import ChangeRecord, Citation, Mention, Recommendation
from visibility.models.prompts import topic_title
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import show
from visibility.recommendations.work import work_of

TODAY = date(2026, 1, 12)
TOPICS = ("city", "trail", "folding", "cargo", "kids", "racing", "gravel")
PAGES = ("https://bikes.example/best", "https://kryton.example/city", "https://zentra.example/trail")
LAST_DAY, CHANGES_ON = 10, 7
WORSE, BETTER = (0.05, 1, 0.05, 0.3), (1, 0.05, 1, 0.05)
"""Chances of TEXTS from the seventh day on, of two brands of three."""
CERTAIN = 0.001
"""Below this chance of a lead nobody says that it is too close to call."""


def make_whole(number: int) -> Brand:
    """The brand of this number: four to seven topics, two engines, ten days of answers with sources, and advice."""
    chance = random.Random(number)
    usual = [chance.random() for _ in TEXTS]
    later = (usual, WORSE, BETTER)[number % 3]
    lines = (
        json.dumps(
            {
                "prompt": f"Best {topic} bike {wording}?",
                "topic": topic,
                "engine": engine,
                "time": f"2026-01-{day:02}T10:00:00Z",
                "text": chance.choices(TEXTS, later if day >= CHANGES_ON else usual)[0],
                "sources": [chance.choice(PAGES)],
            }
        )
        for day in range(1, LAST_DAY + 1)
        for topic in TOPICS[: 4 + number % 4]
        for wording in range(2)
        for engine in ("chatgpt", "gemini")
    )
    brand = imported(lines)
    recommend(brand)
    Recommendation.objects.filter(brand=brand).update(created_at=timezone.make_aware(timezone.datetime(2026, 1, 8)))
    return brand


@dataclass(frozen=True)
class Row:
    """An answer: whom it names, and which sites it cites."""

    day: date
    topic: str
    engine: str
    ours: bool
    theirs: bool
    sites: set[str] = field(default_factory=set)


class Rows:
    """The answers of a brand, as its letter should count them."""

    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        rival = brand.competitors.get().pk
        mentions = set(Mention.objects.filter(answer__brand=brand).values_list("answer", "competitor"))
        sites = defaultdict(set)
        for answer, site in Citation.objects.filter(brand=brand).values_list("answer", "domain"):
            sites[answer].add(site)
        columns = ("pk", "day", "version__prompt__topic__name", "engine__name")
        self.all = [
            Row(
                day,
                topic_title(topic),
                engine_name(engine),
                (pk, None) in mentions,
                (pk, rival) in mentions,
                sites[pk],
            )
            for pk, day, topic, engine in brand.answers.values_list(*columns)
        ]
        windows = {engine_name(engine): window for (engine, _), window in select_now(brand).engines.items()}
        self.now = [row for row in self.all if windows[row.engine][0] <= row.day <= windows[row.engine][1]]

    def of_days(self, days: Sequence[date]) -> list[Row]:
        return [row for row in self.all if row.day in days]


def share(rows: Sequence[Row]) -> float:
    """The score in percent: engines count alike, and each prompt has as many answers of an engine as another."""
    shares = [
        sum(row.ours for row in those) / len(those)
        for engine in {row.engine for row in rows}
        for those in [[row for row in rows if row.engine == engine]]
    ]
    return 100 * sum(shares) / len(shares)


def is_near(written: str, number: float) -> bool:
    return abs(int(written) - number) <= 0.51


def of_score(rows: Rows, text: str) -> bool:
    found = re.search(r"mention you in (\d+) % \(.*\)(?:: (\d+) of (\d+) answers|, no )", text)
    counts = [sum(row.ours for row in rows.now), len(rows.now)]
    return (
        bool(found)
        and is_near(found[1], share(rows.now))
        and found.groups()[1:] in [(None, None), tuple(map(str, counts))]
    )


def of_change(rows: Rows, text: str) -> bool:
    week = (TODAY - timedelta(days=7), TODAY - timedelta(days=1))
    record = ChangeRecord.objects.filter(brand=rows.brand, engine="", known_on__range=week).order_by("-began").first()
    found = re.fullmatch(
        r"You (lost|gained) (\d+) points on (\d+) January \((\d+) → (\d+) %\)(?:, largest parts?: (.*))?\.", text
    )
    if record is None or not found:
        return record is None and text == "No clear change of your score."
    days = sorted({row.day for row in rows.all if row.day < record.began})[-record.before_days :]
    before, after = rows.of_days(days), rows.of_days([record.after_day])
    sign = 1 if found[1] == "gained" else -1
    is_true = is_near(found[2], sign * (share(after) - share(before))) and int(found[3]) == record.began.day
    topics = len({row.topic for row in rows.all})
    for name, points in re.findall(r"(\w+) \((\d+)\)", found[6] or ""):
        part = share([row for row in after if row.topic == name]) - share(
            [row for row in before if row.topic == name]
        )
        is_true &= is_near(points, sign * part / topics)
    return is_true and is_near(found[4], share(before)) and is_near(found[5], share(after))


def of_rivals(rows: Rows, text: str) -> bool:
    ours, theirs = (sum(getattr(row, name) for row in rows.now) for name in ("ours", "theirs"))
    of = len(rows.now)
    if "always there, you never" in text:
        return (ours, theirs) == (0, of)
    if "It is ahead of you" in text:
        return f"Zentra is in {theirs} of {of} answers, you in {ours} of {of}." in text and theirs > ours
    if "You are ahead of Zentra" in text:
        return ours > theirs
    if "level with" in text:
        return abs(ours - theirs) <= 0.1 * of
    alone = sorted(
        sum(row.ours and not row.theirs if is_ours else row.theirs and not row.ours for row in rows.now)
        for is_ours in (True, False)
    )
    return "too close to call" in text and chance_of_lead(alone[1], alone[0]) > CERTAIN


def of_sources(rows: Rows, text: str) -> bool:
    engine, citing, asked = re.match(r"(\w+) cites pages in (\d+) of (\d+) answers", text).groups()
    answers = [row for row in rows.now if row.engine == engine]
    is_true = (int(citing), int(asked)) == (sum(bool(row.sites) for row in answers), len(answers))
    for site, cited, naming in re.findall(r"(\S+\.example) in (\d+)(?:, of which (\d+) name you)?", text):
        those = [row for row in answers if site in row.sites]
        is_true &= len(those) == int(cited) and sum(row.ours for row in those) == int(naming or cited)
    return is_true


def of_split(rows: Rows, text: str) -> bool:
    counts = re.findall(r"(ChatGPT|Gemini) (\d+) of (\d+)", text)
    return bool(counts) and all(
        (int(k), int(of)) == (sum(row.ours for row in those), len(those))
        for name, k, of in counts
        for those in [[row for row in rows.now if row.engine == name]]
    )


MORE = "ask more prompts or more often to see smaller differences."


def of_next(rows: Rows, text: str) -> bool:
    number = re.match(r"(\d+) new things? to do\.", text)
    new = Recommendation.objects.filter(brand=rows.brand).exclude(kind="hygiene").count()
    first = re.search(r"Next: (.*)\.$", text)
    titles = {show(row, rows.brand).title for row in work_of(rows.brand).advice}
    is_one = first is not None and first[1] in titles
    has_none = not titles and text.endswith("Nothing differs beyond chance on these answers: " + MORE)
    return (int(number[1]) if number else 0) == new and (is_one or has_none)


CHECKS: dict[str, Callable[[Rows, str], bool]] = {
    "quiet": of_score,
    "score": of_score,
    "change": of_change,
    "rivals": of_rivals,
    "sources": of_sources,
    "split": of_split,
    "next": of_next,
}


def letter_of(brand: Brand) -> Letter:
    return read_letter(Caller.from_user(brand.owner), brand.pk, TODAY)


def faults_of(brand: Brand, letter: Letter) -> Iterator[str]:
    """The sentences of a letter that the rows do not say."""
    rows = Rows(brand)
    for sentence in letter.sentences:
        if not CHECKS[sentence.slot](rows, sentence.text):
            yield f"{brand.pk} {sentence.slot}: {sentence.text}"
