"""Waits for the page at a port of this machine, fetches it, and asks the engine for a move over its WebSocket: first_answer.py PORT."""

import base64
import json
import os
import socket
import sys
import time
import urllib.request

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


def exactly(connection, count):
    data = b""
    while len(data) < count:
        data += connection.recv(count - len(data)) or sys.exit("error: the server closed the connection")
    return data


assert b"<title>" in page(), "no page"
connection = socket.create_connection(("127.0.0.1", port), timeout=30)
key = base64.b64encode(os.urandom(16)).decode()
connection.sendall(
    f"GET /api/play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
)
head = b""
while not head.endswith(b"\r\n\r\n"):
    head += exactly(connection, 1)
assert b" 101 " in head, head
text = json.dumps({"id": 1, "do": "move", "game": "hex", "size": 11, "moves": []}).encode()
# A client masks what it sends; a mask of zeros changes nothing.
assert len(text) < 126
connection.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
kind = 0
while kind != 1:
    # Pings come between the texts.
    first, length = exactly(connection, 2)
    kind = first & 15
    if length >= 126:
        length = int.from_bytes(exactly(connection, 2 if length == 126 else 8), "big")
    payload = exactly(connection, length)
answer = json.loads(payload)
assert answer["move"], answer
print("the page's engine plays", answer["move"])
