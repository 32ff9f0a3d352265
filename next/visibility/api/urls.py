"""The REST API, version 1. A trailing slash is another route: there is none."""

from rest_framework.routers import SimpleRouter

from visibility.api import views

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("brands", views.BrandViewSet, basename="brand")
router.register("brands/<str:id>/visibility", views.VisibilityViewSet, basename="visibility")
router.register("brands/<str:id>/recommendations", views.RecommendationViewSet, basename="recommendation")
router.register("brands/<str:id>/runs", views.RunViewSet, basename="run")
urlpatterns = router.urls
