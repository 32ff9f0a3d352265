"""Reviews and evidence in the staff pages: files of reviews are imported and deleted, evidence is looked at."""

from collections.abc import Sequence
from typing import Any, get_args

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from apikeys.caller import Caller
from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator_caller
from brands.admin import StaffScopedAdmin
from brands.models import Brand
from visibility.models import BrandEvidence, Review, ReviewImport
from visibility.services.reviews.importing import delete_import, delete_review, delete_reviews, import_reviews
from visibility.services.reviews.reader import MAX_FILE, Layout
from visibility.services.reviews.rows import FIELDS, DateOrder


class ImportReviewsForm(forms.Form):
    """A file, and how it is laid out where it does not tell itself."""

    file = forms.FileField(
        help_text="CSV with a review in each line, at most "
        f"{MAX_FILE // 2**20} MB. Its header names the columns: text (or review), and where there are any stars (or "
        "rating), date, url, id and title."
    )
    columns = forms.CharField(
        required=False,
        help_text="Where names do not tell: text=Comment, stars=Points. Of " + ", ".join(FIELDS) + ".",
    )
    header = forms.CharField(
        required=False, help_text="Names of the columns of a file without a header: id, points, text."
    )
    no_quotes = forms.BooleanField(required=False, help_text="Quote marks are letters of the text.")
    encoding = forms.ChoiceField(
        initial="utf-8",
        choices=[("utf-8", "UTF-8, or UTF-16 that says so"), ("cp1252", "Windows (cp1252)"), ("latin-1", "Latin 1")],
    )
    dates = forms.ChoiceField(
        initial="iso",
        choices=[(order, order) for order in get_args(DateOrder)],
        help_text="iso: 2025-05-24 or 24.05.2025. dmy, mdy: how 03/04/2025 is to be read.",
    )

    def clean_columns(self) -> dict[str, str]:
        pairs = [pair.partition("=") for pair in _listed(self.cleaned_data["columns"])]
        if any(field.strip() not in FIELDS or not name.strip() for field, _, name in pairs):
            raise forms.ValidationError(f"Write FIELD=COLUMN, with one of the fields {', '.join(FIELDS)}.")
        return {field.strip(): name for field, _, name in pairs}

    def clean_header(self) -> Sequence[str]:
        return _listed(self.cleaned_data["header"])


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _import(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    layout = Layout(
        values["columns"],
        values["header"],
        quoted=not values["no_quotes"],
        encoding=values["encoding"],
        dates=values["dates"],
    )
    file = values["file"]
    imported = import_reviews(operator_caller(request), brand=brand, stream=file, name=file.name, layout=layout)
    return (
        f"{imported.added:,} reviews added, {imported.changed:,} changed, {imported.known:,} were there already. "
        "Their themes are found by the next worker that is free."
    )


def _delete(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    return f"{delete_reviews(operator_caller(request), brand=brand):,} imported reviews are deleted."


REVIEW_ACTS = (
    Act(
        slug="import-reviews",
        label="Import reviews",
        permission="visibility.add_review",
        explanation="Reviews that buyers wrote, from a file. A review that is there already is not added again; "
        "where one line is bad nothing is imported.",
        perform=_import,
        form=ImportReviewsForm,
        calls_out=True,  # it reads a file for a while, and does its own transaction
    ),
    Act(
        slug="delete-reviews",
        label="Delete reviews",
        permission="visibility.delete_review",
        explanation="All imported reviews of this brand. Those that stand on its own pages are read from there.",
        perform=_delete,
        applies=lambda brand: Review.objects.filter(brand=brand).exists(),
    ),
)
"""What can be done with the reviews of a brand, on its page."""


class _DeletableAdmin(ServiceAdmin, StaffScopedAdmin):
    """Rows to look at and to delete."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Review)
class ReviewAdmin(_DeletableAdmin):
    """Imported reviews. They are added on the page of their brand."""

    list_display = ("text_beginning", "brand", "stars", "day", "source", "line")
    list_filter = ("stars",)
    list_select_related = ("brand", "source")
    search_fields = ("text", "title", "brand__name", "brand__domain", "source__file")

    @admin.display(description="text")
    def text_beginning(self, review: Review) -> str:
        return str(review)

    def remove(self, caller: Caller, obj: Review) -> None:
        delete_review(caller, review=obj)


@admin.register(ReviewImport)
class ReviewImportAdmin(_DeletableAdmin):
    """Files of reviews that were imported; one that is deleted takes its reviews along."""

    list_display = ("file", "brand", "added", "changed", "known", "actor", "created_at")
    list_select_related = ("brand",)
    search_fields = ("file", "brand__name", "brand__domain")
    date_hierarchy = "created_at"

    def remove(self, caller: Caller, obj: ReviewImport) -> None:
        delete_import(caller, batch=obj)


@admin.register(BrandEvidence)
class BrandEvidenceAdmin(ReadOnlyAdmin, StaffScopedAdmin):
    """When the evidence of each brand was made, and why it fails if it does."""

    list_display = ("brand", "state", "made_at", "trouble", "not_before")
    list_filter = ("state",)
    list_select_related = ("brand",)
    search_fields = ("=id", "brand__name", "brand__domain")

    @admin.display(description="trouble")
    def trouble(self, job: BrandEvidence) -> str:
        return f"{job.error_message} ({job.attempt} attempts)" if job.error_message else ""
