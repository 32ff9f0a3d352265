"""The locale of a question is that of its version: what was asked, and what history is measured by, never changes."""

import pytest

from visibility.models import Run
from visibility.pipeline.ask.items import pending_by_engine
from visibility.services.prompts.editing import PromptDraft, add_prompts, edit_prompt
from visibility.services.scans.starting import start_scan

pytestmark = pytest.mark.django_db


def test_a_locale_that_changes_after_the_start_is_not_the_one_that_is_asked(cast, owner, engines):
    [prompt] = add_prompts(owner, brand=cast.brand, drafts=[PromptDraft("which crm?", locale="en-gb")]).created
    run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.WEB, samples=1).run
    edit_prompt(owner, prompt=prompt, locale="de-AT")
    [pending] = pending_by_engine(run)["steady"]
    assert (pending.question.text, pending.question.locale) == ("which crm?", "en-GB")
