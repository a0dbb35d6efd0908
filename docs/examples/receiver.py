"""A webhook receiver in Python without any package: WEBHOOK_SECRET=whsec_… PORT=9000 python3 receiver.py

Put it behind HTTPS: the service sends to https:// addresses alone.
"""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The signature is over these very bytes: parse them only after it was checked.
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        expected = "sha256=" + hmac.new(SECRET, raw_body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(self.headers.get("X-Service-Signature", ""), expected):
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
