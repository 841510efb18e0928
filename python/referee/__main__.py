"""python -m referee N FIRST_MODULE SECOND_MODULE"""

import argparse

from .games import DEFAULT, game_named, names
from .match import Match, NoPlayer


def main():
    parser = argparse.ArgumentParser(prog="referee", description="Plays a game between two Python players.")
    parser.add_argument("n", type=int, metavar="N", help="the board's size")
    parser.add_argument("first", metavar="FIRST", help="the module or package of the first player, with a class Player")
    parser.add_argument("second", metavar="SECOND", help="that of the second")
    parser.add_argument("-g", "--game", choices=names(), default=DEFAULT, help="the game (default: %(default)s)")
    parser.add_argument("-t", "--seconds", type=float, help="CPU time of each player for the game (default: N * N)")
    parser.add_argument("-s", "--space", type=float, default=100, metavar="MB",
                        help="address space of each player's process (default: 100; 0 for any)")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only how the game ended")
    arguments = parser.parse_args()
    sizes = game_named(arguments.game).SIZES
    if arguments.n not in sizes:
        told = (arguments.game, sizes[0], sizes[-1], arguments.n)
        parser.error("the boards of %s have sizes %d to %d, not %d" % told)

    def watch(player, action):
        if not arguments.quiet:
            print(player, *action, flush=True)

    modules = (arguments.first, arguments.second)
    match = Match(arguments.n, modules, arguments.seconds, arguments.space, game=arguments.game)
    try:
        print("result:", match.play(watch))
    except NoPlayer as problem:
        parser.error(str(problem))
    for player, seat in match.seats.items():
        print("%s: %.2f s of %.2f s, %.1f MB" % (player, seat.used, seat.seconds, seat.peak / 1024))


if __name__ == "__main__":
    main()
