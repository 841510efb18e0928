"""Waits for the page at a port of this machine, fetches it, and asks the engine for a move over its WebSocket: first_answer.py PORT."""

import sys
import time
import urllib.request

from endure import Client

port = int(sys.argv[1])


def page():
    until = time.monotonic() + 60
    while True:
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).read()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


assert b"<title>" in page(), "no page"
client = Client(port)
client.send({"id": 1, "do": "move", "game": "hex", "size": 11, "moves": []})
answer = client.hear()
assert answer["move"], answer
print("the page's engine plays", answer["move"])
