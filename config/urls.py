"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from apikeys.http.openapi import DescriptionView, DocumentationView

urlpatterns = [
    path("api/v1/", include("visibility.api.urls")),
    path("api/v1/openapi.json", DescriptionView.as_view()),
    path("api/v1/docs", DocumentationView.as_view(), name="api-docs"),
    path("openapi.json", DescriptionView.as_view()),
    path("admin/", admin.site.urls),
    path("", include("apikeys.signin.urls")),
    path("", include("visibility.pages.answers")),
    path("", include("visibility.pages.bot")),
    path("", include("visibility.pages.portfolio")),
    path("", include("visibility.pages.account")),
    path("", include("visibility.pages.brand_adding")),
    path("", include("visibility.pages.brand_people")),
    path("", include("visibility.pages.brand_settings")),
    path("", include("visibility.pages.brands")),
    path("", include("visibility.pages.content")),
    path("", include("visibility.pages.drafts")),
    path("", include("visibility.pages.evidence")),
    path("", include("visibility.pages.competitors")),
    path("", include("visibility.pages.other_tools")),
    path("", include("visibility.pages.scans")),
    path("", include("visibility.pages.runs")),
    path("", include("visibility.pages.planning")),
    path("", include("visibility.pages.prompt_list")),
    path("", include("visibility.pages.prompt_writing")),
    path("", include("visibility.pages.prompts")),
    path("", include("visibility.pages.recommendations")),
    path("", include("visibility.pages.sources")),
    path("", include("visibility.pages.topics")),
    path("", include("visibility.pages.trends")),
    path("", include("visibility.pages.chart_files")),
    path("", include("visibility.pages.comparisons")),
    path("", include("visibility.pages.audits")),
    path("", include("visibility.pages.tables")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
