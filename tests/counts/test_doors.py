"""One number, one base and a true sentence at every door: REST, the agent's tools and the brand's page."""

import re
from datetime import UTC, date, datetime, time
from functools import cached_property
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.counts.conftest import add, asked, measured
from tests.factories import make_key
from tests.http import Rest
from tests.live import own_database
from tests.mcp.conftest import Agent, whole_endpoint
from tests.people.browser import Browser, text_of
from visibility.models import Cell
from visibility.recommendations.advise import recommend
from visibility.scores.history import write_history

TOOLS = {
    "get_visibility_scores": {},
    "list_competitors": {},
    "list_prompts": {"limit": 100},
    "get_competitor_gaps": {},
    "get_site_brief": {},
}
K_OF_N = re.compile(r"(\d+) % \((\d+) of (\d+)\)")


class Doors:
    """What each door says of a brand, asked once."""

    def __init__(self, brand):
        recommend(brand)
        key = make_key(owner=brand.owner)[1]
        self.brand, self.rest_client, self.key = brand, Rest(Client()), key
        agent, site = Agent(whole_endpoint()), str(brand.pk)
        for tool, more in TOOLS.items():
            setattr(self, tool, agent.plain(key, tool, siteId=site, **more))
        [self.portfolio] = agent.data(key, "get_portfolio_summary")["sites"]
        self.standing, self.competitors, self.change = (
            agent.plain(key, "ask", siteId=site, question="?", about=about)
            for about in ("standing", "competitors", "change")
        )
        self.page = text_of(Browser(brand.owner).open(reverse("brand", args=[brand.pk])))
        self.now = self.get_visibility_scores["now"]

    @cached_property
    def days(self):
        """The measured days of now, by REST."""
        first, last = (
            int(datetime.combine(date.fromisoformat(self.now[end]), time(), UTC).timestamp() * 1000)
            for end in ("firstDay", "asOf")
        )
        window = f"/brands/{self.brand.pk}/visibility?from={first}&to={last}"
        return self.rest_client.get(window, self.key).json()["trend"]

    @property
    def engines(self):
        """The engines that each door counts."""
        return {
            "REST": {each["engine"] for day in self.days for each in day["engines"]},
            "scores": {each["engine"] for each in self.get_visibility_scores["byEngine"]},
            "brief": {each["engine"] for each in self.get_site_brief["byEngine"]},
        }

    @property
    def bases(self):
        """In how many of how many answers each door says that the brand is named."""
        scores, brief = self.get_visibility_scores, self.get_site_brief
        [words] = re.findall(r"Every figure here counts (\d+) answers .*?: (.+?)\.", self.page)
        on_page = [(int(k), int(n)) for k, n in re.findall(r"(\d+) of (\d+)", words[1])]
        assert int(words[0]) == sum(n for _, n in on_page)
        return {
            "REST": total([each for day in self.days for each in day["engines"]]),
            "scores": (scores["now"]["mentioned"], scores["now"]["answers"]),
            "scores by engine": total(scores["byEngine"]),
            "scores beside competitors": own(scores["shareOfVoice"]),
            "competitors": own([self.list_competitors["site"]]),
            "prompts": total(self.list_prompts["prompts"]),
            "prompts in words": k_of_n(self.list_prompts["summary"][0]),
            "brief": (brief["now"]["mentioned"], brief["now"]["answers"]),
            "brief by engine": total(brief["byEngine"]),
            "ask": own(self.standing["facts"]),
            "ask in words": k_of_n(self.standing["answer"]),
            "ask of competitors": own(self.competitors["facts"]),
            "page": tuple(map(sum, zip(*on_page, strict=True))),
        }

    @property
    def scores(self):
        """The percentage that each door gives, and the page without decimals."""
        return {
            "scores": self.now["score"],
            "brief": self.get_site_brief["now"]["score"],
            "competitors": self.list_competitors["site"]["score"],
            "portfolio": self.portfolio["score"],
            "ask": row_of(self.standing["facts"], "Kryton")["score"],
        }

    def relations(self, rival):
        """How a competitor does against the brand, by each door, with its k of n."""
        found = {
            "scores": row_of(self.get_visibility_scores["shareOfVoice"], rival),
            "competitors": row_of(self.list_competitors["competitors"], rival),
            "brief": row_of(self.get_site_brief["competitors"], rival),
            "ask": row_of(self.competitors["facts"], rival),
        }
        return {door: (row["relation"], row["mentioned"], row["of"]) for door, row in found.items()}


