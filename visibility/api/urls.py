"""The REST API, version 1. A trailing slash is another route: there is none."""

from django.urls import path

from visibility.api import views

urlpatterns = [
    path("brands", views.BrandListView.as_view()),
    path("brands/<str:id>", views.BrandView.as_view()),
    path("brands/<str:id>/visibility", views.VisibilityView.as_view()),
    path("brands/<str:id>/recommendations", views.RecommendationsView.as_view()),
    path("brands/<str:id>/runs", views.RunsView.as_view()),
]
