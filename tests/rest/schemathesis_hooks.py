"""What the fuzzing of the REST door knows beyond the description: a brand that exists, and one allowed refusal.

Loaded by the schemathesis command in a process of its own, without Django.
"""

import os
import time
from urllib.parse import parse_qs, urlsplit

import schemathesis

BRAND_ID = os.environ["SCHEMATHESIS_BRAND"]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Ask for the brand that exists in half of the cases: random ids would only ever show 404."""
    brand = (path_parameters or {}).get("id")
    if isinstance(brand, str) and len(brand) == 36 and brand[-1] in "02468ace":
        return {**path_parameters, "id": BRAND_ID}
    return path_parameters


@schemathesis.check
def only_a_reversed_window_is_refused(context, response, case):
    """400 on input that the schema allows is right in one case only: a window that ends before it begins.

    JSON Schema cannot say that one parameter is at most another, so schemathesis.toml accepts a 400 there,
    and this check limits it to that case. Without `to` the window ends now.
    """
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    query = parse_qs(urlsplit(response.request.url).query)
    begin = int(query["from"][0]) if "from" in query else 0
    end = int(query["to"][0]) if "to" in query else time.time() * 1000
    assert case.operation.path.endswith("/visibility"), "valid input was refused"
    assert begin > end, "a window in the right order was refused"
