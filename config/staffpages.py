"""The staff pages: Django's admin with the service's own sign-in."""

from django.contrib.admin.apps import AdminConfig


class StaffPagesConfig(AdminConfig):
    default_site = "config.staffsite.OperatedSite"
