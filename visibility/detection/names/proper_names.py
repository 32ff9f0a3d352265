"""Names that people, places, days, stars, peoples and prizes bear as well as companies, in lower case."""

from visibility.detection.names.lists import BEARERS

GIVEN_NAMES = BEARERS.given_names
PROPER_NAMES = GIVEN_NAMES | BEARERS.calendar | BEARERS.places | BEARERS.heavens_and_myths | BEARERS.peoples
