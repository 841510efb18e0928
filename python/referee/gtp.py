"""python -m referee.gtp MODULE [N [GAME]]: a player in the Go Text Protocol, for matches against other programs.

    hexzero arena "gtp:python3 -m referee.gtp some_player 8" alphabeta:2 --size 8
"""

import argparse
import os
import sys
from importlib import import_module

from .games import DEFAULT, IllegalMove, game_named, names

COMMANDS = ("protocol_version name version list_commands known_command boardsize clear_board play genmove undo "
            "quit").split()

# How many arguments the commands need that need any.
NEEDED = {"known_command": 1, "boardsize": 1, "play": 2, "genmove": 1}


class Session:
    """A game, and a player who knows all of its moves."""

    def __init__(self, module, n, game):
        self.module, self.n, self.game = module, n, game
        first, second = game.PLAYERS
        self.colours = {"b": first, "black": first, first: first, "w": second, "white": second, second: second}
        self.begin([])

    def begin(self, moves):
        """Begins a game, with some moves already made. Each colour has a player, since either may be asked."""
        self.board, self.moves, self.players = self.game.Board(self.n), [], {}
        for action in moves:
            self.play(action)

    def play(self, action):
        player = self.board.to_move
        self.board.play(action)
        self.moves.append(action)
        for other in self.players.values():
            other.turn(player, action)

    def player(self, colour):
        """Returns the player of a colour, made when first needed and then sent the moves so far."""
        if colour not in self.players:
            self.players[colour] = self.module.Player(colour, self.n)
            board = self.game.Board(self.n)
            for action in self.moves:
                self.players[colour].turn(board.to_move, action)
                board.play(action)
        return self.players[colour]

    def answer(self, command, arguments):
        if len(arguments) < NEEDED.get(command, 0):
            raise ValueError("syntax error: too few arguments")
        if command == "protocol_version":
            return "2"
        if command == "name":
            return self.module.__name__
        if command == "version":
            return "0"
        if command == "list_commands":
            return "\n".join(COMMANDS)
        if command == "known_command":
            return str(arguments[0] in COMMANDS).lower()
        if command == "boardsize":
            self.game.Board(int(arguments[0]))
            self.n = int(arguments[0])
            return self.begin([])
        if command == "clear_board":
            return self.begin([])
        if command == "undo":
            if not self.moves:
                raise ValueError("cannot undo")
            return self.begin(self.moves[:-1])
        if command in ("play", "genmove"):
            colour = arguments[0].lower()
            if colour not in self.colours:
                raise ValueError("there is no colour '%s', but %s" % (colour, ", ".join(self.colours)))
            if self.colours[colour] != self.board.to_move:
                raise ValueError("it is %s's turn" % self.board.to_move)
        if command == "play":
            return self.play(self.game.action(arguments[1]))
        if command == "genmove":
            action = self.player(self.board.to_move).action()
            self.play(action)
            return self.game.vertex(action)
        if command == "quit":
            return ""
        raise ValueError("unknown command")


def arguments():
    parser = argparse.ArgumentParser(prog="referee.gtp", description="Speaks the Go Text Protocol for a Python player.")
    parser.add_argument("module", metavar="MODULE", help="the module or package of the player, with a class Player")
    parser.add_argument("n", type=int, nargs="?", default=8, metavar="N", help="the board's size (default: %(default)s)")
    parser.add_argument("game", choices=names(), nargs="?", default=DEFAULT, help="the game (default: %(default)s)")
    told = parser.parse_args()
    try:
        told.module = import_module(told.module)
    except ImportError as problem:
        parser.error(str(problem))
    return told


def main():
    told = arguments()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    session = Session(told.module, told.n, game_named(told.game))
    for line in sys.stdin:
        words = line.split("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            reply = "=%s %s" % (number, session.answer(words[0], words[1:]) or "")
        except (IllegalMove, ValueError, KeyError, IndexError) as problem:
            reply = "?%s %s" % (number, problem)
        answers.write(reply.rstrip() + "\n\n")
        answers.flush()
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
