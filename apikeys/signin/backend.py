"""Who is signed in, with what every page asks of a person, in one statement."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import BooleanField, Case, Exists, OuterRef, Q, Value, When

from apikeys.models import User
from apikeys.operators import VIEW_ALL_BRANDS


class PeopleBackend(ModelBackend):
    """Django's own way to sign in. The person of a session is read together with whether they may view the brands of
    others, which each page asks of staff: Django would read all their permissions in two further statements."""

    def get_user(self, user_id: Any) -> User | None:
        """The person of a session; None where there is none any more, or they may not sign in."""
        user = User.objects.annotate(views_all_brands=_views_all_brands()).filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """As Django says; what was read with the person is not asked again."""
        known: bool | None = getattr(user_obj, "views_all_brands", None)
        if perm != VIEW_ALL_BRANDS or known is None or obj is not None:
            return super().has_perm(user_obj, perm, obj)
        return bool(user_obj.is_active) and known


def _views_all_brands() -> Case:
    """Whether a member of staff has the permission, by themselves or by a group; nobody else is looked up."""
    app, codename = VIEW_ALL_BRANDS.split(".")
    granted = Permission.objects.filter(
        Q(user=OuterRef("pk")) | Q(group__user=OuterRef("pk")), content_type__app_label=app, codename=codename
    )
    return Case(When(is_staff=True, then=Exists(granted)), default=Value(False), output_field=BooleanField())
