"""Runs the server with many clients, training that is killed at random moments, and training on a disk that fills up.

    python3 tests/endurance/endure.py --program target/release/hexzero --minutes 60

At the end it prints what was lost (games of finished iterations, lines of metrics.jsonl, answers) and how memory and file handles
of the server grew. The disk that fills up is a small tmpfs, which only root can mount; without it that part is left out and said to
be. The exit code is 1 if anything was lost, a process panicked, or the server did not give its memory back. Needs Linux.
"""

import argparse
import base64
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

RECIPE = """
[network]
blocks = 1
channels = 16

[selfplay]
sizes = [{ size = 4, weight = 1.0 }]
full_visits = 16
cheap_visits = 8

[training]
games_per_iteration = 12
batch = 16
"""

# The most memory that the server may keep when its clients have left, in MB.
MOST_KEPT = 60


class TurnedAway(Exception):
    """All places are taken, for instance by clients that left and have not been missed yet."""


class Client:
    """A WebSocket to the server."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /api/play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        self.stream = self.socket.makefile("rb")
        # Of 'HTTP/1.1 101 Switching Protocols'; nothing if the server closes the connection.
        status = self.stream.readline()[9:12].decode()
        while self.stream.readline().strip():
            pass
        if status == "503":
            raise TurnedAway
        if status != "101":
            raise ConnectionError(f"status '{status}'")

    def send(self, request):
        text = json.dumps(request).encode()
        length = struct.pack("!BB", 0x81, 0x80 | len(text)) if len(text) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(text))
        self.socket.sendall(length + b"\0\0\0\0" + text)

    def hear(self):
        while True:
            start = self.stream.read(2)
            if len(start) < 2:
                raise ConnectionError("closed without a word")
            first, length = start
            if length >= 126:
                length = int.from_bytes(self.stream.read(2 if length == 126 else 8), "big")
            payload = self.stream.read(length)
            if first & 15 == 9:
                self.socket.sendall(struct.pack("!BB", 0x8A, 0x80 | len(payload)) + b"\0\0\0\0" + payload)
            elif first & 15 == 8:
                raise ConnectionError("closed by the server")
            elif first & 15 == 1:
                return json.loads(payload)

    def close(self):
        # The socket stays open as long as its stream.
        self.stream.close()
        self.socket.close()


class Crowd:
    """Clients that come, ask, and leave, some of them in the middle of an answer."""

    def __init__(self, port, count):
        self.port, self.over = port, threading.Event()
        self.answers, self.turned_away, self.lost = 0, 0, []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.one, args=(number,), daemon=True) for number in range(count)]
        for thread in self.threads:
            thread.start()

    def one(self, number):
        chance = random.Random(number)
        while not self.over.is_set():
            try:
                client = Client(self.port)
                for identity in range(chance.randrange(1, 20)):
                    if self.over.is_set():
                        break
                    self.ask(client, chance, identity)
                if chance.random() < 0.3:
                    # Leaves while the server thinks.
                    client.send({"id": 99, "do": "analyze", "game": "cachex", "size": 15, "moves": [], "seconds": 60})
                client.close()
            except TurnedAway:
                with self.lock:
                    self.turned_away += 1
            except (OSError, ValueError, KeyError) as problem:
                with self.lock:
                    self.lost.append(repr(problem))

    def ask(self, client, chance, identity):
        game, size = chance.choice([("cachex", 7), ("cachex", 15), ("hex", 11), ("y", 5), ("link", 6), ("gale", 5)])
        request = {"id": identity, "game": game, "size": size, "moves": []}
        request |= chance.choice(
            [
                {"do": "states", "from": 0},
                {"do": "move", "visits": chance.randrange(1, 30)},
                {"do": "move", "level": "casual"},
                {"do": "analyze", "seconds": 0.2},
                {"do": "move", "seconds": -1},
            ]
        )
        client.send(request)
        while True:
            answer = client.hear()
            if answer["id"] != identity:
                raise ValueError(f"an answer to {answer['id']} in place of {identity}")
            if not ("analysis" in answer and not answer["analysis"]["done"]):
                break
        with self.lock:
            self.answers += 1

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


def memory(process):
    """Returns the memory of a process in MB, and its file handles; none of a process that has ended."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        kilobytes = int(status.split("VmRSS:")[1].split()[0])
        return kilobytes / 1024, len(os.listdir(f"/proc/{process.pid}/fd"))
    except (OSError, IndexError):
        return 0.0, 0


class Losses:
    """What was lost, in words."""

    def __init__(self):
        self.told = []

    def note(self, what):
        print(f"LOST: {what}", flush=True)
        self.told.append(what)


