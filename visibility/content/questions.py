"""The questions of buyers: what they are made of, and the checks that each passes, whoever wrote it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from django.template import Context, Engine
from pydantic import BaseModel, Field, ValidationError

from apikeys.resources import Worded
from apikeys.text import QUOTE_NOTICE, clean, marked
from brands.models import Brand
from visibility.answers.detect import Reader
from visibility.audit import ParsedPage
from visibility.content.opportunities import Ground
from visibility.content.resources import RefusedPrompt
from visibility.content.words import Language, language_of, language_of_locale
from visibility.evidence.gathering import own_pages
from visibility.evidence.pages import sentences_of
from visibility.models import Prompt, Review
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC, Stage
from visibility.prompts.services import prompt_digest

DEFAULT_COUNT = 10
LONGEST_QUESTION, LEAST_WORDS = 200, 3
LONGEST_REPLY = 20_000
MOST_ASKED, MOST_SEARCHES, MOST_REVIEWS, MOST_SENTENCES, LONGEST_SHOWN = 20, 20, 10, 20, 300
_SENTENCE_END = re.compile(r"[.!?]\s+\S")


class WrittenPrompt(BaseModel):
    """One question as an engine or an assistant writes it."""

    text: str
    topic: str = ""


class WrittenPrompts(BaseModel):
    """What they write."""

    prompts: list[WrittenPrompt] = Field(min_length=1, max_length=200)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What prompts are wanted. `topic`: the name of a topic, empty for any; `reply`: what an assistant wrote."""

    count: int = DEFAULT_COUNT
    topic: str = ""
    stage: Stage | None = None
    persona: str = ""
    locale: str = ""
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question, its topic, and where it is from."""

    text: str
    topic: str
    because: str


@dataclass(frozen=True)
class Material:
    """What questions are made of and checked by."""

    ground: Ground
    wishes: Wishes

    @property
    def brand(self) -> Brand:
        """Whose they are."""
        return self.ground.brand

    @cached_property
    def topics(self) -> list[str]:
        """The topics that a question may have; none: any, as nothing was asked yet."""
        return [self.wishes.topic] if self.wishes.topic else sorted(each.name for each in self.ground.topics.values())

    @cached_property
    def asked(self) -> list[tuple[str, str]]:
        """Text and locale of all prompts, archived ones too."""
        rows = Prompt.objects.filter(brand=self.brand).tracked().order_by("archived_at", "created_at")
        return list(rows.values_list("text", "locale"))

    @cached_property
    def pages(self) -> list[ParsedPage]:
        """What was read of the site."""
        return own_pages(self.brand)

    @cached_property
    def searches(self) -> Counter[tuple[str, str]]:
        """In how many answers engines made a search, by text and topic."""
        topics = {pk: topic.name for pk, topic in self.ground.topics.items()}
        found = Counter[tuple[str, str]]()
        rows = self.ground.now.answers.exclude(searches=[]).values_list("searches", "prompt__topic")
        for searches, topic in rows:
            if topics.get(topic) and self.wishes.topic in ("", topics[topic]):
                found.update({(" ".join(search.split()), topics[topic]) for search in searches})
        return found

    @cached_property
    def language(self) -> Language:
        """That of the locale that is wished, else of the prompts, else of what the site says."""
        if wished := language_of_locale(self.wishes.locale):
            return Language(wished)
        said = [text for text, _ in self.asked[:MOST_ASKED]] or self._said
        return Language(language_of(" ".join([*said, self.brand.description])))

    @cached_property
    def _said(self) -> list[str]:
        titles = [title.text for page in self.pages for title in page.titles]
        texts = [*titles, *(each.text for each in sentences_of(self.pages))]
        return [text for text in dict.fromkeys(texts) if len(text.split()) >= LEAST_WORDS][:MOST_SENTENCES]

    @cached_property
    def task(self) -> Worded | None:
        """What a writer is asked, texts of others cut; None where nothing is known to write from."""
        if not (self.brand.description or self.topics or self.asked or self._said):
            return None
        return Worded(self._filled(str), self._filled(marked))

    def _filled(self, shown: Callable[[str], str]) -> str:
        def lines(texts: Iterable[str]) -> list[str]:
            return [shown(" ".join(text.split())[:LONGEST_SHOWN]) for text in texts]

        prompts = Prompt.objects.filter(brand=self.brand).active().exclude(topic__own=False).order_by("created_at")
        reviews = Review.objects.filter(brand=self.brand).order_by("-pk").values_list("text", flat=True)
        facts = {
            "count": self.wishes.count,
            "brand": shown(self.brand.name),
            "domain": shown(self.brand.domain),
            "language": self.language.name.capitalize(),
            "stage": self.wishes.stage,
            "persona": shown(self.wishes.persona) if self.wishes.persona else "",
            "notice": QUOTE_NOTICE if shown is marked else "",
            "description": shown(self.brand.description) if self.brand.description else "",
            "topics": lines(self.topics),
            "asked": lines(prompts.values_list("text", flat=True)[:MOST_ASKED]),
            "searches": lines(text for (text, _), _ in self.searches.most_common(MOST_SEARCHES)),
            "reviews": lines(reviews[:MOST_REVIEWS]),
            "pages": lines(self._said),
        }
        template = Engine.get_default().get_template("content/prompts.md")
        return template.render(Context(facts, autoescape=False)).strip()

    def check(self, candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[RefusedPrompt]]:
        """The questions that buyers may ask, and the others with the reason."""
        good: list[Candidate] = []
        refused: list[RefusedPrompt] = []
        known = {prompt_digest(text, locale if self.wishes.locale else "") for text, locale in self.asked}
        said = {self.language.telling(text) for text, _ in self.asked if not self.wishes.locale}
        reader = Reader(self.brand)
        for each in candidates:
            words, digest = self.language.telling(each.text), prompt_digest(each.text, self.wishes.locale)
            if digest in known or words in said:
                refused.append(RefusedPrompt(text=clean(each.text), reason="it is a prompt already"))
            elif reason := self._problem(each, reader):
                refused.append(RefusedPrompt(text=clean(each.text)[:LONGEST_PROMPT], reason=reason))
            else:
                known.add(digest)
                said.add(words)
                good.append(each)
        return good, refused

    def _problem(self, candidate: Candidate, reader: Reader) -> str | None:
        """Why buyers would not ask this; None: they may."""
        text = candidate.text
        names = self.brand.names.values_list("text", flat=True)
        if (
            len(text.split()) < LEAST_WORDS
            or len(text) > LONGEST_QUESTION
            or clean(text) != text
            or text.endswith(":")
        ):
            return f"it is no question of {LEAST_WORDS} words to {LONGEST_QUESTION} characters"
        if reader.names_in(text) or any(name.casefold() in text.casefold() for name in names):
            return "it names a brand: such prompts never count"
        if text.count("?") > 1 or ";" in text or _SENTENCE_END.search(text):
            return "it asks for more than one thing"
        if language_of(text, self.language.name) != self.language.name:
            return f"it is not in {self.language.name.capitalize()}, the language of what is there"
        if self.topics and candidate.topic not in self.topics:
            return f"its topic is none of the site's: {candidate.topic[:60]}"
        return None

    def of_searches(self) -> list[Candidate]:
        """Searches that a person may have typed, the most frequent first."""
        return [
            Candidate(text, topic, f"engines searched for it in {number} answer{'s' * (number != 1)}")
            for (text, topic), number in sorted(self.searches.items(), key=lambda each: (-each[1], each[0]))
            if not {'"', ":"} & set(text) and self.language.reads_like_speech(text)
        ]

    def of_reply(self) -> list[Candidate]:
        """The questions of an assistant's reply: JSON, or one a line."""
        reply = self.wishes.reply[:LONGEST_REPLY]
        try:
            found = WrittenPrompts.model_validate_json(reply[reply.find("{") : reply.rfind("}") + 1]).prompts
        except ValidationError:
            found = [WrittenPrompt(text=line.strip().lstrip("-*•0123456789.) ")) for line in reply.splitlines()]
        return self.candidates(found, "written by your assistant")

    def candidates(self, written: Iterable[WrittenPrompt], because: str) -> list[Candidate]:
        """What was written, in one line each; a single topic is that of all."""
        only = self.topics[0] if len(self.topics) == 1 else ""
        rows = ((" ".join(each.text.split()), " ".join(each.topic.split())[:LONGEST_TOPIC]) for each in written)
        return [Candidate(text, only or topic, because) for text, topic in rows if text]
