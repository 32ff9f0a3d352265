"""Whether somebody may still read a letter or an alert that was written to them."""

from apikeys.accounts.caller import Caller
from apikeys.models import Mail, User
from brands.models import Brand
from visibility.letters.alerts import ALERT, kinds_for


def may_read(person: User, mail: Mail) -> bool:
    """Whether a person sees the brand of a mail, and an alert is of a kind for them, at this moment."""
    seen = Brand.objects.restrict(Caller.from_user(person), "view")
    if mail.brand is not None and not seen.filter(pk=mail.brand).exists():
        return False
    return not mail.mailing.startswith(ALERT) or mail.mailing in {kind.mailing for kind in kinds_for(person)}
