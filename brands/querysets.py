"""Who may see which rows: `restrict` is on the manager of every model that belongs to a brand."""

from collections.abc import Iterable
from typing import Any, Self
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import OuterRef, Q, Subquery

from apikeys.accounts.caller import Action, Caller
from apikeys.errors import not_found


class BrandQuerySet(models.QuerySet[Any]):
    """Brands in the words of those who work with them."""

    def restrict(self, caller: Caller, action: Action) -> Self:
        """The brands that the caller may view or change.

        With the reach *own* those that `caller.user` owns or collaborates on (as an editor, to change them), also for
        staff and superusers; with the reach *brand* that one, to view; with the reach *all* every brand, and none to
        change where it may not write. A brand whose owner is deactivated is the operator's alone to change.
        """
        if action == "change" and not caller.may_write:
            return self.none()
        if caller.reach == "all":
            return self.all()
        if caller.reach == "brand":
            return self.filter(pk=caller.brand_id)
        if caller.user is None:
            return self.none()
        collaborations = apps.get_model("brands", "Collaborator").objects.filter(user=caller.user)
        brands = self
        if action == "change":
            collaborations = collaborations.filter(role="editor", user__is_active=True)
            brands = brands.filter(owner__is_active=True)
        # A subquery: a join would give a brand twice to who owns it and collaborates on it.
        return brands.filter(Q(owner=caller.user) | Q(pk__in=collaborations.values("brand")))

    def with_owner(self) -> Self:
        """With what quotas need: the owner and the owner's plan."""
        return self.select_related("owner__plan")

    def locked(self, *, exclusive: bool = False) -> Self:
        """Lock the rows until the transaction ends. Others can still add rows that point to them, as scans must,
        unless the lock is `exclusive`."""
        return self.select_for_update(of=("self",), no_key=not exclusive)

    def get_or_404(self, brand_id: UUID) -> Any:
        """The brand of this id among these; raises not_found."""
        try:
            return self.get(pk=brand_id)
        except self.model.DoesNotExist:
            raise not_found() from None


class BrandScopedQuerySet(models.QuerySet[Any]):
    """Rows that belong to a brand: see `BrandScoped`."""

    def restrict(self, caller: Caller, action: Action) -> Self:
        """The rows of the brands that the caller may view or change."""
        brands = apps.get_model("brands", "Brand").objects.restrict(caller, action)
        return self.filter(**{f"{getattr(self.model, 'brand_path', 'brand')}__in": brands})

    def first_of_each(self, brand_ids: Iterable[UUID]) -> Self:
        """Of each of these brands the first of these rows, in their order; their ids are read at once. Where an index
        has the order that is one look into it for each brand, however long its history is."""
        first = Subquery(self.filter(brand=OuterRef("pk")).values("pk")[:1])
        brands = apps.get_model("brands", "Brand").objects.filter(pk__in=brand_ids).order_by()
        keys = brands.annotate(first=first).values_list("first", flat=True)
        return type(self)(self.model).filter(pk__in=[key for key in keys if key is not None]).order_by()


class BrandScoped(models.Model):
    """A row that belongs to a brand, by its field `brand` or by the path that the model names as `brand_path`."""

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        abstract = True
