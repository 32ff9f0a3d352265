"""Why there is no evidence of a kind, and what brings it: in a sentence, and as the call to make."""

from dataclasses import dataclass

from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.text.sentences import counted
from brands.models import Brand
from visibility.evidence.types import Criterion, Theme, Voice, WeighedClaim
from visibility.measured.evidence import Stored
from visibility.measured.reading import read_basis
from visibility.models import BrandEvidence, Prompt, Run
from visibility.pipeline.evidence.planning import stamp_and_job
from visibility.resources.steps import NextStep, by_people, next_step
from visibility.services.audits.state import AuditState, audit_state, how_to_get_one

MIN_WORDS = 1_000
"""Of prose, for a voice to be measured on."""
TROUBLED_ATTEMPTS = 3
"""From so many on, an attempt that fails is no accident."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What is missing and what to do about it."""

    sentence: str
    step: NextStep


def no_voice(caller: Caller, brand: Brand, stored: Stored[Voice] | None) -> Missing:
    """Why there is no voice profile."""
    state = audit_state(caller, brand.pk)
    if missing := _no_audit(brand, state, "How a site speaks is read from its pages.") or _making(
        brand, "get_voice_profile"
    ):
        return missing
    words = stored.content.words if stored else 0
    return Missing(
        f"The audit {_of_day(state)} found {counted(words, 'word')} of prose on {_pages(stored)}; a voice is "
        f"measured from {MIN_WORDS:,} words on.",
        _audit_again(
            brand, "Reads up to 50 pages: worth it once the site has more text, or more than was read then."
        ),
    )


def no_claims(caller: Caller, brand: Brand, stored: Stored[tuple[WeighedClaim, ...]] | None) -> Missing:
    """Why there are no claims."""
    state = audit_state(caller, brand.pk)
    if missing := _no_audit(brand, state, "What a site claims is read from its pages.") or _making(
        brand, "get_positioning_claims"
    ):
        return missing
    return Missing(
        f"The audit {_of_day(state)} read {_pages(stored)}; on those that are home, product, features, pricing or "
        "about pages no sentence claims something of the site.",
        by_people(
            "Say on these pages what the product does, for whom and how it differs, with numbers; then audit again."
        ),
    )


def no_themes(caller: Caller, brand: Brand, stored: Stored[tuple[Theme, ...]] | None) -> Missing:
    """Why there are no themes of reviews."""
    if missing := _making(brand, "get_review_themes"):
        return missing
    imported = by_people(
        "The operator imports a file of reviews: manage.py import_reviews FILE.csv --brand "
        f"{brand.pk}, or “Import reviews” on the brand's page in the admin."
    )
    if stored and stored.reviews:
        number = counted(stored.reviews, "review was", "reviews were")
        return Missing(f"{number} read, and nothing is spoken of in enough of them to be a theme.", imported)
    state = audit_state(caller, brand.pk)
    absent = "No reviews were imported"
    if missing := _no_audit(brand, state, f"{absent}, and none were read from the site's pages."):
        return missing
    return Missing(f"{absent}, and the pages that the audit {_of_day(state)} read hold none.", imported)


def no_criteria(caller: Caller, brand: Brand, stored: Stored[tuple[Criterion, ...]] | None, topic: str) -> Missing:
    """Why there are no criteria, of all topics or of one."""
    if missing := _no_answers(caller, brand) or _making(
        brand, "get_buyer_criteria", **({"topic": topic} if topic else {})
    ):
        return missing
    on_topic = " on this topic" if topic else ""
    if stored is None or not stored.used:
        return Missing(
            f"No answer of now{on_topic} is to an unbranded question of somebody who chooses or buys.",
            next_step(
                "generate_prompts",
                "Writes questions of buyers; their answers show by what these judge once a scan has asked them.",
                siteId=str(brand.pk),
                stage="decision",
                **({"topic": topic} if topic else {}),
            ),
        )
    number = counted(stored.used, "answer to buying questions was", "answers to buying questions were")
    return Missing(
        f"{number} read{on_topic}; a criterion is kept that three answers of two engines judge by, or of one engine "
        "to three prompts. None is.",
        next_step(
            "generate_prompts",
            "Writes further questions of buyers; more answers show what they have in common.",
            siteId=str(brand.pk),
            stage="decision",
            **({"topic": topic} if topic else {}),
        ),
    )


def _no_audit(brand: Brand, state: AuditState, what: str) -> Missing | None:
    """Where no audit gave findings yet."""
    sentence = how_to_get_one(state)
    if sentence is None:
        return None
    if state.running:
        step = next_step(
            "get_scan_status",
            "Tells how far the audit is and when to look again.",
            siteId=str(brand.pk),
            runId=str(state.running.pk),
        )
        return Missing(f"{what} {sentence}", step)
    return Missing(f"{what} {sentence}", _audit_again(brand, "Reads up to 50 pages of the site, a credit each."))


def _no_answers(caller: Caller, brand: Brand) -> Missing | None:
    """Where nothing was measured yet."""
    if read_basis(brand.pk).engines:
        return None
    site = {"siteId": str(brand.pk)}
    what = "Criteria are found in answers to buying questions, and nothing was measured of this site yet."
    runs = Run.objects.restrict(caller, "view").filter(brand=brand, kind=Run.Kind.VISIBILITY, status__in=Run.ACTIVE)
    if running := runs.first():
        step = next_step("get_scan_status", "Tells how far the scan is.", **site, runId=str(running.pk))
        return Missing(f"{what} The first scan is under way.", step)
    if not Prompt.objects.filter(brand=brand).active().exists():
        step = next_step("generate_prompts", "Writes the questions that a scan asks.", **site, stage="decision")
        return Missing(f"{what} It has no prompts to ask.", step)
    return Missing(
        f"{what} Start a visibility scan.", next_step("run_visibility_scan", "Asks the engines the prompts.", **site)
    )


def _making(brand: Brand, tool: str, **arguments: str) -> Missing | None:
    """Where there is more to read than evidence was made from."""
    stamp, job = stamp_and_job(brand.pk)
    if job is None and not stamp:
        return None
    if job is not None and job.state == BrandEvidence.State.MADE and job.stamp == stamp:
        return None
    if job is not None and job.attempt >= TROUBLED_ATTEMPTS and job.error_message:
        return Missing(
            f"What was read could not be worked through in {job.attempt} attempts; it is tried again.",
            by_people("The operator sees why under “Evidence” in the admin."),
        )
    return Missing(
        "This is being made now from what was read: it takes a minute, or some in a busy service.",
        next_step(tool, "The same call again, in a minute.", siteId=str(brand.pk), **arguments),
    )


def _audit_again(brand: Brand, why: str) -> NextStep:
    return next_step("run_audit_scan", why, siteId=str(brand.pk))


def _of_day(state: AuditState) -> str:
    return f"of {date_format(state.finished.created_at)}" if state.finished else ""


def _pages(stored: Stored[Voice] | Stored[tuple[WeighedClaim, ...]] | None) -> str:
    return counted(stored.pages if stored else 0, "page")
