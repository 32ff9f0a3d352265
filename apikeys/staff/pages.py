"""Where in the staff pages something is mended: addresses for commands, which have no request."""

from django.db.models import Model
from django.urls import reverse


def page_of(row: Model) -> str:
    """The path of the page on which this row is changed."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def list_of(model: type[Model]) -> str:
    """The path of the list of all rows of this kind."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def adding(model: type[Model]) -> str:
    """The path of the form that makes one of this kind."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
