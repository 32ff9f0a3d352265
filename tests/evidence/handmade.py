"""Evidence of every kind, made by hand, and pages, answers and reviews to make it from."""

from datetime import UTC, date, datetime

from tests.audit.stored import audited
from visibility.audit.page import Block, ParsedPage
from visibility.detection.types import BRAND
from visibility.evidence.types import (
    Backing,
    Claim,
    ClaimKind,
    Criterion,
    EnginesSay,
    Polarity,
    Quote,
    Theme,
    Trait,
    Voice,
    VoiceFigure,
    WeighedClaim,
    Winner,
)
from visibility.measured.evidence import CLAIMS, CRITERIA, THEMES, VOICE, as_stored
from visibility.measured.page_facts import page_as_bytes
from visibility.models import AuditPage, BrandEvidence, Evidence, PageContent, Review, ReviewImport

HOME = "https://acme.example/"
DAY = date(2026, 3, 10)
ANSWER = "00000000-0000-4000-8000-00000000000a"


def page_quote(text="Acme anvils weigh 40 kg.", **more):
    place = {"source": "page", "offset": 12, "rule": "quantified.number", "url": HOME, "path": ("Anvils", "Weight")}
    return Quote(text=text, **{**place, **more})


def answer_quote(text="Acme anvils are heavy.", **more):
    place = {"source": "answer", "offset": 3, "rule": "lead.bold", "answer": ANSWER, "engine": "chat"}
    return Quote(text=text, **{**place, **more})


def review_quote(text="It never moved.", **more):
    place = {"source": "review", "offset": 0, "rule": "theme.sentence", "review": "r1", "url": ""}
    return Quote(text=text, **{**place, **more})


def voice(quote=None, words=1_200):
    figures = (VoiceFigure(Trait.SENTENCE_LENGTH, 14.2, "words", (quote or page_quote(),)),) if words >= 1_000 else ()
    return Voice(words=words, pages=3, language="en", figures=figures, calls=(page_quote("Buy now"),))


def claim(text="Acme anvils weigh 40 kg.", ours=None, against=None):
    made = Claim(text, ClaimKind.QUANTIFIED, Backing.NUMBER, (ours or page_quote(text),))
    return WeighedClaim(
        made, EnginesSay.CONTRADICTED, 5, (answer_quote(),), (against or answer_quote("They weigh 30."),)
    )


def theme(label="weight", quote=None):
    return Theme(label, 9, 30, Polarity.POSITIVE, False, 4.5, "steady", 2, (quote or review_quote(),))


def criterion(label="Weight", *, topics=(("anvils", 3),), subject=BRAND, quote=None):
    winner = Winner(subject, 2, quote or answer_quote())
    return Criterion(
        label, (label.lower(),), 3, 5, ("chat", "search"), 2, topics, (winner,), (quote or answer_quote(),)
    )


def store(brand, kind, content, *, topic="", **read):
    """Evidence as the pipeline leaves it behind."""
    adapter = {"voice": VOICE, "claims": CLAIMS, "themes": THEMES, "criteria": CRITERIA}[kind]
    read = {"pages": 3, "reviews": 30, "answers": 40, "used": 5, "as_of": DAY, **read}
    return Evidence.objects.create(brand=brand, kind=kind, topic=topic, content=as_stored(adapter, content), **read)


def made(brand, **more):
    """The job of evidence that was made; its stamp is not that of now."""
    values = {"state": "made", "version": 1, "stamp": "x", "made_at": datetime(2026, 3, 11, tzinfo=UTC), **more}
    return BrandEvidence.objects.update_or_create(brand=brand, defaults=values)[0]


def page(path="", text="Acme makes anvils. They weigh 40 kg.", **more):
    blocks = (Block("paragraph", text, 0),)
    return ParsedPage(
        url=f"{HOME}{path}", kind="home", kind_because="it is the first", content_hash=path or "home", html_bytes=100,
        words=len(text.split()), visible_words=len(text.split()), main_text=text, lang_detected="en", blocks=blocks,
        **more,
    )  # fmt: skip


def read_pages(brand, *pages, day=0):
    """A finished audit that read these pages."""
    run = audited(brand, day=day)
    for position, parsed in enumerate(pages):
        content = PageContent.objects.create(
            brand=brand, key=f"{day}/{position}/{run.pk}", parsed=True, facts=page_as_bytes(parsed)
        )
        AuditPage.objects.create(
            run=run, url=parsed.url, position=position, state="fetched", found_by="home", content=content
        )
    return run


def reviewed(brand, *texts, **more):
    """An import of these reviews."""
    batch = ReviewImport.objects.create(brand=brand, file="reviews.csv", added=len(texts))
    for number, text in enumerate(texts):
        Review.objects.create(brand=brand, source=batch, key=f"{batch.pk}-{number}", text=text, line=number, **more)
    return batch
