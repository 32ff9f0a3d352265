"""Rows of tables for what the API shows within another object: its fields, and before them what the row is of."""

from datetime import date as Date
from uuid import UUID

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan
from visibility.resources.brands import EngineScore
from visibility.resources.prompts import NamedIn
from visibility.resources.topics import TopicSubject


class _OfDay(Resource):
    date: Date


class _OfPrompt(Resource):
    prompt: UUID
    text: UntrustedText
    topic: UntrustedText


class _OfQuestion(Resource):
    prompt: UUID
    question: UntrustedText
    locale: str


class _OfAnswer(Resource):
    answer: UUID
    run: UUID
    prompt: UUID
    engine: str
    answered_at: Timestamp | None


class _OfTopic(Resource):
    topic: UntrustedText
    prompts: int


# Fields of a base that stands behind come first.


class EngineOfDay(EngineScore, _OfDay):
    """The figures of one engine on one measured day."""


class ResultOfPrompt(NamedIn, _OfPrompt):
    """In how many answers of one engine to a prompt the brand is named."""


class AskedAnswer(AnswerResource, _OfQuestion):
    """A whole answer with the question that was asked."""


class MentionOfAnswer(MentionSpan, _OfAnswer):
    """A name in an answer."""


class CitationOfAnswer(AnswerCitation, _OfAnswer):
    """A source of an answer."""


class SubjectOfTopic(TopicSubject, _OfTopic):
    """How one brand stands on one topic."""
