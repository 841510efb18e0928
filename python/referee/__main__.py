"""python -m referee N RED_MODULE BLUE_MODULE"""

import argparse

from .match import Match, NoPlayer


def main():
    parser = argparse.ArgumentParser(prog="referee", description="Plays a game of Cachex between two Python players.")
    parser.add_argument("n", type=int, choices=range(3, 16), metavar="N", help="the board's side, 3 to 15")
    parser.add_argument("red", help="the module or package of the first player, with a class Player")
    parser.add_argument("blue", help="that of the second")
    parser.add_argument("-t", "--seconds", type=float, help="CPU time of each player for the game (default: N * N)")
    parser.add_argument("-s", "--space", type=float, default=100, metavar="MB",
                        help="address space of each player's process (default: 100; 0 for any)")
    parser.add_argument("-q", "--quiet", action="store_true", help="tell only how the game ended")
    arguments = parser.parse_args()

    def watch(player, action):
        if not arguments.quiet:
            print(player, *action, flush=True)

    match = Match(arguments.n, {"red": arguments.red, "blue": arguments.blue}, arguments.seconds, arguments.space)
    try:
        print("result:", match.play(watch))
    except NoPlayer as problem:
        parser.error(str(problem))
    for player, seat in match.seats.items():
        print("%s: %.2f s of %.2f s, %.1f MB" % (player, seat.used, seat.seconds, seat.peak / 1024))


if __name__ == "__main__":
    main()
