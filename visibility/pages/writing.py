"""Briefs and drafts: writing one for a thing to do, and reading it."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from apikeys.errors import ServiceError
from apikeys.text import QUOTE_NOTICE
from visibility.content.reads import readable_draft
from visibility.content.resources import draft_resource
from visibility.content.services import prepare_draft
from visibility.pages.answer_text import answer_html
from visibility.pages.forms import IdForm
from visibility.pages.frame import Visit, act, brand_page


@brand_page
def draft(visit: Visit, draft_id: UUID) -> HttpResponse:
    """A brief or draft with what it rests on."""
    try:
        found = draft_resource(readable_draft(visit.brand, draft_id))
    except ServiceError as refusal:
        raise Http404 from refusal
    is_brief = found.writer.kind == "brief"
    copied = f"{QUOTE_NOTICE}\n\n{found.markdown.marked}" if is_brief else found.markdown
    text = answer_html(found.markdown, ())
    return visit.show("draft.html", "todo", draft=found, is_brief=is_brief, text=text, copied=copied)


def _write(visit: Visit, values: dict[str, Any]) -> str:
    prepare_draft(visit.caller, brand_id=visit.brand.pk, opportunity_id=f"recommendation:{values['id']}")()
    return gettext("It is written: you find it below.")


write_act = act(_write, lambda visit, values: visit.address("brand-todo-item", values["id"]), IdForm)
