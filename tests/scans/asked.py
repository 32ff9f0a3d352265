"""Asking engines without a run: what is asked, and what came of it."""

from asgiref.sync import async_to_sync

from visibility.engines.protocol import Question
from visibility.jobs.lease import LeaseState
from visibility.pipeline.ask.items import Pending
from visibility.pipeline.ask.session import Terms, ask_all


def ask(pending, *engines, store=None, lease_state=lambda: LeaseState.WORKING, terms=None):
    """Ask all, and give what came of each question in the end: without the calls that were made again."""
    stored = []
    async_to_sync(ask_all)(pending, engines, store or stored.extend, lease_state, terms or Terms())
    return [each for each in stored if not each.again]


def questions(engine, *texts):
    """These questions for the engine of this name, numbered."""
    return {engine: [Pending(number, Question(text)) for number, text in enumerate(texts)]}


def codes(stored):
    """The error of each question in their order, None for those that were answered."""
    return [getattr(each.outcome, "code", None) for each in sorted(stored, key=lambda each: each.answer_id)]
