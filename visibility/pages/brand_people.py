"""The web pages of who works on a brand: its people, whom its owner invites, and what one is invited to."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from apikeys.models import User
from apikeys.services.mail import mail_leaves, send_after_commit
from brands.models import INVITATION_LASTS, Brand, Collaborator, Invitation
from brands.services.collaborators import leave_brand, remove_collaborator, set_role
from brands.services.invitations import accept, decline, invitations_to, invite, withdraw
from visibility.pages.acts import attempt, attempt_in, person, signed_in
from visibility.pages.present.frame import BrandFrame, brand_frame

ROLES = {
    Collaborator.Role.EDITOR.value: "Editor: changes the brand and starts scans",
    Collaborator.Role.VIEWER.value: "Viewer: reads, changes nothing",
}
GONE = "This invitation is not there any more: it was answered already, or taken back."
SUBJECT = "You are invited to the Brand Visibility Service"


class InviteForm(forms.Form):
    """Whom to let in, and as what; the service checks it."""

    email = forms.EmailField(label="Email address", max_length=254)
    role = forms.ChoiceField(choices=list(ROLES.items()))


class HandOverForm(forms.Form):
    """Who is to own the brand; the service checks it."""

    email = forms.EmailField(label="Email address of the new owner", max_length=254)


@require_safe
@login_required
def people_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Who works on a brand and, for its owner, who is invited."""
    return _page(request, brand_frame(request, brand_id))


