"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView, TemplateView

from apikeys.connect.views import urls as connect_urls
from apikeys.edge.openapi import DescriptionView, DocumentationView
from apikeys.signin.urls import sign_in
from config.appdocuments import fetch_document

urlpatterns = [
    path("api/v1/", include("visibility.api.urls")),
    path("api/v1/openapi.json", DescriptionView.as_view()),
    path("api/v1/docs", DocumentationView.as_view(), name="api-docs"),
    path("openapi.json", DescriptionView.as_view()),
    # Before the admin's own pages, which would let passwords be guessed without end.
    path("admin/login/", sign_in),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain")),
    path("", include("visibility.pages.urls")),
    path("", include("apikeys.signin.urls")),
    path("", include("apikeys.mail.views")),
    *connect_urls(fetch_document),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
