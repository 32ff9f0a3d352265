"""History is measured again from the stored answers when names, domains or the detector change."""

import pytest

from brands.services.brands import update_brand
from brands.services.competitors import add_competitor, remove_competitor, update_competitor
from brands.services.names import replace_aliases, replace_domains
from brands.services.policies import set_name_policy
from tests.factories import PromptFactory
from tests.scans.history import ended_run, figures, fresh, rescored, scores, use_detector
from visibility.jobs.kinds import GENERATION
from visibility.jobs.lease import claim
from visibility.measured import names
from visibility.measured.names import DETECTOR
from visibility.models import Answer, Citation, DailyScore, Generation, Mention, Panel, Recommendation, Run, RunScore
from visibility.pipeline.generations import planning as generations
from visibility.pipeline.generations.planning import outdated_brands, plan_generation, plan_outdated
from visibility.services.prompts.editing import PromptDraft, add_prompts

pytestmark = pytest.mark.django_db

NEWER = DETECTOR + 1
"""The detector of the next release."""


def state_of(brand):
    return sorted(Generation.objects.filter(brand=brand).values_list("state", flat=True))


class TestFigures:
    def test_an_alias_is_found_in_all_history(self, brand, history, system):
        assert scores(brand) == [40.0] * 3
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        rescored(brand)
        assert scores(brand) == [60.0] * 3
        assert set(Run.objects.values_list("score", flat=True)) == {60.0}
        assert figures(brand) == fresh(brand)

    def test_an_alias_that_is_removed_is_forgotten(self, brand, history, system):
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        rescored(brand)
        replace_aliases(system, brand=brand, aliases=[])
        rescored(brand)
        assert scores(brand) == [40.0] * 3
        assert figures(brand) == fresh(brand)

    def test_a_competitor_is_measured_in_all_history(self, brand, history, system):
        assert set(DailyScore.objects.values_list("share_of_voice", flat=True)) == {None}
        rival = add_competitor(system, brand=brand, name="Rival", domain="shop.example")
        rescored(brand)
        assert scores(brand, rival) == [40.0] * 3
        assert set(DailyScore.objects.values_list("share_of_voice", "citation_rate")) == {(50.0, 100.0)}
        assert Citation.objects.filter(owner="competitor", competitor=rival).count() == 15
        assert figures(brand) == fresh(brand)

    def test_recommendations_follow_a_competitor_that_is_added(self, brand, system):
        asked = [PromptFactory(brand=brand, topic="anvils") for _ in range(12)]
        ended_run(brand, asked, texts=["Rival is good."] * 11 + ["Acme is good."])
        gaps = Recommendation.objects.filter(kind="topic_gap")
        assert not gaps.exists()
        add_competitor(system, brand=brand, name="Rival", domain="shop.example")
        rescored(brand)
        row = gaps.get()
        assert (row.subject, row.factors["answers"]) == ("anvils", 11)

    def test_a_competitor_that_is_removed_goes_with_its_rows(self, brand, history, system):
        rival = add_competitor(system, brand=brand, name="Rival", domain="shop.example")
        rescored(brand)
        remove_competitor(system, competitor=rival)
        assert not DailyScore.objects.filter(competitor__isnull=False).exists()
        rescored(brand)
        assert set(DailyScore.objects.values_list("share_of_voice", flat=True)) == {None}
        assert set(Citation.objects.filter(domain="shop.example").values_list("owner", flat=True)) == {"other"}
        assert figures(brand) == fresh(brand)

    def test_an_own_domain_is_cited_in_all_history(self, brand, history, system):
        replace_domains(system, brand=brand, domains=["shop.example"])
        rescored(brand)
        assert set(Citation.objects.values_list("owner", flat=True)) == {"own"}
        replace_domains(system, brand=brand, domains=[])
        rescored(brand)
        assert set(Citation.objects.values_list("domain", "owner")) == {
            ("shop.example", "other"),
            ("acme.example", "own"),
        }
        assert figures(brand) == fresh(brand)

    def test_nothing_is_left_of_the_generation_before(self, brand, history, system):
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        kept = rescored(brand)
        for model in (Mention, Citation, DailyScore):
            assert set(model.of_all_generations.values_list("generation", flat=True)) == {kept.pk}
        assert RunScore.objects.count() == 3
        assert Panel.objects.filter(daily_scores=None).count() == 0

    def test_answers_and_credits_stay_as_they_are(self, brand, history, system):
        kept = list(Answer.objects.order_by("pk").values())
        runs = list(Run.objects.order_by("pk").values("status", "finished_at", "credits_spent", "done"))
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        rescored(brand)
        assert list(Answer.objects.order_by("pk").values()) == kept
        assert list(Run.objects.order_by("pk").values("status", "finished_at", "credits_spent", "done")) == runs