@require_POST
@login_required
def invite_person(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Offer a role to an address. The answer is the same whether it has an account or not."""
    frame = brand_frame(request, brand_id)
    form = InviteForm(request.POST, auto_id="invite_%s")
    if form.is_valid() and _invited(request, frame, form, form.cleaned_data.get("role", "")):
        return redirect("people-page", brand_id=brand_id)
    return _page(request, frame, inviting=form, status=400)


@require_POST
@login_required
def hand_over(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Offer the brand itself to an address: who accepts owns it, and pays from then on."""
    frame = brand_frame(request, brand_id)
    form = HandOverForm(request.POST, auto_id="hand_%s")
    if form.is_valid() and _invited(request, frame, form, Invitation.Role.OWNER):
        return redirect("people-page", brand_id=brand_id)
    return _page(request, frame, handing=form, status=400)


@require_POST
@login_required
def withdraw_invitation(request: HttpRequest, brand_id: UUID, invitation_id: UUID) -> HttpResponse:
    """Take an offer back."""
    return _done(
        request,
        brand_id,
        lambda: withdraw(person(request), brand_id=brand_id, invitation_id=invitation_id),
        "The invitation is withdrawn.",
    )


@require_POST
@login_required
def change_role(request: HttpRequest, brand_id: UUID, user_id: int) -> HttpResponse:
    """Make a collaborator an editor or a viewer."""
    frame, role = brand_frame(request, brand_id), request.POST.get("role", "")
    user = _collaborator(frame.brand, user_id)
    return _done(
        request,
        brand_id,
        lambda: set_role(person(request), brand=frame.brand, user=user, role=role),
        f"{user.email} is now: {role}.",
    )


@require_POST
@login_required
def remove_person(request: HttpRequest, brand_id: UUID, user_id: int) -> HttpResponse:
    """End a collaborator's access."""
    brand = brand_frame(request, brand_id).brand
    user = _collaborator(brand, user_id)
    return _done(
        request,
        brand_id,
        lambda: remove_collaborator(person(request), brand=brand, user=user),
        f"{user.email} has no access any more.",
    )


@require_POST
@login_required
def leave(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """End one's own access to a brand of somebody else."""
    frame = brand_frame(request, brand_id)
    if attempt(request, lambda: leave_brand(person(request), brand_id=brand_id) or True):
        messages.success(request, f"You no longer work on {frame.brand.name}.")
    return redirect("brand-list")


@require_safe
@login_required
def invitations_page(request: HttpRequest) -> HttpResponse:
    """What the person is invited to."""
    return _invitations(request)


@require_POST
@login_required
def accept_invitation(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Take what is offered, and go there."""
    try:
        brand = attempt(request, lambda: accept(person(request), invitation_id=invitation_id))
    except Http404:
        return _gone(request)
    if brand is None:
        return redirect("invitations-page")
    owns = brand.owner_id == signed_in(request).pk
    messages.success(request, f"You now {'own' if owns else 'work on'} {brand.name}.")
    return redirect("brand-page", brand_id=brand.pk)


@require_POST
@login_required
def decline_invitation(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Say no."""
    try:
        declined = attempt(request, lambda: decline(person(request), invitation_id=invitation_id) or True)
    except Http404:
        return _gone(request)
    if declined:
        messages.success(request, "You have declined. Nobody is told.")
    return redirect("invitations-page")


def _invitations(request: HttpRequest, status: int = 200) -> HttpResponse:
    context = {"invitations": invitations_to(signed_in(request))}
    return render(request, "visibility/invitations_page.html", context, status=status)


def _gone(request: HttpRequest) -> HttpResponse:
    """For who presses a button twice, as for who guesses an address: what there is, and that this is not."""
    messages.warning(request, GONE)
    return _invitations(request, status=404)


def _invited(request: HttpRequest, frame: BrandFrame, form: forms.Form, role: str) -> bool:
    email = form.cleaned_data["email"]
    invitation = attempt_in(form, lambda: invite(person(request), brand_id=frame.brand.pk, email=email, role=role))
    if invitation is None:
        return False
    link = request.build_absolute_uri(reverse("invitations-page"))
    text = render_to_string("mail/invitation.txt", {"invitation": invitation, "link": link})
    send_after_commit(to=invitation.email, subject=SUBJECT, text=text)
    how = "A mail tells them." if mail_leaves() else f"No mail leaves this service: send them the address {link}."
    messages.success(request, f"{invitation.email} is invited. {how} It takes an account of this address to accept.")
    return True


def _done(request: HttpRequest, brand_id: UUID, act: Callable[[], object], said: str) -> HttpResponse:
    brand_frame(request, brand_id)
    if attempt(request, lambda: act() or True):
        messages.success(request, said)
    return redirect("people-page", brand_id=brand_id)


def _collaborator(brand: Brand, user_id: int) -> User:
    """Somebody who works on the brand: of others nothing is told."""
    collaborator: Collaborator = get_object_or_404(brand.collaborators.select_related("user"), user=user_id)
    return collaborator.user


def _page(
    request: HttpRequest,
    frame: BrandFrame,
    *,
    inviting: InviteForm | None = None,
    handing: HandOverForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = frame.context(
        "brand-settings",
        people=list(frame.brand.collaborators.select_related("user").order_by("user__email")),
        roles=ROLES,
        days=INVITATION_LASTS.days,
        inviting=inviting or InviteForm(auto_id="invite_%s"),
        handing=handing or HandOverForm(auto_id="hand_%s"),
        waiting=list(frame.brand.invitations.order_by("email")) if frame.may_own else [],
    )
    return render(request, "visibility/people_page.html", context, status=status)


_PEOPLE = "brands/<uuid:brand_id>/people"
_INVITATION = "invitations/<uuid:invitation_id>"
urlpatterns = [
    path(_PEOPLE, people_page, name="people-page"),
    path(f"{_PEOPLE}/invite", invite_person, name="invite-person"),
    path(f"{_PEOPLE}/hand-over", hand_over, name="hand-over"),
    path(f"{_PEOPLE}/leave", leave, name="leave-brand"),
    path(f"{_PEOPLE}/{_INVITATION}/withdraw", withdraw_invitation, name="withdraw-invitation"),
    path(f"{_PEOPLE}/<int:user_id>/role", change_role, name="change-role"),
    path(f"{_PEOPLE}/<int:user_id>/remove", remove_person, name="remove-person"),
    path("invitations", invitations_page, name="invitations-page"),
    path(f"{_INVITATION}/accept", accept_invitation, name="accept-invitation"),
    path(f"{_INVITATION}/decline", decline_invitation, name="decline-invitation"),
]
