"""Besieges a server on this machine in many ways, and reports how it fares.

    python3 tests/endurance/besiege.py --program target/release/hexzero --clients 1000 --half-open 3000 --seconds 20

One after another, beside a client that asks for a move again and again and measures how long it waits: clients that think all at
once and leave; clients that ask and never read; connections that begin a request and do not end it, from many addresses; floods of
searches whose clients do not wait for the answers; other sites' names; bodies and messages that are too long; bodies that are announced and
do not come; files that take long to convert, whose clients wait, leave, or never read the answer. All on 127.0.0.0/8. At the end it
prints a table, and the memory of the server before and after. The exit code is 1 if the honest client got no answer, the
server ended or panicked, accepted what it has to refuse, did not convert a small file, or keeps more than 50 MB. Needs Linux.
"""

import argparse
import json
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

from endure import Client, TurnedAway, memory

# The most memory above that of the idle server that may be left, in MB.
MOST_KEPT = 50


class Honest:
    """A client that asks for moves and measures how long it waits for them."""

    def __init__(self, port):
        self.port, self.over, self.longest, self.answers, self.turned_away, self.failed = port, threading.Event(), 0.0, 0, 0, []
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        client = None
        while not self.over.is_set():
            start = time.monotonic()
            try:
                if client is None:
                    client = Client(self.port)
                client.send({"id": 1, "do": "move", "game": "cachex", "size": 5, "moves": [], "visits": 50})
                while client.hear()["id"] != 1:
                    pass
                self.longest = max(self.longest, time.monotonic() - start)
                self.answers += 1
            except TurnedAway:
                # All places are taken, which may happen.
                self.turned_away += 1
                client = None
            except (OSError, ValueError) as problem:
                self.failed.append(repr(problem))
                client = None
            time.sleep(0.05)

    def end(self):
        self.over.set()
        self.thread.join()


