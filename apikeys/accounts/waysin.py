"""The ways into an account besides its password: second factors, single sign-on, sessions."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apikeys.models import User


def has_second_factor(user: User) -> bool:
    """Whether signing in asks for more than the password; recovery codes alone are none."""
    factors = Authenticator.objects.filter(user=user)
    return bool(factors.exclude(type=Authenticator.Type.RECOVERY_CODES).exists())


def forget_second_factor(user: User) -> None:
    """Let the password suffice again."""
    Authenticator.objects.filter(user=user).delete()


def forget_ways_in(user: User) -> None:
    """Delete second factors, identities of single sign-on, and sessions."""
    for model in (Authenticator, SocialAccount, EmailAddress, UserSession):
        model.objects.filter(user=user).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def ended_sessions() -> QuerySet[UserSession]:
    """What is noted of sessions that there are no more."""
    live = Session.objects.filter(session_key=OuterRef("session_key"))
    ended: QuerySet[UserSession] = UserSession.objects.exclude(Exists(live))
    return ended
