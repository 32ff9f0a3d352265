"""The web page of a draft: its checks and gaps, its text to edit and copy, files to take along."""

from collections.abc import Mapping
from typing import Any, get_args
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.errors import ErrorCode, ServiceError
from visibility.pages.acts import person, problems, raise_404_if_missing, reader
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.links import link_to
from visibility.services.content.editing import ExportFormat, edit_draft, exported
from visibility.services.content.opportunities import draft_of
from visibility.services.content.sentences import JudgedSentence, judged_sentences
from visibility.writers.markup import gaps_in
from visibility.writers.publishing import as_preview
from visibility.writers.statements import Fault

CHANGES = {"+": "added", "-": "removed", "@": "place"}
"""The kinds of lines of a diff by their first letter."""
FAULTS: Mapping[Fault, str] = {
    Fault.BARE: "has no source",
    Fault.UNKNOWN: "names a source that this draft does not have",
    Fault.UNSUPPORTED: "says what its source does not",
    Fault.UNATTRIBUTED: "gives words of others as the brand’s own",
}


class EditForm(forms.Form):
    """The whole text anew; the service checks it. `version` is the one that was read."""

    title = forms.CharField(required=False)
    markdown = forms.CharField(required=False, strip=False, label="Text")
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


@require_safe
@login_required
@snapshot()
def draft_page(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """One draft: what is still to do, its text to edit and copy, how it differs from a page, its sources."""
    return _page(request, draft_id)


@require_POST
@login_required
def edit(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Keep another text. What is refused stays in the form, with the reason; nothing is overwritten unseen."""
    form = EditForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
        return _page(request, draft_id, request.POST, status=400)
    try:
        with raise_404_if_missing():
            edit_draft(person(request), draft_id=draft_id, **form.cleaned_data)
    except ServiceError as refusal:
        messages.error(request, refusal.message)
        return _page(request, draft_id, request.POST, status=409 if refusal.code == ErrorCode.CONFLICT else 400)
    messages.success(request, "The draft is saved, and was checked again.")
    return redirect("draft-page", draft_id=draft_id)


@require_safe
@login_required
def download(request: HttpRequest, draft_id: UUID, format: str) -> HttpResponse:
    """The draft as a file."""
    if format not in get_args(ExportFormat):
        raise Http404
    with raise_404_if_missing():
        file = exported(reader(request), draft_id=draft_id, format=format)
    return HttpResponse(
        file.body,
        content_type=file.content_type,
        headers={"Content-Disposition": f'attachment; filename="{file.filename}"'},
    )


def _page(request: HttpRequest, draft_id: UUID, typed: Any = None, status: int = 200) -> HttpResponse:
    """The page; `typed` are the fields of a form that was refused."""
    with raise_404_if_missing():
        draft = draft_of(reader(request), draft_id=draft_id)
        sentences = judged_sentences(reader(request), draft_id=draft_id)
    frame = brand_frame(request, draft.site)
    context = frame.context(
        "content-page",
        draft=draft,
        # Safe: the renderer escapes all that is no Markdown, and lets links lead to the web alone.
        preview=mark_safe(as_preview(draft.markdown)),  # noqa: S308
        failing=[check for check in draft.checks if not check.passed],
        passing=[check for check in draft.checks if check.passed],
        sentences=[(sentence, _fault(sentence)) for sentence in sentences],
        sound=sum(sentence.fault is None for sentence in sentences),
        gaps=gaps_in(draft.markdown),
        sources=[(source, link_to(source.url)) for source in draft.sources],
        revised=link_to(draft.page_url),
        diff=[(CHANGES.get(line[:1], "same"), line) for line in (draft.diff or "").splitlines()[2:]],
        may_write=frame.may_edit,
        typed=typed,
    )
    return render(request, "visibility/draft_page.html", context, status=status)


def _fault(sentence: JudgedSentence) -> str:
    return FAULTS[sentence.fault] if sentence.fault else ""


_DRAFT = "drafts/<uuid:draft_id>"
urlpatterns = [
    path(_DRAFT, draft_page, name="draft-page"),
    path(f"{_DRAFT}/edit", edit, name="edit-draft"),
    path(f"{_DRAFT}/<str:format>", download, name="download-draft"),
]
