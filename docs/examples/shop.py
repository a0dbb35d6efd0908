"""A shop's server in Python without any package: BASE=https://…/api/v1 API_KEY=sds_… python3 shop.py order-1001

It creates a shipment and follows it to its end. A webhook receiver (receiver.py) hears of it without asking.
"""

import json
import os
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

BASE = os.environ["BASE"]
API_KEY = os.environ["API_KEY"]
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "30"))
ATTEMPTS = 5
order = sys.argv[1] if len(sys.argv) > 1 else "order-1001"


def call(method, path, body=None, headers=None):
    """Repeats the request while there is no answer, and after 429 and 5xx; Retry-After says how long to wait."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"X-API-KEY": API_KEY, "Content-Type": "application/json", **(headers or {})}
    for attempt in range(1, ATTEMPTS + 1):
        wait_seconds = 2**attempt
        try:
            with urlopen(Request(BASE + path, data, sent, method=method), timeout=10) as answer:
                return json.load(answer)
        except HTTPError as error:
            # A problem document: `detail` says what is wrong, `violations` lists it field by field.
            problem = f"{error.code} {error.read().decode()}"
            if error.code != 429 and error.code < 500:
                sys.exit(problem)
            wait_seconds = int(error.headers.get("Retry-After", wait_seconds))
        except (URLError, TimeoutError, ConnectionError) as error:
            problem = f"no answer: {error}"
        if attempt == ATTEMPTS:
            sys.exit(problem)
        time.sleep(wait_seconds)


shipment = {
    "recipient": {
        "firstName": "Amina",
        "phoneNumber": "+33612345678",
        "address": {"street": "1 rue de Rivoli", "city": "Paris", "postalCode": "75001"},
    },
    "codAmount": "49.90",
    "externalReference": order,
}
# The key makes the repetition safe: the order's own number, so that a shop that crashed repeats the same request.
shipment_id = call("POST", "/external/shipments", shipment, {"Idempotency-Key": order})["id"]
print("created", shipment_id, flush=True)

status = None
while status not in ("delivered", "returned", "cancelled"):
    now = call("GET", f"/external/shipments/{shipment_id}")
    if now["status"] != status:
        print(now["trackingNumber"], now["status"], (now["driver"] or {}).get("name", ""), flush=True)
    status = now["status"]
    time.sleep(POLL_SECONDS)
