"""`manage.py engines`: what can be asked, and what a real question gives."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.runs.conftest import make_engine
from visibility.models import ProviderCall

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("engines", *arguments, stdout=out)
    return out.getvalue()


def test_the_list_names_the_missing_variable_else_the_provider(monkeypatch):
    make_engine("gpt")
    assert "gpt: asked through OpenAI" in printed()
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "gpt: OPENAI_API_KEY is not set" in printed()


def test_a_check_says_what_came_back_and_is_in_the_ledger(provider):
    make_engine("gpt", address=provider, search=True)
    text = printed("check", "--engine", "gpt")
    assert "gpt (" in text and "answered with" in text and "1 sources, 1 searches" in text
    assert ProviderCall.objects.get().outcome == "answered"


def test_a_check_that_is_refused_says_why_and_costs_nothing(provider):
    make_engine("gpt", model="gpt-5?key=another", address=provider)
    with pytest.raises(CommandError, match="1 of 1 engines did not answer"):
        printed("check", "--engine", "gpt")
    call = ProviderCall.objects.get()
    assert (call.outcome, call.error_code, call.cost) == ("failed", "auth", None)
