"""The one way by which the service fetches an address that a user, a page or an answer supplied; see ADR 14."""
