"""Who may see what. Permission is a property of the query: a row that is not visible is not there."""

from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Q

from apikeys.caller import Caller
from apikeys.models import User


class BrandQuerySet(models.QuerySet[Any]):
    """Brands. The doors use `visible_to`; services that also commands call use `for_caller`."""

    def visible_to(self, user: User) -> Self:
        """Brands that `user` owns or collaborates on. Never wider, also not for staff and superusers."""
        shared = self.model._meta.get_field("collaborators").related_model.objects.filter(user=user)
        return self.filter(Q(owner=user) | Q(pk__in=shared.values("brand")))

    def editable_by(self, user: User) -> Self:
        """Brands that `user` owns or collaborates on as an editor."""
        shared = self.model._meta.get_field("collaborators").related_model.objects.filter(user=user, role="editor")
        return self.filter(Q(owner=user) | Q(pk__in=shared.values("brand")))

    def visible_to_staff(self, user: User) -> Self:
        """All brands for staff who may view brands, none for others. For staff pages and the admin only."""
        return self.all() if user.is_active and user.is_staff and user.has_perm("brands.view_brand") else self.none()

    def for_caller(self, caller: Caller) -> Self:
        """All brands for a system caller, else those visible to the caller's user."""
        if caller.is_system:
            return self.all()
        return self.visible_to(caller.user) if caller.user else self.none()


class BrandScopedQuerySet(models.QuerySet[Any]):
    """Rows below a brand. `brand_path` leads to the brand; a subquery keeps joins from doubling rows."""

    @property
    def brand_path(self) -> str:
        """The lookup from this model to its brand."""
        return getattr(self.model, "brand_path", "brand")

    def visible_to(self, user: User) -> Self:
        """Rows of the brands that are visible to `user`."""
        return self.filter(**{f"{self.brand_path}__in": _brands().visible_to(user)})

    def for_caller(self, caller: Caller) -> Self:
        """Rows of the brands that `caller` reaches."""
        return self.filter(**{f"{self.brand_path}__in": _brands().for_caller(caller)})


def _brands() -> BrandQuerySet:
    brands: BrandQuerySet = apps.get_model("brands", "Brand").objects.all()
    return brands