CHANGES = {
    "description": lambda system, brand, rival: update_brand(system, brand=brand, description="tools"),
    "alias added": lambda system, brand, rival: replace_aliases(system, brand=brand, aliases=["Old", "New"]),
    "alias removed": lambda system, brand, rival: replace_aliases(system, brand=brand, aliases=[]),
    "aliases replaced": lambda system, brand, rival: replace_aliases(system, brand=brand, aliases=["New"]),
    "domain added": lambda system, brand, rival: replace_domains(
        system, brand=brand, domains=["old.example", "new.example"]
    ),
    "domain removed": lambda system, brand, rival: replace_domains(system, brand=brand, domains=[]),
    "domains replaced": lambda system, brand, rival: replace_domains(system, brand=brand, domains=["new.example"]),
    "competitor added": lambda system, brand, rival: add_competitor(
        system, brand=brand, name="N", domain="n.example"
    ),
    "competitor removed": lambda system, brand, rival: remove_competitor(system, competitor=rival),
    "competitor renamed": lambda system, brand, rival: update_competitor(system, competitor=rival, name="New"),
    "competitor moved": lambda system, brand, rival: update_competitor(system, competitor=rival, domain="n.example"),
    "competitor's aliases": lambda system, brand, rival: update_competitor(system, competitor=rival, aliases=["New"]),
    "policy set": lambda system, brand, rival: set_name_policy(system, brand=brand, text="Old", case_sensitive=True),
    "brand renamed": lambda system, brand, rival: update_brand(system, brand=brand, name="New"),
    "brand moved": lambda system, brand, rival: update_brand(system, brand=brand, domain="new.example"),
}
NO_CHANGES = {
    "alias that is there": lambda system, brand, rival: replace_aliases(system, brand=brand, aliases=["Old"]),
    "domain that is there": lambda system, brand, rival: replace_domains(
        system, brand=brand, domains=["old.example"]
    ),
    "cadence": lambda system, brand, rival: update_brand(system, brand=brand, cadence="daily"),
    "same name": lambda system, brand, rival: update_brand(system, brand=brand, name=brand.name),
    "competitor's same name": lambda system, brand, rival: update_competitor(system, competitor=rival, name="Rival"),
    "prompt": lambda system, brand, rival: add_prompts(system, brand=brand, drafts=[PromptDraft("q?")]),
    "undone": lambda system, brand, rival: [
        replace_aliases(system, brand=brand, aliases=["Old", "New"]),
        replace_aliases(system, brand=brand, aliases=["Old"]),
    ],
}


class TestTriggers:
    @pytest.fixture
    def rival(self, brand, system, wordings):
        replace_aliases(system, brand=brand, aliases=["Old"])
        replace_domains(system, brand=brand, domains=["old.example"])
        return add_competitor(system, brand=brand, name="Rival", domain="rival.example", aliases=["R"])

    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
    def test_what_is_looked_for_changes(self, brand, rival, history, system, change):
        assert not outdated_brands().exists()
        before = Generation.objects.get(brand=brand)
        change(system, brand, rival)
        assert list(outdated_brands()) == [brand]
        assert plan_outdated() == 1
        assert state_of(brand) == ["building", "current"]
        assert not outdated_brands().exists(), "it is noticed once"
        assert rescored(brand).stamp != before.stamp
        assert not outdated_brands().exists()

    @pytest.mark.parametrize("change", NO_CHANGES.values(), ids=NO_CHANGES)
    def test_what_is_looked_for_stays_the_same(self, brand, rival, history, system, change):
        before = Generation.objects.get(brand=brand)
        change(system, brand, rival)
        plan_outdated()
        assert not outdated_brands().exists()
        assert Generation.objects.get(brand=brand).pk == before.pk

    def test_a_new_detector_looks_through_all_history(self, brand, history, monkeypatch):
        use_detector(monkeypatch, NEWER)
        assert list(outdated_brands()) == [brand]
        rescored(brand)
        assert set(DailyScore.objects.values_list("detector_version", flat=True)) == {str(NEWER)}
        assert list(DailyScore.objects.order_by("date").values_list("comparable", flat=True)) == [None, True, True]

    def test_another_brand_is_left_alone(self, brand, history, system):
        other = plan_generation(_beside(brand))
        replace_aliases(system, brand=brand, aliases=["New"])
        rescored(brand)
        other.refresh_from_db()
        assert other.state == "current"

    def test_before_anything_is_measured_new_names_hold_at_once(self, brand, system):
        plan_generation(brand)
        replace_aliases(system, brand=brand, aliases=["New"])
        plan_outdated()
        assert state_of(brand) == ["current", "retired"]
        assert rescored(brand).names["names"] == [
            {"subject": "", "text": text, **_defaults()} for text in ("Acme", "New")
        ]

    def test_one_brands_trouble_does_not_keep_others_waiting(self, brand, history, system, monkeypatch):
        replace_aliases(system, brand=brand, aliases=["New"])
        monkeypatch.setattr(generations, "plan_generation", lambda brand: 1 / 0)
        assert plan_outdated() == 1

    def test_looking_for_outdated_brands_takes_two_statements(self, brand, history, django_assert_num_queries):
        with django_assert_num_queries(2):
            plan_outdated()