class Training:
    """A run that is killed and taken up again."""

    def __init__(self, program, folder, losses):
        self.program, self.folder, self.losses = program, folder, losses
        self.iterations = self.kills = self.games = 0
        (folder / "tiny.toml").write_text(RECIPE)

    def start(self):
        words = [self.program, "train", "--no-matches", "--run", "run", "--games", "1000000000", "--workers", "1"]
        words += ["--resume"] if (self.folder / "run" / "recipe.toml").exists() else ["--recipe", "tiny.toml"]
        errors = open(self.folder / "errors", "a", encoding="utf-8")
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=errors)

    def check(self):
        """Compares what is there with what was there before."""
        run = self.folder / "run"
        lines = (run / "metrics.jsonl").read_text().splitlines() if (run / "metrics.jsonl").exists() else []
        numbers = [json.loads(line)["iteration"] for line in lines]
        if numbers != list(range(1, len(numbers) + 1)):
            self.losses.note(f"lines of metrics.jsonl: {numbers[-5:]} at the end")
        if len(numbers) + 1 < self.iterations:
            self.losses.note(f"{self.iterations - len(numbers)} finished iterations")
        for number in range(len(numbers)):
            if not (run / "games" / f"{number:06}.games").exists():
                self.losses.note(f"the games of iteration {number}")
        if [*run.glob("**/*.damaged"), *run.glob("**/*.unused")]:
            self.losses.note("files were set aside")
        errors = (self.folder / "errors").read_text()
        if "panicked" in errors:
            self.losses.note(f"a panic: {errors[-500:]}")
        self.iterations = len(numbers)
        self.games = json.loads(lines[-1])["games"] if lines else 0

    def kill_again_and_again(self, until, chance):
        while time.monotonic() < until:
            process = self.start()
            time.sleep(chance.uniform(0.1, 20.0))
            if process.poll() is not None:
                self.losses.note(f"training ended by itself with {process.returncode}: {(self.folder / 'errors').read_text()[-500:]}")
                return
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.kills += 1
            self.check()


def fill_disk(program, folder, losses, until, chance):
    """Trains on a small disk that others fill up and empty again. Returns how often it was full, or why it was not tried."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], capture_output=True, text=True, check=False)
    if mounted.returncode:
        return f"not tried: {mounted.stderr.strip()}"
    times = 0
    try:
        training = Training(program, disk, losses)
        while time.monotonic() < until:
            process = training.start()
            time.sleep(chance.uniform(1.0, 10.0))
            try:
                # Without a buffer, which would have to be written when the file is closed.
                with open(disk / "ballast", "wb", buffering=0) as ballast:
                    while process.poll() is None and time.monotonic() < until:
                        ballast.write(bytes(1 << 12))
            except OSError:
                times += 1
            # It says so and ends, or goes on if it writes nothing meanwhile.
            try:
                process.wait(timeout=chance.uniform(1.0, 10.0))
            except subprocess.TimeoutExpired:
                pass
            (disk / "ballast").unlink(missing_ok=True)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
            training.check()
        return f"full {times} times, {training.iterations} iterations finished"
    finally:
        subprocess.run(["umount", disk], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/hexzero", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    program, losses = options.program.resolve(), Losses()
    until = time.monotonic() + 60 * options.minutes
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hexzero-endurance-"))
    (folder / "killed").mkdir()

    said = open(folder / "server", "w+", encoding="utf-8")
    server = subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=said, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    before = memory(server)
    crowd = Crowd(port, options.clients)
    training = Training(program, folder / "killed", losses)
    full = ["not tried"]
    chance = random.Random(options.seed)
    others = [
        threading.Thread(target=training.kill_again_and_again, args=(until, random.Random(chance.random()))),
        threading.Thread(
            target=lambda: full.insert(0, fill_disk(program, folder, losses, until, random.Random(chance.random())))
        ),
    ]
    for thread in others:
        thread.start()
    peak = before
    while time.monotonic() < until:
        time.sleep(min(10.0, max(until - time.monotonic(), 0.1)))
        if server.poll() is not None:
            break
        now = memory(server)
        peak = tuple(map(max, peak, now))
        print(f"server: {now[0]:.0f} MB, {now[1]} handles; {crowd.answers} answers; {training.kills} kills", flush=True)
    for thread in others:
        thread.join()
    crowd.end()
    if server.poll() is not None:
        losses.note(f"the server ended with {server.returncode}")
    else:
        time.sleep(15)
        after = memory(server)
        if server.poll() is not None:
            losses.note(f"the server ended with {server.returncode}")
        print(
            f"memory of the server: {before[0]:.0f} MB at the start, {peak[0]:.0f} MB at most, {after[0]:.0f} MB when all had left; "
            f"handles: {before[1]}, {peak[1]}, {after[1]}"
        )
        if after[0] > MOST_KEPT or after[1] > before[1] + 4:
            losses.note("memory or handles of the server are not given back")
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)
    said.seek(0)
    if "panicked" in (words := said.read()):
        losses.note(f"the server panicked: {words[-500:]}")
    for problem in crowd.lost[:5]:
        losses.note(f"a client: {problem}")
    print(f"{crowd.answers} answers to {options.clients} clients, {len(crowd.lost)} lost; {crowd.turned_away} times a client was turned away")
    print(f"training killed {training.kills} times: {training.iterations} iterations, {training.games} games, all there" if not losses.told
          else f"training killed {training.kills} times: {training.iterations} iterations")
    print(f"disk: {full[0]}")
    print(f"{len(losses.told)} losses")
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(bool(losses.told))


if __name__ == "__main__":
    main()
