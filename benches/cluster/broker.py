"""Processes of a cluster for the benchmarks beside this file."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

RECIPE = """\
game = "cachex"
seed = {seed}

[network]
blocks = 4
channels = 32

[selfplay]
sizes = [{{ size = 7, weight = 1.0 }}]

[training]
games_per_iteration = {games}
reuse = {reuse}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A broker with its store in a folder of its own, and processes that use it; all end with the block."""

    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hexzero-cluster-"))
        self.processes = []
        server = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        if not server:
            raise SystemExit("nats-server is not installed (Debian: apt install nats-server)")
        port = free_port()
        self.address = f"nats://127.0.0.1:{port}"
        self.broker = self.start([server, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", str(self.folder / "js")], "broker")
        time.sleep(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, command, said, **more):
        output = open(self.folder / said, "w")
        process = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT, **more)
        self.processes.append(process)
        return process

    def hexzero(self, words, said):
        return self.start([self.program, *words.split()], said, stdin=subprocess.DEVNULL)

    def said(self, name):
        return (self.folder / name).read_text()

    def wait_for(self, said, text):
        while text not in self.said(said):
            time.sleep(0.05)

    def status(self):
        words = [self.program, "cluster", "status", "--json", "--cluster", self.address]
        answer = subprocess.run(words, capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None


def processor_seconds(process):
    """Returns the processor time of a process so far, as user and as system."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(process):
    """Returns the peak memory of a process in MiB."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")) / 1024