def _beside(brand):
    return type(brand).objects.create(owner=brand.owner, name="Beside", domain="beside.example")


def _defaults():
    """What a name carries besides subject and text."""
    [name] = names._NAMES.dump_python([names.Name("", "x")], mode="json")
    return {key: value for key, value in name.items() if key not in ("subject", "text")}


class TestReleases:
    """Workers of two releases beside each other: the older one knows an older detector."""

    def test_an_older_worker_leaves_alone_what_a_newer_one_builds_and_has_built(self, brand, history, monkeypatch):
        use_detector(monkeypatch, NEWER)
        plan_outdated()
        newer = Generation.objects.get(state="building")
        use_detector(monkeypatch, DETECTOR)
        for _ in range(2):
            assert plan_outdated() == 0
            plan_generation(brand)
            assert claim(GENERATION, newer.pk, "older") is None
            newer.refresh_from_db()
            assert newer.state in ("building", "current")
            use_detector(monkeypatch, NEWER)
            rescored(brand)
            use_detector(monkeypatch, DETECTOR)
        assert Generation.objects.get(brand=brand).pk == newer.pk
        assert not outdated_brands().exists()

    def test_names_of_now_go_before_the_newest_detector(self, brand, history, system, monkeypatch):
        use_detector(monkeypatch, NEWER)
        rescored(brand)
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        use_detector(monkeypatch, DETECTOR)
        plan_outdated()
        assert Generation.objects.get(state="building").detector == DETECTOR
        use_detector(monkeypatch, NEWER)
        plan_outdated()
        assert Generation.objects.get(state="building").detector == NEWER
        assert rescored(brand).detector == NEWER
        assert scores(brand) == [60.0] * 3

    @pytest.mark.parametrize("first", [DETECTOR, NEWER])
    def test_a_scan_that_an_older_worker_ends_is_looked_through_by_the_newer_one(
        self, brand, wordings, history, monkeypatch, first
    ):
        use_detector(monkeypatch, NEWER)
        rescored(brand)
        use_detector(monkeypatch, DETECTOR)
        ended_run(brand, wordings, day=4)
        assert Generation.objects.get(state="current").detector == 0
        days = DailyScore.objects.order_by("date").values_list("detector_version", "comparable")
        assert list(days.all())[-2:] == [(str(NEWER), True), (str(DETECTOR), False)]
        for version in (first, NEWER):
            use_detector(monkeypatch, version)
            plan_outdated()
        assert rescored(brand).detector == NEWER
        assert list(days.all()) == [(str(NEWER), None), (str(NEWER), True), (str(NEWER), True), (str(NEWER), True)]
        assert not outdated_brands().exists()
        assert figures(brand) == fresh(brand)

    def test_after_a_return_to_an_older_release_its_detector_takes_over(self, brand, wordings, history, monkeypatch):
        use_detector(monkeypatch, NEWER)
        rescored(brand)
        use_detector(monkeypatch, DETECTOR)
        ended_run(brand, wordings, day=4)
        assert rescored(brand).detector == DETECTOR
        assert set(DailyScore.objects.values_list("detector_version", flat=True)) == {str(DETECTOR)}
        assert not outdated_brands().exists()
