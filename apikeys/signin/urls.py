"""Sign in, sign out, and passwords: under the names that Django's templates use."""

from django.contrib.auth import views
from django.urls import path

from apikeys.services.mail import mail_leaves
from apikeys.signin.views import ChangePasswordView, ResetConfirmView, ResetView, SignInView

# The function itself: the templates ask it at each call.
MAIL = {"mail_leaves": mail_leaves}
urlpatterns = [
    path("login/", SignInView.as_view(), name="login"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path("password/change/", ChangePasswordView.as_view(), name="password_change"),
    path("password/change/done/", views.PasswordChangeDoneView.as_view(), name="password_change_done"),
    # The admin's own sign-in page looks for the reset under this name.
    path("password/reset/", ResetView.as_view(extra_context=MAIL), name="admin_password_reset"),
    path("password/reset/sent/", views.PasswordResetDoneView.as_view(extra_context=MAIL), name="password_reset_done"),
    path("password/reset/<uidb64>/<token>/", ResetConfirmView.as_view(), name="password_reset_confirm"),
    path("password/reset/done/", views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
