"""Answers as they came, and what was detected in them. What is detected can be detected again at any time."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from brands.models import LONGEST_NAME, Brand, Competitor
from brands.querysets import BrandScoped, BrandScopedQuerySet
from visibility.detection import Stance
from visibility.models.engines import Engine, Surface
from visibility.models.prompts import LONGEST_MARKET, MARKET, Prompt, PromptVersion, country_of
from visibility.models.runs import Run

WORD_SIGNS = r"""!"#$&()*+,-./:;<=>?@[\]^_`{|}~"""
"""The signs of ASCII that separate words; the index itself splits at all others."""
_ADDRESS = r"https?://[^\s()<>\]]+"
_NO_ADDRESS = models.Func(
    F("text"), models.Value(_ADDRESS), models.Value(" "), models.Value("g"), function="regexp_replace"
)
SPACED_TEXT = models.Func(
    _NO_ADDRESS,
    models.Value(WORD_SIGNS),
    models.Value(" " * len(WORD_SIGNS)),
    function="translate",
    output_field=models.TextField(),
)
"""A text without addresses, and with spaces for signs: else the index takes "cameras.Subscription" for one word."""


class AnswerState(models.TextChoices):
    """How far an answer is. Absent: the surface showed no AI answer, which is a result, no failure."""

    PENDING = "pending"
    ANSWERED = "answered"
    ABSENT = "absent"
    FAILED = "failed"


FOR_A_COUNTRY = Q(market__regex="-[A-Z]{2}$")
"""The condition for answers that were asked for with a country."""


class AnswerQuerySet(BrandScopedQuerySet):
    """Answers in the words of those who work with them."""

    def answered(self) -> "AnswerQuerySet":
        """Those that have a text."""
        return self.filter(state=AnswerState.ANSWERED)

    def absent(self) -> "AnswerQuerySet":
        """Those for which no AI answer was shown."""
        return self.filter(state=AnswerState.ABSENT)

    def in_market(self) -> "AnswerQuerySet":
        """Without those that `is_elsewhere`: which engines gave for another country than was asked for."""
        return self.exclude(FOR_A_COUNTRY & ~Q(country="") & ~Q(market__endswith=F("country")))

    def pending(self) -> "AnswerQuerySet":
        """Those that are still to be asked."""
        return self.filter(state=AnswerState.PENDING)


class Answer(models.Model):
    """One wording asked once of one engine: planned as pending, then answered, absent or failed.

    `names_version` is that of the brand's names with which the answer was read; 0: not read yet.
    """

    State = AnswerState

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="answers", db_index=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="answers", db_index=False)
    day = models.DateField(help_text="the UTC day that it counts for")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="answers", db_index=False)
    version = models.ForeignKey(PromptVersion, on_delete=models.CASCADE, related_name="answers")
    engine = models.ForeignKey(Engine, on_delete=models.PROTECT, related_name="+")
    surface = models.CharField(max_length=12, choices=Surface.choices)
    sample = models.PositiveIntegerField(default=1, help_text="1 for the first time the wording is asked")
    position = models.PositiveIntegerField(help_text="order of asking within the run")
    state = models.CharField(max_length=10, choices=AnswerState.choices, default=AnswerState.PENDING)
    text = models.TextField(blank=True)
    sources = models.JSONField(default=list, help_text="citations as the engine gave them: url and title")
    searched = models.BooleanField(null=True, help_text="whether the engine searched the web; null: not known")
    searches = models.JSONField(default=list, help_text="what it searched for")
    unknown_parts = models.JSONField(default=list, help_text="what its body held that nobody can read yet")
    truncated = models.BooleanField(default=False)
    refused = models.BooleanField(default=False, help_text="the model declined: an answer without a mention")
    served_model = models.CharField(max_length=100, blank=True)
    market = models.CharField(max_length=LONGEST_MARKET, blank=True, default="", db_default="", help_text=MARKET)
    country = models.CharField(max_length=2, blank=True, help_text="whose answer it is, as the engine says")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="calls that failed")
    not_before = models.DateTimeField(null=True, help_text="when it may be asked again")
    latency_ms = models.PositiveIntegerField(null=True)
    answered_at = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.CharField(max_length=500, blank=True)
    import_key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null: not imported
    names_version = models.PositiveIntegerField(default=0)
    words = models.GeneratedField(
        expression=SearchVector(SPACED_TEXT, config="simple"), output_field=SearchVectorField(), db_persist=True
    )

    objects = AnswerQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "version", "engine", "surface", "sample"], name="answer_once_per_sample"
            ),
            models.UniqueConstraint(fields=["run", "position"], name="answer_position_once_per_run"),
            models.UniqueConstraint(fields=["import_key"], name="answer_import_key_once"),
            models.CheckConstraint(condition=Q(sample__gte=1), name="answer_sample_from_one"),
        ]
        indexes = [
            models.Index(fields=["prompt", "-answered_at"], name="answer_prompt_newest"),
            models.Index(
                fields=["brand", "names_version"], condition=Q(state="answered"), name="answer_brand_names_version"
            ),
            models.Index(fields=["brand", "day"], name="answer_brand_day"),
            models.Index(fields=["run", "id"], condition=Q(state="pending"), name="answer_pending"),
            GinIndex(fields=["words"], name="answer_words"),
        ]

    def __str__(self) -> str:
        return f"{self.engine} #{self.sample}: {self.state}"

    @property
    def is_absent(self) -> bool:
        """Whether no AI answer was shown."""
        return self.state == AnswerState.ABSENT

    @property
    def is_elsewhere(self) -> bool:
        """Whether the engine says that it answered for another country than was asked for: it counts for neither."""
        asked = country_of(self.market)
        return bool(asked and self.country) and asked != self.country


