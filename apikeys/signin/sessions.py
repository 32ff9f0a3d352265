"""What every page asks first: whose session this is, and who that person is. Two statements, each compiled once.

Both are read from the database each time, so that a session that has ended, or an account that was closed, has ended
at once, whatever the cache knows.
"""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.db.models import Exists, Q, QuerySet
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.prepared import Prepared, Slot
from apikeys.models import Plan, User
from apikeys.operators import VIEW_ALL_BRANDS


class SessionStore(DatabaseSessions):
    """Django's sessions in the database; Django looks for a class of this name."""

    def load(self) -> dict[str, Any]:
        """What the session holds; empty, and without its key, where there is none or it has expired."""
        for (data,) in _SESSIONS.rows(None, key=self.session_key, now=timezone.now()):
            return dict(self.decode(data))
        self._session_key = None
        return {}


class Accounts(ModelBackend):
    """Django's accounts and permissions; whoever is signed in is read with the account's plan, and with whether they
    have the permission that every page asks of staff: Django would read all permissions in two further statements."""

    def get_user(self, user_id: int) -> User | None:
        """The person, None where there is no such active account."""
        for *row, views_all_brands in _USERS.rows(None, user_id=user_id):
            user, user.plan = instances_of(row, User, Plan)
            user.views_all_brands = bool(views_all_brands)
            return user if self.user_can_authenticate(user) else None
        return None

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """As Django says; what was read with the person is not asked again."""
        known: bool | None = getattr(user_obj, "views_all_brands", None)
        if perm != VIEW_ALL_BRANDS or known is None or obj is not None:
            return super().has_perm(user_obj, perm, obj)
        return bool(user_obj.is_active) and known


def _sessions(caller: Caller | None, key: Slot, now: Slot) -> QuerySet[Session, Any]:
    return Session.objects.filter(session_key=key, expire_date__gt=now).values_list("session_data")


def _users(caller: Caller | None, user_id: Slot) -> QuerySet[User, Any]:
    users = User.objects.filter(pk=user_id).order_by()
    app, codename = VIEW_ALL_BRANDS.split(".")
    granted = Permission.objects.filter(
        Q(user=user_id) | Q(group__user=user_id), content_type__app_label=app, codename=codename
    )
    return users.values_list(*columns_of(User), *columns_of(Plan, "plan__"), Exists(granted))


_SESSIONS, _USERS = Prepared(_sessions), Prepared(_users)
