"""A webhook receiver in Python without any package: WEBHOOK_SECRET=whsec_… PORT=9000 python3 receiver.py

Put it behind HTTPS: the service sends to https:// addresses alone.
"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
# A request that someone recorded and repeats later than this is rejected.
TOLERANCE_SECONDS = 300
seen = set()


def is_genuine(raw_body, header):
    # The header is t=<seconds>,v1=<hex>, with one v1 for each secret that is valid.
    parts = [part.partition("=")[::2] for part in header.split(",")]
    seconds = dict(parts).get("t", "")
    if not seconds.isdecimal() or abs(time.time() - int(seconds)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, seconds.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The signature is over these very bytes: parse them only after it was checked.
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not is_genuine(raw_body, self.headers.get("X-Service-Timestamped-Signature", "")):
            self.send_response(401)
            self.end_headers()
            return
        # Answer first, work afterwards: there are ten seconds.
        self.send_response(204)
        self.end_headers()
        event = json.loads(raw_body)
        key = (event["shipmentId"], event["taskStatus"], event["updatedAt"])
        if key in seen:
            return
        seen.add(key)
        print(event["updatedAt"], event["trackingNumber"], event["status"], event["taskType"], event["taskStatus"], flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print("listening", flush=True)
server.serve_forever()
