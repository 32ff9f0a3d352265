"""Refusals in the form of OAuth."""

from http import HTTPStatus


class OAuthError(Exception):
    """A refusal with one of OAuth's codes, for programs, and a sentence for people."""

    def __init__(self, code: str, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


class UnsoundApp(OAuthError):
    """An app that is not what it has to be; its person sees why, and the browser is sent nowhere."""

    def __init__(self, message: str, code: str = "invalid_client") -> None:
        super().__init__(code, message)
