"""Who may see and change what. Permission is a property of the query: a row that is not visible is not there."""

from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Q

from apikeys.caller import Action, Caller


class BrandQuerySet(models.QuerySet[Any]):
    """Brands, the root of all permission."""

    def restrict(self, caller: Caller, action: Action) -> Self:
        """The brands that the caller may view or change.

        With the reach *own* that is what the caller's user owns or collaborates on (as an editor, to change it), also
        for staff and superusers; with the reach *all* every brand, and none to change for who may not write. A brand
        whose owner is deactivated is the operator's alone to change, and who was deactivated since they signed in
        changes none.
        """
        if action == "change" and not caller.may_write:
            return self.none()
        if caller.reach == "all":
            return self.all()
        if caller.user is None:
            return self.none()
        collaborations = self.model._meta.get_field("collaborators").related_model.objects.filter(user=caller.user)
        brands = self
        if action == "change":
            collaborations = collaborations.filter(role="editor", user__is_active=True)
            brands = brands.filter(owner__is_active=True)
        return brands.filter(Q(owner=caller.user) | Q(pk__in=collaborations.values("brand")))


class BrandScopedQuerySet(models.QuerySet[Any]):
    """Rows below a brand. `brand_path` leads to the brand; a subquery keeps joins from doubling rows."""

    @property
    def brand_path(self) -> str:
        """The lookup from this model to its brand."""
        return getattr(self.model, "brand_path", "brand")

    def restrict(self, caller: Caller, action: Action) -> Self:
        """The rows of the brands that the caller may view or change."""
        brands: BrandQuerySet = apps.get_model("brands", "Brand").objects.restrict(caller, action)
        return self.filter(**{f"{self.brand_path}__in": brands})