def total(rows):
    return sum(row["mentioned"] for row in rows), sum(row["answers"] for row in rows)


def row_of(rows, name):
    return next(row for row in rows if name in (row.get("name"), row.get("subject")))


def own(rows):
    row = row_of(rows, "Kryton")
    return row["mentioned"], row["of"]


def k_of_n(words):
    return tuple(map(int, re.search(r"(\d+) of (\d+) answers", words).groups()))


def absent():
    """The brand in 0 of 60 answers on five topics, two competitors in all."""
    both = ("Zentra and Velmora",) * 4
    topics = (asked("chatgpt", 1, *both, topic=f"kind {topic}", samples=3) for topic in range(5))
    return measured(*topics, rivals=("Zentra", "Velmora"))


def two_days(of_last_day=1):
    """Four answers on each of six topics, of two days and two engines: 20 of 24 name the brand, the others Zentra."""

    def name(topic, engine, day):
        return "Zentra" if day == 2 and topic < (1 if engine == "chatgpt" else 3) else "Kryton"

    places = [(topic, engine, day) for topic in range(6) for engine in ("chatgpt", "gemini") for day in (1, 2)]
    lines = [
        asked(engine, day, name(topic, engine, day), of=1, topic=f"kind {topic}") for topic, engine, day in places
    ]
    brand = measured(*lines)
    for sample in range(2, of_last_day + 1):
        again = [
            asked(engine, day, name(topic, engine, day), of=1, topic=f"kind {topic}", sample=sample)
            for topic, engine, day in places
            if day == 2
        ]
        add(brand, *again)
    return brand


def other_engines():
    """One engine that counts. Another was asked long ago, and one has too few answers: both name only Zentra."""
    brand = measured(
        asked("gemini", 1, *["Zentra"] * 5, of=5),
        asked("chatgpt", 20, "Kryton", "Kryton", "Zentra", of=5),
        asked("claude", 20, *["Zentra"] * 5, of=5),
    )
    cells = Cell.objects.filter(engine__name="claude", competitor=None).order_by("version")
    cells.filter(pk__in=cells.values("pk")[:2]).update(answers=0, failed=1)
    with transaction.atomic():
        write_history(brand, {date(2026, 1, 20)})
    return brand


def step():
    """Nine topics of one prompt and two samples: named on eight until day 15 of 30, then on the other one."""
    return measured(
        *(
            asked("chatgpt", day, *["Kryton"] * ((day < 16) != (topic == 0)), topic=f"kind {topic}", of=1, samples=2)
            for day in range(1, 31)
            for topic in range(9)
        )
    )