class Siege:
    def __init__(self, port, options):
        self.port, self.options, self.faults = port, options, []

    def expect(self, holds, words):
        if not holds:
            self.faults.append(words)

    def connect(self, number=0):
        """Returns a socket from one of many addresses of this machine."""
        stream = socket.socket()
        stream.bind((f"127.{number // 250 % 250}.{number % 250}.1", 0))
        stream.settimeout(20)
        stream.connect(("127.0.0.1", self.port))
        return stream

    def ask(self, request, number=0):
        """Returns the status of a request, 0 if the connection is closed without one."""
        with self.connect(number) as stream:
            try:
                stream.sendall(request)
            except OSError:
                pass
            try:
                head = stream.recv(100).split()
                return int(head[1]) if len(head) > 1 else 0
            except OSError:
                return 0

    def clients(self, count):
        """Connects this many clients, and returns those that are not turned away."""
        clients = []
        for _ in range(count):
            try:
                clients.append(Client(self.port))
            except TurnedAway:
                pass
        return clients

    def all_at_once(self):
        """Clients that fill their trees, and leave while the server thinks."""
        clients = self.clients(self.options.clients)
        for number, client in enumerate(clients):
            game = {"game": "cachex", "size": 15} if number % 2 else {"game": "hex", "size": 11}
            client.send({"id": 1, "do": "analyze", "moves": [], "seconds": 60, **game})
        time.sleep(self.options.seconds)
        for client in clients:
            client.close()
        return f"{len(clients)} clients thought at once and left, {self.options.clients - len(clients)} were turned away"

    def never_reading(self):
        clients, sent = self.clients(min(self.options.clients, 200)), 0
        for client in clients:
            client.socket.settimeout(0.2)
        request = {"id": 1, "do": "states", "game": "cachex", "size": 15, "from": 0, "moves": ["a1", "b1", "c1", "d1", "e1"]}
        until = time.monotonic() + self.options.seconds
        while time.monotonic() < until and clients:
            for client in list(clients):
                try:
                    client.send(request)
                    sent += 1
                except OSError:
                    client.close()
                    clients.remove(client)
        for client in clients:
            client.close()
        return f"{sent} requests whose answers nobody read"

    def half_open(self):
        streams, refused = [], 0
        for number in range(self.options.half_open):
            try:
                stream = self.connect(number)
                stream.sendall(b"GET / HTTP/1.1\r\nHost: 127.")
                streams.append(stream)
            except OSError:
                refused += 1
        until = time.monotonic() + self.options.seconds
        while time.monotonic() < until:
            for stream in streams:
                try:
                    stream.send(b"0")
                except OSError:
                    pass
            time.sleep(1)
        for stream in streams:
            stream.close()
        return f"{len(streams)} connections with half a request, {refused} refused"

    def floods(self):
        sent, closed, clients = 0, 0, self.clients(min(self.options.clients, 60))
        until = time.monotonic() + self.options.seconds

        def flood(client):
            nonlocal sent, closed
            client.socket.settimeout(1)
            number = 0
            while time.monotonic() < until:
                try:
                    client.send({"id": number, "do": "analyze", "game": "cachex", "size": 15, "moves": [], "seconds": 60})
                    sent += 1
                    number += 1
                except OSError:
                    closed += 1
                    return

        threads = [threading.Thread(target=flood, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for client in clients:
            client.close()
        return f"{sent} searches asked for by {len(clients)} clients, {closed} of them cut off"

    def other_sites(self):
        statuses = {}
        own = f"127.0.0.1:{self.port}".encode()
        for number in range(1000):
            host = (b"evil.example", b"127.0.0.1.evil.example", own, own + b"\r\nHost: evil.example", own)[number % 5]
            origin = b"Origin: http://evil.example\r\n" if number % 5 == 2 else b""
            path = (b"/", b"/api/about", b"/api/play")[number // 5 % 3]
            if number % 5 == 4:
                path = b"http://evil.example" + path
            head = b"GET " + path + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + origin + b"Connection: close\r\n\r\n"
            status = self.ask(head, number)
            statuses[status] = statuses.get(status, 0) + 1
        self.expect(set(statuses) == {400, 403}, f"requests of other sites: {statuses}")
        return f"1000 requests of other sites: {dict(sorted(statuses.items()))}"

    def too_long(self):
        statuses = {}
        host = f"Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n".encode()
        post = b"POST /api/games?to=jsonl HTTP/1.1\r\n" + host
        for number in range(100):
            request = (
                post + b"Content-Length: 99999999999\r\n\r\nx",
                post + b"Content-Length: 20000000\r\n\r\n" + bytes(20_000_000),
                post + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n" + bytes(20_000_000),
                b"GET /" + bytes([120]) * 2_000_000 + b" HTTP/1.1\r\n" + host + b"\r\n",
            )[number % 4]
            status = self.ask(request, number)
            statuses[status] = statuses.get(status, 0) + 1
        self.expect(200 not in statuses, f"requests that are too long: {statuses}")
        frames = 0
        for _ in range(100):
            try:
                client = Client(self.port)
            except TurnedAway:
                continue
            try:
                client.socket.sendall(b"\x81\xff\0\0\0\0\x40\0\0\0\0\0\0\0" + bytes(1 << 20))
                client.hear()
            except (OSError, ValueError):
                frames += 1
            client.close()
        return f"100 requests that are too long: {dict(sorted(statuses.items()))}; {frames} messages of a gigabyte cut off"

    def post(self, number, length, body, form="tree"):
        """Returns a connection that has sent a file of games, or as much of it as was taken."""
        stream = self.connect(number)
        head = f"POST /api/games?to={form} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        try:
            stream.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode() + body)
        except OSError:
            pass
        return stream

    def small_file(self):
        """Returns the seconds until a small file is converted."""
        start = time.monotonic()
        with self.post(0, 20, b"(;GM[11]SZ[5];B[a1])") as stream:
            try:
                head = stream.recv(100).split()
            except OSError as problem:
                head = [repr(problem)] * 2
        self.expect(head[1:2] == [b"200"], f"a small file: {head}")
        return time.monotonic() - start

    def small_files(self, streams):
        until, longest = time.monotonic() + self.options.seconds, 0.0
        while time.monotonic() < until:
            longest = max(longest, self.small_file())
            time.sleep(0.05)
        for stream in streams:
            stream.close()
        return f"a small file took {longest:.2f} s at most"

    def announced(self):
        streams = [self.post(number % 60, 1 << 24, b"(;") for number in range(200)]
        return f"{len(streams)} announced bodies of 16 MiB that do not come: " + self.small_files(streams)

    def conversions(self):
        moves = "".join(f";{'BW'[n % 2]}[{chr(97 + 7 * n % 18)}{7 * n // 18 % 18 + 1}]" for n in range(300))
        game = f"(;GM[11]SZ[19]{moves})\n".encode()
        file = game * ((15 << 20) // len(game))
        streams = [self.post(0, len(file), file) for _ in range(4)]
        return f"{len(streams)} files of 15 MiB of games from one address: " + self.small_files(streams)

    def unread_files(self):
        file = b"(;GM[11]SZ[5];B[a1];W[b2])\n" * 150_000
        streams = [self.post(number % 5, len(file), file, "jsonl") for number in range(40)]
        return f"{len(streams)} files of 4 MB whose answers nobody reads: " + self.small_files(streams)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/hexzero", type=pathlib.Path)
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--half-open", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each attack")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    said = tempfile.TemporaryFile("w+")
    words = [options.program.resolve(), "serve", "--port", str(options.port), "--sessions", str(min(options.clients + 100, 4096))]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=said, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    # What the first client needs stays: the models and their threads.
    first = Client(port)
    for game, size in [("cachex", 5), ("hex", 11)]:
        first.send({"id": 1, "do": "move", "game": game, "size": size, "moves": [], "visits": 50})
        first.hear()
    first.close()
    time.sleep(2)
    idle = memory(server)
    siege, honest = Siege(port, options), Honest(port)
    print(f"idle: {idle[0]:.0f} MB, {idle[1]} handles\n\n{'attack':90} {'MB':>5} {'longest wait':>13}")
    for attack in [siege.all_at_once, siege.never_reading, siege.half_open, siege.floods, siege.other_sites, siege.too_long, siege.announced,
                   siege.conversions, siege.unread_files]:
        honest.longest, peak, over = 0.0, [0.0], threading.Event()

        def watch():
            while not over.wait(0.2):
                peak[0] = max(peak[0], memory(server)[0])

        watcher = threading.Thread(target=watch)
        watcher.start()
        before = honest.answers
        try:
            words = attack()
        except OSError as problem:
            words = f"{attack.__name__}: {problem}"
            siege.faults.append(words)
        finally:
            over.set()
            watcher.join()
        print(f"{words:90} {peak[0]:5.0f} {honest.longest:11.2f} s", flush=True)
        siege.expect(honest.answers > before, f"no answer to the honest client during '{words}'")
        if server.poll() is not None:
            siege.faults.append(f"the server has ended with {server.returncode}")
            break
    honest.end()
    for _ in range(60):
        after = memory(server)
        if after[0] < idle[0] + MOST_KEPT and after[1] <= idle[1] + 4:
            break
        time.sleep(2)
        # The allocator looks after its memory when it is asked for some.
        siege.ask(f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    print(f"\nafterwards: {after[0]:.0f} MB, {after[1]} handles; the honest client got {honest.answers} answers, "
          f"was turned away {honest.turned_away} times and failed {len(honest.failed)} times")
    siege.expect(after[0] < idle[0] + MOST_KEPT, f"{after[0] - idle[0]:.0f} MB are kept")
    siege.expect(after[1] <= idle[1] + 4, f"{after[1] - idle[1]} handles are kept")
    siege.expect(not honest.failed, f"the honest client: {honest.failed[:3]}")
    siege.expect(server.poll() is None, f"the server has ended with {server.returncode}")
    server.terminate()
    server.wait(timeout=30)
    said.seek(0)
    siege.expect("panicked" not in said.read(), "the server panicked")
    for fault in siege.faults:
        print(f"FAULT: {fault}")
    sys.exit(bool(siege.faults))


if __name__ == "__main__":
    main()
