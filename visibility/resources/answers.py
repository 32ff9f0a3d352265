"""One answer as it is shown: its words, who is named where, and what it cites."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, SerializationInfo, field_serializer

from apikeys.resources import FOR_AGENTS, Resource, Timestamp, UntrustedText
from apikeys.text.untrusted import places_in_marked
from visibility.detection.types import SourceClass

OLDER_STANCES = {"neutral": "unknown"}
"""What stances were called by detectors before 7, whose rows are read until history is scored again."""


def _current(stance: Any) -> Any:
    return OLDER_STANCES.get(stance, stance)


StanceName = Annotated[
    Literal["recommended", "cautioned", "rejected", "not_found", "unknown"], BeforeValidator(_current)
]


class Span(Resource):
    """A place in the text of the answer, in characters: `start` is the first, `end` behind the last."""

    start: int
    end: int

    def moved(self, places: dict[int, int]) -> Self:
        """The same place in another rendering of the text."""
        return self.model_copy(update={"start": places[self.start], "end": places[self.end]})


class MentionSpan(Span):
    """A name in the answer."""

    competitor: UUID | None = Field(description="null: the site itself")
    name: str = Field(description="of the site or competitor")
    rank: int | None = Field(
        description="place among what the answer offers, 1 for the first; null: not offered, or not to be told"
    )
    stance: StanceName


class AnswerCitation(Resource):
    """A source that the answer cites, and the places that it supports."""

    url: UntrustedText
    domain: UntrustedText
    title: UntrustedText
    cls: SourceClass = Field(alias="class", description="what kind of site the source is")
    competitor: UUID | None = Field(description="whose page it is, if a competitor's")
    spans: list[Span]


class AnswerResource(Resource):
    """An answer; its text may be cut, and places lie in the text as it is given here."""

    id: UUID
    run: UUID
    engine: str
    version: int = Field(description="number of the wording that was asked")
    sample: int = Field(description="1 for the first time that the wording was asked in the run")
    answered_at: Timestamp | None
    served_model: UntrustedText
    searched: bool | None = Field(description="whether the engine searched the web; null: it does not tell")
    refused: bool = Field(description="the model declined, or a filter held the answer back: it names nobody")
    named: bool = Field(description="whether it names the site")
    text: UntrustedText
    length: int = Field(description="characters of the whole answer; the text given here may be its beginning")
    mentions: list[MentionSpan]
    citations: list[AnswerCitation]

    @field_serializer("mentions")
    def _mentions(self, mentions: list[MentionSpan], info: SerializationInfo) -> list[MentionSpan]:
        if info.context != FOR_AGENTS:
            return mentions
        places = self._places(mentions)
        return [mention.moved(places) for mention in mentions]

    @field_serializer("citations")
    def _citations(self, citations: list[AnswerCitation], info: SerializationInfo) -> list[AnswerCitation]:
        if info.context != FOR_AGENTS:
            return citations
        places = self._places(span for citation in citations for span in citation.spans)
        return [
            citation.model_copy(update={"spans": [span.moved(places) for span in citation.spans]})
            for citation in citations
        ]

    def _places(self, spans: Iterable[Span]) -> dict[int, int]:
        return places_in_marked(self.text, (offset for span in spans for offset in (span.start, span.end)))
