"""Drafts in the staff pages, to look at."""

from django.contrib import admin
from django.urls import reverse

from apikeys.staff.base import ReadOnlyAdmin
from brands.admin import StaffScopedAdmin
from visibility.models import ContentDraft


@admin.register(ContentDraft)
class ContentDraftAdmin(ReadOnlyAdmin, StaffScopedAdmin):
    """Pages that were written for brands."""

    list_display = ("title", "brand", "topic", "format", "written_by", "created_by", "created_at")
    list_filter = ("format",)
    list_select_related = ("brand",)
    search_fields = ("=id", "title", "topic", "brand__name", "brand__domain")
    date_hierarchy = "created_at"

    def view_on_site(self, obj: ContentDraft) -> str:
        """The draft with its checks."""
        return reverse("draft-page", args=[obj.pk])

    @admin.display(description="writer")
    def written_by(self, draft: ContentDraft) -> str:
        return str(draft.writer.get("name", ""))
