"""Runs training and a server with clients for an hour, and checks that their memory does not grow.

    python3 tests/endurance/soak.py --program target/release/hexzero --minutes 60

Nothing is killed (endure.py does that). The memory and the file handles of both are read every second. In the last third of the
time a process may take at most a tenth and 8 MB more memory than in the second third, and at most 8 more handles. The exit code is 1
if it takes more, if one of them ended, or if the time was too short to judge. Needs Linux.
"""

import argparse
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from endure import RECIPE, Crowd, memory


def flat(samples):
    """Returns the most memory and handles of each third of three samples or more, and whether the last third stays as the second."""
    third = len(samples) // 3
    parts = [samples[:third], samples[third : 2 * third], samples[2 * third :]]
    most = [tuple(map(max, zip(*part))) for part in parts]
    return most, most[2][0] <= 1.1 * most[1][0] + 8 and most[2][1] <= most[1][1] + 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/hexzero", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=20)
    options = parser.parse_args()
    program = options.program.resolve()
    faults = []
    with tempfile.TemporaryDirectory(prefix="hexzero-soak-") as folder:
        folder = pathlib.Path(folder)
        (folder / "tiny.toml").write_text(RECIPE)
        said = open(folder / "said", "w+", encoding="utf-8")
        serve = [program, "serve", "--port", "0", "--memory", "128"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=said, text=True)
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        train = [program, "train", "--no-matches", "--recipe", "tiny.toml", "--run", "run", "--games", "1000000000", "--workers", "1"]
        training = subprocess.Popen(train, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        crowd = Crowd(port, options.clients)
        processes = {"server": server, "training": training}
        samples = {name: [] for name in processes}
        until = time.monotonic() + 60 * options.minutes
        while time.monotonic() < until:
            time.sleep(1)
            for name, process in processes.items():
                if process.poll() is not None:
                    faults.append(f"the {name} ended with {process.returncode}")
                    until = 0
                    continue
                samples[name].append(memory(process))
        crowd.end()
        for name, found in samples.items():
            if len(found) < 3:
                faults.append(f"{len(found)} samples of the {name} are too few to judge")
                continue
            most, stays = flat(found)
            print(f"{name}: at most " + ", ".join(f"{megabytes:.0f} MB and {handles} handles" for megabytes, handles in most))
            if not stays:
                faults.append(f"the memory or the handles of the {name} grow")
        for process in processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=60)
        metrics = folder / "run" / "metrics.jsonl"
        iterations = len(metrics.read_text().splitlines()) if metrics.exists() else 0
        print(f"{options.minutes:g} minutes: {crowd.answers} answers to {options.clients} clients, {len(crowd.lost)} lost; {iterations} iterations")
        faults += [f"a client: {problem}" for problem in crowd.lost[:3]]
        said.seek(0)
        if "panicked" in said.read():
            faults.append("a panic")
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
