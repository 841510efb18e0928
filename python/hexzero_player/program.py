"""The program as a child process, asked over the Go Text Protocol."""

import os
import select
import subprocess
import time


class ProgramError(Exception):
    """The program cannot be started, has ended, or does not do what it is asked."""


class Program:
    """A running program."""

    def __init__(self, words):
        self.words = words
        try:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as problem:
            raise ProgramError("cannot start '%s': %s; set the environment variable HEXZERO to the program hexzero"
                               % (words[0], problem.strerror)) from None
        self.pending = b""

    def ask(self, command, patience=60.0):
        """Returns the reply to a command, which must come within ``patience`` seconds."""
        if self.process.stdin.closed:
            raise self.ended(command)
        try:
            self.process.stdin.write((command + "\n").encode())
        except BrokenPipeError:
            raise self.ended(command) from None
        deadline = time.monotonic() + patience
        while b"\n\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self.close()
                raise ProgramError("%s: no reply to '%s' in %.1f s" % (self.words[0], command, patience))
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise self.ended(command)
            self.pending += more
        reply, self.pending = self.pending.split(b"\n\n", 1)
        text = reply.decode().strip()
        if not text.startswith("="):
            raise ProgramError("%s: '%s' was answered with '%s'" % (self.words[0], command, text))
        return text[1:].strip()

    def ended(self, command):
        """Returns the error for a program that has ended."""
        self.close()
        return ProgramError("%s: ended (exit code %s) when it was asked '%s'; its own message is on standard error"
                            % (self.words[0], self.process.returncode, command))

    def cpu_seconds(self):
        """Returns the CPU time that the program has used; 0 if the system does not report it."""
        try:
            with open("/proc/%d/stat" % self.process.pid) as stat:
                # The name, in parentheses, may hold spaces.
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        """Ends the program, if it still runs."""
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()
        try:
            # Without input it ends by itself once it has finished its last command.
            self.process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
