"""The addresses of signing in, with the names by which allauth looks them up."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as keys
from allauth.socialaccount.providers.openid_connect import views as oidc
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LogoutView
from django.urls import path

from apikeys.signin import views
from apikeys.signin.views import hide_passwords, page

sign_in = page(views.SignInView.as_view())
sign_out = LogoutView.as_view(next_page="sign-in")
new_password = page(hide_passwords(views.NewPasswordView.as_view()))
second_factor = page(mfa.index)

urlpatterns = [
    path("sign-in", sign_in, name="account_login"),
    path("sign-in", sign_in, name="sign-in"),
    path("sign-in/second", page(mfa.authenticate), name="mfa_authenticate"),
    path("sign-in/again", page(hide_passwords(account.reauthenticate)), name="account_reauthenticate"),
    path("sign-in/again/code", page(mfa.reauthenticate), name="mfa_reauthenticate"),
    path("sign-in/again/passkey", page(keys.reauthenticate_webauthn), name="mfa_reauthenticate_webauthn"),
    path("sign-in/refused", page(views.refused), name="account_inactive"),
    path("sign-out", sign_out, name="account_logout"),
    path("sign-out", sign_out, name="sign-out"),
    path("password", page(hide_passwords(views.PasswordView.as_view())), name="password"),
    path("password/forgotten", page(views.ForgottenView.as_view()), name="forgotten"),
    path("password/new/<uidb64>/<token>", new_password, name="new-password"),
    path("welcome/<uidb64>/<token>", page(hide_passwords(views.WelcomeView.as_view())), name="welcome"),
    path("address", page(login_required(hide_passwords(views.AddressView.as_view()))), name="address"),
    path("address/<str:token>", page(views.confirm_address), name="confirm-address"),
    path("sessions", page(views.sessions), name="sessions"),
    path("second-factor", second_factor, name="mfa_index"),
    path("second-factor", second_factor, name="mfa_list_webauthn"),
    path("second-factor/app", page(totp.activate_totp), name="mfa_activate_totp"),
    path("second-factor/app/remove", page(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("second-factor/codes", page(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("second-factor/codes/new", page(codes.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("second-factor/passkey", page(keys.add_webauthn), name="mfa_add_webauthn"),
    path("second-factor/passkey/<int:pk>/remove", page(keys.remove_webauthn), name="mfa_remove_webauthn"),
    path("single-sign-on/cancelled", page(views.cancelled), name="socialaccount_login_cancelled"),
    path("single-sign-on/<str:provider_id>", page(oidc.login), name="openid_connect_login"),
    path("single-sign-on/<str:provider_id>/back", page(oidc.callback), name="openid_connect_callback"),
]
