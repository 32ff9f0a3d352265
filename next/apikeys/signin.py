"""Addresses of signing in and out."""

from django.contrib.auth import views
from django.urls import path

urlpatterns = [
    path("sign-in", views.LoginView.as_view(template_name="sign-in.html"), name="sign-in"),
    path("sign-out", views.LogoutView.as_view(), name="sign-out"),
]