class RawBody(BrandScoped):
    """The provider's body of an answer as it came, deleted after 90 days."""

    brand_path = "answer__brand"

    answer = models.OneToOneField(Answer, on_delete=models.CASCADE, primary_key=True, related_name="raw_body")
    body = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{len(self.body)} bytes"


class Preference(BrandScoped):
    """Whom an answer of a comparison prefers, and by which words: offsets of characters in the raw text."""

    class Side(models.TextChoices):
        BRAND = "brand"
        COMPETITOR = "competitor"
        NOBODY = "nobody"

    brand_path = "answer__brand"

    answer = models.OneToOneField(Answer, on_delete=models.CASCADE, primary_key=True, related_name="preference")
    side = models.CharField(max_length=10, choices=Side.choices)
    rule = models.CharField(max_length=20)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.side} ({self.rule})"


class MentionQuerySet(BrandScopedQuerySet):
    """Mentions in the words of those who count them."""

    def visible(self) -> "MentionQuerySet":
        """Those that do more than say that the answer knows nothing of the name."""
        return self.exclude(stance=Stance.NOT_FOUND)

    def first_named(self) -> "MentionQuerySet":
        """Of these, those before which their answer mentions nobody else who is tracked."""
        earlier = Mention.objects.filter(answer=OuterRef("answer"), start__lt=OuterRef("start")).visible()
        return self.visible().filter(~Exists(earlier))


class Mention(models.Model):
    """A name in the visible prose of an answer: of the brand (competitor null) or of a competitor.

    All places are character offsets into the raw text. A subject whose stance is `not_found` is not visible.
    """

    brand_path = "answer__brand"

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="mentions", db_index=False)
    competitor = models.ForeignKey(
        Competitor, on_delete=models.CASCADE, null=True, related_name="mentions", db_index=False
    )
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    rank = models.PositiveSmallIntegerField(null=True, help_text="1 for the first pick; null: not offered")
    rule = models.CharField(max_length=20)
    rank_rule = models.CharField(max_length=20, blank=True)
    stance = models.CharField(max_length=12)
    quote_start = models.PositiveIntegerField()
    quote_end = models.PositiveIntegerField()

    objects = MentionQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "start"]
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "start", "competitor"], nulls_distinct=False, name="mention_once_per_place"
            ),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="mention_not_empty"),
        ]
        indexes = [models.Index(fields=["competitor", "answer"], name="mention_competitor")]

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


class Citation(BrandScoped):
    """A page that an answer cites: one row for each canonical URL, with its owner and the class of its site."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="citations", db_index=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="citations", db_index=False)
    day = models.DateField()
    url = models.TextField()
    digest = models.BinaryField(max_length=16, help_text="BLAKE2b of the URL")
    domain = models.CharField(max_length=253, help_text="registrable domain")
    title = models.CharField(max_length=500, blank=True)
    position = models.PositiveSmallIntegerField()
    source_class = models.CharField(max_length=12)
    is_own = models.BooleanField(default=False)
    competitor = models.ForeignKey(Competitor, on_delete=models.SET_NULL, null=True, related_name="citations")

    class Meta:
        ordering = ["answer", "position"]
        constraints = [models.UniqueConstraint(fields=["answer", "digest"], name="citation_once_per_answer")]
        indexes = [models.Index(fields=["brand", "domain", "day"], name="citation_brand_domain_day")]

    def __str__(self) -> str:
        return self.url


class UntrackedNameQuerySet(BrandScopedQuerySet):
    """Untracked names in the words of those who count them."""

    def offered(self) -> "UntrackedNameQuerySet":
        """Those that lead entries."""
        return self.filter(is_offered=True)

    def mentions(self) -> "UntrackedNameQuerySet":
        """Places where a watched company is mentioned, whether it is offered there or not."""
        return self.filter(is_offered=False)


class UntrackedName(models.Model):
    """A name in an answer that is nobody's who is tracked; only the share of voice's untracked share counts it.

    Offered: the whole name that leads an entry ("Apple iPhone SE"). Not offered: a place where the detector finds a
    watched company ("Apple"), by the same rules as if it were tracked.
    """

    brand_path = "answer__brand"

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="untracked_names", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    domain = models.CharField(max_length=253, blank=True, help_text="a cited domain that is called so")
    is_offered = models.BooleanField(default=True)

    objects = UntrackedNameQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "start"]
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "start", "is_offered", "name"], name="untracked_name_once_per_place"
            )
        ]

    def __str__(self) -> str:
        return self.name


class WatchedName(BrandScoped):
    """A company that answers of now offer and nobody tracks. Every answer of the brand from the day `since` on that
    was read was read for it, too. Without `is_name` it is not: the answers show that it is a word."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="watched_names")
    name = models.CharField(max_length=LONGEST_NAME)
    domain = models.CharField(max_length=253, blank=True, help_text="a cited domain that is called so")
    since = models.DateField()
    is_name = models.BooleanField(default=True)

    class Meta:
        ordering = ["brand", "name"]
        constraints = [models.UniqueConstraint(fields=["brand", "name"], name="watched_name_once")]

    def __str__(self) -> str:
        return self.name
