"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from apikeys.openapi import DescriptionView, DocumentationView

urlpatterns = [
    path("api/v1/", include("visibility.api.urls")),
    path("api/v1/openapi.json", DescriptionView.as_view()),
    path("api/v1/docs", DocumentationView.as_view(), name="api-docs"),
    path("openapi.json", DescriptionView.as_view()),
    path("admin/", admin.site.urls),
    path("", include("apikeys.signin")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
