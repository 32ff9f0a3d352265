"""The commands of this area: what they refuse, and what they say."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from apikeys.models import Plan, User
from brands.models import Alias, Brand, Competitor
from brands.services.tracked import read_names
from tests.factories import BrandFactory, UserFactory, plan
from tests.imports.conftest import jsonl, record
from visibility.demo import content
from visibility.detection.detector import named_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.types import BRAND
from visibility.management.bars import Bars
from visibility.measured.names import names_of
from visibility.models import Answer, Citation, DailyScore, Page, Prompt, Run, TopicChoice

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(jsonl(record()))
    return path


@pytest.fixture
def owner():
    return UserFactory(email="owner@example.com")


def test_a_brand_is_named_by_domain_or_id(file, owner):
    brand = BrandFactory(owner=owner, domain="acme.example")
    assert "1 answers added" in run("import_answers", file, "--brand", "https://www.Acme.example/")[0]
    assert "1 were there already" in run("import_answers", file, "--brand", brand.pk)[0]


def test_a_domain_of_two_brands_is_refused_with_their_ids(file, owner):
    first, second = BrandFactory(domain="acme.example"), BrandFactory(owner=owner, domain="acme.example")
    with pytest.raises(CommandError) as refusal:
        run("import_answers", file, "--brand", "acme.example")
    assert str(first.pk) in str(refusal.value) and str(second.pk) in str(refusal.value)
    assert not Answer.objects.exists()
    run("import_answers", file, "--brand", "acme.example", "--owner", "OWNER@example.com")
    assert Answer.objects.get().brand == second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--brand", "nobody.example"], "No brand has the domain or id nobody.example"),
        (["--brand", "not a domain"], "is not a domain"),
        (["--brand", "acme.example", "--owner", "who@example.com"], "No account has the address who@example.com"),
        (["--brand", "acme.example", "--competitor", "R", "r.example"], "--competitor goes with --new-brand"),
        (["--new-brand", "Nova", "nova.example"], "needs --owner"),
        (["--new-brand", "Nova", "nova.example", "--owner", "demo@example.com"], "manage.py seed_demo --no-scan"),
        (["--new-brand", "Nova", "co.uk", "--owner", "owner@example.com"], "is not a domain"),
        (["--new-brand", "Nova", "nova.example", "--brand", "x.example"], "not allowed with"),
        ([], "one of the arguments --brand --new-brand is required"),
    ],
)
def test_what_is_refused(file, owner, arguments, message):
    BrandFactory(domain="acme.example")
    with pytest.raises(CommandError, match=message):
        run("import_answers", file, *arguments)
    assert Brand.objects.count() == 1 and not Answer.objects.exists()


RIVALS = [argument for n in "abcd" for argument in ("--competitor", f"Rival {n}", f"{n}.example")]


@pytest.mark.parametrize(
    ("account", "arguments", "message"),
    [
        ({"plan": None}, [], "owner@example.com has no plan.*/admin/apikeys/user/{pk}/change/"),
        ({"is_active": False}, [], "is deactivated. Reactivate it first. That is done at /admin/apikeys/user/{pk}/"),
        (
            {"tier": "free"},
            RIVALS,
            "allows 3 competitors.*on the plan Free; choose another at /admin/apikeys/user/{pk}/",
        ),
        ({}, ["--competitor", "NOVA", "rival.example"], "NOVA is a name of the brand itself"),
        ({}, ["--competitor", "Rival", "nova.example"], "nova.example is the brand's own domain"),
        (
            {},
            ["--competitor", "Rival", "a.example", "--competitor", "Rival", "b.example"],
            "is a competitor.*already",
        ),
        ({}, ["--competitor", "Rival", "co.uk"], "is not a domain"),
    ],
)
def test_plan_names_domains_and_quotas_are_checked_before_the_file_is_read(account, arguments, message, monkeypatch):
    read = []
    monkeypatch.setattr("visibility.management.commands.import_answers.opened", read.append)
    tier = account.pop("tier", None)
    owner = UserFactory(email="owner@example.com", **account, **({"plan": plan(tier)} if tier else {}))
    with pytest.raises(CommandError, match=message.format(pk=owner.pk)):
        run("import_answers", "-", "--new-brand", "Nova", "nova.example", "--owner", owner.email, *arguments)
    assert not read and not Brand.objects.exists() and not Competitor.objects.exists()


def test_a_plan_without_room_for_sites_or_prompts_is_told_before_the_file_is_read(monkeypatch):
    monkeypatch.delattr("visibility.management.commands.import_answers.opened")
    owner = UserFactory(email="owner@example.com", plan=plan("free"))
    Plan.objects.filter(tier="free").update(max_prompts_per_site=0)
    with pytest.raises(CommandError, match=r"allows 0 active prompts.*choose another at /admin/apikeys/user/"):
        run("import_answers", "-", "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    BrandFactory(owner=owner, domain="acme.example")
    with pytest.raises(CommandError, match=r"allows 1 sites; 1 are in use.*choose another at /admin/apikeys/user/"):
        run("import_answers", "-", "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    assert Brand.objects.count() == 1


def test_a_file_that_cannot_be_read(owner, tmp_path):
    BrandFactory(domain="acme.example")
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run("import_answers", tmp_path / "absent", "--brand", "acme.example")
    with pytest.raises(CommandError, match="cannot be read: Is a directory"):
        run("import_answers", tmp_path, "--brand", "acme.example")


def test_bad_lines_are_named_and_no_brand_is_made(owner, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(jsonl(record(), record(time="2025-05-24T10:00:00")))
    with pytest.raises(CommandError, match="line 2: time has no zone; add Z"):
        run("import_answers", path, "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    assert not Brand.objects.exists()


def test_the_standard_input_and_csv(owner, monkeypatch):
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=["prompt", "engine", "time", "text"], extrasaction="ignore")
    writer.writeheader()
    writer.writerow(record(text="Nova\nis fine."))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.getvalue().encode())))
    out, _ = run("import_answers", "-", "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    assert "1 answers added" in out and Answer.objects.get().text == "Nova\nis fine."


def test_citations_that_are_left_out_are_counted_with_why(owner, tmp_path):
    page, again = "https://review.example/anvils", "https://review.example/anvils?utm_source=chatgpt"
    wrong = ["ftp://a.example", "turn0search1", {"title": "no address"}]
    searches = ["https://www.google.com/search?q=anvil", "https://chatgpt.com/?hints=search&q=anvil"]
    path = tmp_path / "answers.jsonl"
    path.write_bytes(jsonl(
        record(citations=[page, again, *wrong, *searches]),
        record(citations=[page], sample=2),
        record(citations=[page], sample=3, text="  "),
    ))  # fmt: skip
    out, _ = run("import_answers", path, "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    assert "Citations of the added answers: 2 counted, 7 left out: " in out
    for told in (
        "3 × no web address", "2 × a link to the results of a search",
        "1 × a page that the same answer cites already", "1 × of an answer without text",
    ):  # fmt: skip
        assert told in out
    assert Citation.objects.count() == 2, "as many as are told"
    again, _ = run("import_answers", path, "--new-brand", "Nova", "nova.example", "--owner", owner.email)
    assert "Citations of the added answers: 0 counted, 0 left out." in again


def test_new_brand_again_uses_the_brand(file, owner):
    arguments = ["--new-brand", "Nova", "nova.example", "--owner", owner.email]
    rival = ["--competitor", "Rival", "rival.example"]
    run("import_answers", file, *arguments, *rival)
    _, err = run("import_answers", file, *arguments, *rival)
    assert "owner@example.com already has the brand Nova (nova.example)" in err
    with pytest.raises(CommandError, match="Late is not a competitor of it"):
        run("import_answers", file, *arguments, "--competitor", "Late", "late.example")
    assert Competitor.objects.count() == 1


def test_a_day_that_cannot_be_scored_is_told(owner, tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_bytes(jsonl(record(text=""), record(time="2025-05-25T10:00:00Z")))
    err = io.StringIO()
    with pytest.raises(CommandError, match="not every day could be scored"):
        call_command(
            "import_answers", str(path), "--new-brand", "Nova", "nova.example", "--owner", owner.email, stderr=err
        )
    assert "(2025-05-24) is failed: None of 1 questions was answered (empty_answer 1)" in err.getvalue()
    assert sorted(Run.objects.values_list("status", flat=True)) == ["failed", "succeeded"]


def test_the_demo_is_made_once():
    out, _ = run("seed_demo", "--no-scan")
    password = out.split("with the password ")[1].split()[0]
    owner = User.objects.get(email="demo@example.com")
    assert owner.check_password(password) and owner.plan.tier == "scale" and not owner.is_staff
    counts = [model.objects.count() for model in (Brand, Alias, Competitor, Prompt, Page)]
    assert counts == [1, 1, 3, 29, 58]
    again, _ = run("seed_demo", "--no-scan")
    assert password not in again and "Found the brand" in again
    assert [model.objects.count() for model in (Brand, Alias, Competitor, Prompt, Page)] == counts
    assert not Run.objects.exists()


def test_a_demo_without_its_plan_says_what_is_missing():
    Plan.objects.filter(tier="scale").update(tier="largest")
    with pytest.raises(CommandError, match="the plan scale, which is not there"):
        run("seed_demo", "--no-scan")


def test_the_scan_of_the_demo_names_the_brand_in_some_answers_and_rivals_in_others():
    run("seed_demo", "--no-scan")
    brand = Brand.objects.get()
    run("scan", brand.pk, "--inline")
    scan = Run.objects.get()
    assert (scan.status, scan.done) == ("succeeded", 174)
    assert scan.engines == ["local-search", "local-search-recent"]
    assert 30 <= scan.score <= 80 and scan.low < scan.score < scan.high
    rivals = brand.daily_scores.filter(competitor__isnull=False).values_list("score", flat=True)
    assert all(10 <= score <= 80 for score in rivals)
    kinds = set(brand.recommendations.values_list("kind", flat=True))
    assert kinds == {"own_page_unnamed", "topic_gap"}, "one day tells of no change, and no page of others is cited"


def test_the_demo_is_invented():
    """Nothing in it can be taken for a real company or engine, and one question names the brand."""
    run("seed_demo", "--no-scan")
    brand = Brand.objects.get()
    assert all(page.url.split("/")[2].endswith(".example") for page in content.bundled_pages())
    assert all(rival.domain.endswith(".example") for rival in content.RIVALS)
    dictionary = Dictionary(names_of(read_names(brand)))
    assert [draft.text for draft in content.prompts() if BRAND in named_in(draft.text, dictionary)] == [
        "Is Norrvik a good e-bike brand?"
    ]


def test_bars_show_each_stage(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Bars() as bars:
        bars("Reading", 1, None)
        bars("Storing", 1, 2)
        bars("Storing", 2, 2)
    shown = capsys.readouterr().err
    assert "Reading" in shown and "Storing: 100%" in shown and "2/2" in shown


def of_topics(*topics):
    return jsonl(*(record(prompt=f"which {topic} are best?", topic=topic) for topic in topics))


def test_an_import_ends_with_the_question_which_topics_the_brand_sells(tmp_path, owner):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(of_topics("anvils", "bellows"))
    said = run(
        "import_answers",
        path,
        "--new-brand",
        "Acme",
        "acme.example",
        "--owner",
        owner.email,
        "--description",
        "Anvils",
    )
    brand = Brand.objects.get()
    last = said[0].strip().split("2 of 2 topics are not decided: which does Acme sell?")[1]
    assert "anvils: proposed as its own. Your description says “Anvils”." in last and "\n  bellows\n" in last
    assert f"/brands/{brand.pk}/topics" in last and last.endswith('(--topic "…" --topic "…"): no other then counts.')


def test_own_topics_are_taken_and_no_other_counts(tmp_path, owner):
    path, new = tmp_path / "answers.jsonl", ("--new-brand", "Acme", "acme.example", "--owner", owner.email)
    path.write_bytes(of_topics("running watches", "bellows", "anvils"))
    with pytest.raises(CommandError) as refusal:
        run("import_answers", path, *new, "--topic", "Running Watch", "--topic", "laptops")
    assert "There is no topic “laptops”. The topics of Acme are: anvils, bellows, running watches." in str(
        refusal.value
    )
    assert not (Brand.objects.exists() or Answer.objects.exists() or TopicChoice.objects.exists())
    said, _ = run("import_answers", path, *new, "--topic", "Running Watch", "--topic", "anvils")
    assert "All topics are decided: 2 topics of 3 that are asked about count in the figures." in said
    choices = {"running watches": True, "anvils": True, "bellows": False}
    assert dict(TopicChoice.objects.values_list("topic", "is_own")) == choices
    assert DailyScore.objects.get(competitor=None).answers == 2, "counted without the third from the first"
    with pytest.raises(CommandError):
        run("import_answers", path, "--brand", "acme.example", "--topic", "laptops")
    assert dict(TopicChoice.objects.values_list("topic", "is_own")) == choices
    run("import_answers", path, "--brand", "acme.example", "--topic", "anvils")
    assert TopicChoice.objects.get(is_own=True).topic == "anvils", "a repeat decides all of them anew"
