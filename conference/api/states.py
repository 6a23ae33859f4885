"""States of rows and answers by name: ETag, and what `If-Match` guards.

The ETag of a row's address is "<state>.<content>": `state` names the row as it is stored, the same in every zone and
with any fields; `content` the very bytes. A write compares the states, a read the whole.
"""

import hashlib
import json
import re

from django.utils.http import parse_etags
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

_LENGTH = 24
_ETAG = r'(W/)?"[!#-~]*"'
# What If-Match may hold: "*", or one ETag or more.
ETAGS = rf"^(\*|{_ETAG}(, {_ETAG})*)$"


class Changed(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_detail = "Somebody changed this since you read it: read it again, and send If-Match with its new ETag."
    default_code = "changed"


class StateMissing(exceptions.APIException):
    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_detail = "Send If-Match with the ETag of what you read, so that nobody's change is lost."
    default_code = "state_missing"


def name_state(said: dict) -> str:
    """Return a name for the state of a row that is `said` (as plain data)."""
    return make_digest(json.dumps(said, cls=JSONEncoder, sort_keys=True).encode())


def check_state(request: Request, state: str, is_required: bool = True) -> None:
    """Raise Changed if `request` was sent for another state than this, StateMissing if it does not say for which."""
    sent = request.headers.get("If-Match", "").strip()
    if not sent and not is_required:
        return
    if not sent:
        raise StateMissing
    if not re.match(ETAGS, sent):
        raise exceptions.ValidationError({"If-Match": ["This is no ETag; it stands in double quotes."]})
    tags = parse_etags(sent)
    if tags != ["*"] and state not in [tag.strip('"').partition(".")[0] for tag in tags if tag.startswith('"')]:
        raise Changed


def make_digest(content: bytes) -> str:
    """Return a name for these bytes that no others have."""
    return hashlib.sha256(content).hexdigest()[:_LENGTH]
