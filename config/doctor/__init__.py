"""Whether the service is well: `manage.py doctor`."""
