"""Runs a player in a process of its own, so that its time and memory can be measured.

    python -m referee.seat MODULE

It is asked in lines (``init red 8``, ``action``, ``turn blue PLACE 3 4``) and answers each with a line: how much CPU
time all calls have taken so far, the most address space in kibibytes, and the outcome. It imports as little as it can.
"""

import os
import sys
from importlib import import_module
from time import process_time


def peak():
    """Returns the most address space that this process has had, in kibibytes; 0 if the system does not report it."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmPeak:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def words_of(action):
    """Returns an action as it is sent. Anything else is sent as its ``repr``, for the referee to refuse."""
    if isinstance(action, tuple) and action and all(type(part) in (int, str) for part in action):
        return " ".join(str(part) for part in action)
    return "?%r" % (action,)


def action_of(words):
    return (words[0],) + tuple(int(number) for number in words[1:])


def serve(module, questions, answers):
    player, used = None, 0.0
    for line in questions:
        words = line.split()
        try:
            if words[0] == "load":
                module = import_module(module)
            begin, answer = process_time(), ""
            if words[0] == "init":
                player = module.Player(words[1], int(words[2]))
            elif words[0] == "turn":
                player.turn(words[1], action_of(words[2:]))
            elif words[0] == "action":
                answer = player.action()
            used += process_time() - begin
            answer = "ok " + (words_of(answer) if words[0] == "action" else "")
        except Exception as error:
            import traceback

            traceback.print_exc()
            answer = "failed %s: %s" % (type(error).__name__, str(error).replace("\n", " "))
        answers.write("%.6f %d %s\n" % (used, peak(), answer))
        answers.flush()


def main():
    # What a player prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(sys.argv[1], sys.stdin, answers)


if __name__ == "__main__":
    main()