@pytest.fixture(scope="module")
def worlds(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database():
        yield SimpleNamespace(
            absent=Doors(absent()),
            two_days=Doors(two_days()),
            repeated=Doors(two_days(of_last_day=2)),
            other_engines=Doors(other_engines()),
            step=Doors(step()),
        )


BASES = {
    "absent": (0, 60),
    "two_days": (20, 24),
    "repeated": (20, 24),
    "other_engines": (2, 5),
    "step": (14, 126),
}


@pytest.mark.parametrize(("world", "base"), BASES.items())
def test_every_door_counts_the_same_answers(worlds, world, base):
    bases = getattr(worlds, world).bases
    assert bases == dict.fromkeys(bases, base)


@pytest.mark.parametrize(("world", "base"), BASES.items())
def test_every_door_has_the_percentage_of_that_base(worlds, world, base):
    doors = getattr(worlds, world)
    k, n = base
    # Each prompt was asked equally often, so that the mean over prompts and engines is that of the answers.
    assert doors.scores == dict.fromkeys(doors.scores, pytest.approx(100 * k / n, abs=0.01))
    assert f"AI answers mention you in {100 * k / n:.0f} %" in doors.page


@pytest.mark.parametrize("world", BASES)
def test_a_percentage_and_its_count_agree(worlds, world):
    doors = getattr(worlds, world)
    counted = K_OF_N.findall(doors.page)
    assert counted
    assert [round(100 * int(k) / int(n)) for _, k, n in counted] == [int(percent) for percent, _, _ in counted]
    for row in (*doors.get_visibility_scores["byEngine"], *doors.get_site_brief["byEngine"]):
        assert row["score"] == pytest.approx(100 * row["mentioned"] / row["answers"], abs=0.01)


@pytest.mark.parametrize("world", BASES)
def test_whoever_is_ahead_or_behind_is_so_at_every_door(worlds, world):
    doors = getattr(worlds, world)
    for rival in [row["name"] for row in doors.get_site_brief["competitors"]]:
        assert len({*doors.relations(rival).values()}) == 1, doors.relations(rival)


def test_who_is_always_there_is_ahead_of_who_never_is_in_every_sentence(worlds):
    doors = worlds.absent
    for rival in ("Zentra", "Velmora"):
        assert {*doors.relations(rival).values()} == {("ahead", 60, 60)}
    words = "Kryton is behind Velmora (60 of 60), Zentra (60 of 60)."
    for door in (doors.get_visibility_scores, doors.list_competitors, doors.get_site_brief):
        assert words in door["summary"]
    assert doors.competitors["answer"].startswith("Ahead of Kryton beyond chance: Velmora, Zentra.")
    assert "On these 20 questions Velmora is always there, you never." in doors.page and "3rd of 3" in doors.page
    assert "On 20 prompts 60 answers of now" in doors.get_competitor_gaps["summary"][0]


def test_gaps_are_of_the_answers_that_count(worlds):
    for doors, prompts, answers in ((worlds.two_days, 3, 4), (worlds.other_engines, 1, 1)):
        gaps = doors.get_competitor_gaps
        assert (gaps["total"], gaps["answers"]) == (prompts, answers)


def test_a_scan_that_repeats_the_texts_of_its_day_changes_no_prompt(worlds):
    def prompts(doors):
        return {row["text"]: (row["mentioned"], row["answers"]) for row in doors.list_prompts["prompts"]}

    assert prompts(worlds.repeated) == prompts(worlds.two_days)
    assert worlds.repeated.get_competitor_gaps["answers"] == 4


def test_an_engine_that_counts_in_no_figure_is_at_no_door(worlds):
    doors = worlds.other_engines
    left_out = {each["engine"] for each in doors.get_visibility_scores["leftOut"]}
    assert left_out == {"gemini", "claude"}
    assert {door: names & left_out for door, names in doors.engines.items()} == {
        door: set() for door in doors.engines
    }
    assert {*doors.relations("Zentra").values()} == {("too_close", 1, 5)}
    assert "Claude" not in doors.page.partition("Every figure here counts")[2].partition(".")[0]


def test_a_step_is_a_fall_at_every_door(worlds):
    doors = worlds.step
    words = "Kryton's score fell by 78 points: from 89 to 11 % since 2026-01-16."
    assert words in doors.get_site_brief["summary"] and words in doors.get_visibility_scores["summary"]
    assert doors.change["answer"].startswith(words)
    assert "You lost 78 points on 16 January (89 → 11 %)." in doors.page
    for door in (doors.get_site_brief, doors.get_visibility_scores):
        [change] = [each for each in door["changes"] if each["engine"] is None]
        assert (change["since"], change["delta"], change["state"]) == ("2026-01-16", -77.78, "holds")
