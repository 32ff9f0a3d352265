"""The web server's logs; the one of requests is written where operators turn it on."""

from typing import Any

from gunicorn import glogging

from apikeys.signin.links import LinkFilter


class Logger(glogging.Logger):  # type: ignore[misc]
    """gunicorn's own, without links that let whoever reads them choose a password."""

    def setup(self, cfg: Any) -> None:
        """Called by the server with its configuration."""
        super().setup(cfg)
        for log in (self.error_log, self.access_log):
            log.addFilter(LinkFilter())
