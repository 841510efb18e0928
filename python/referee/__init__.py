"""A referee for players in Python; ``games`` holds the rules.

A player is a module with a class ``Player``: ``Player(player, n)`` with a player's name, as ``"red"`` or ``"blue"``;
``action()`` gives the move to play as the game writes it, as ``("PLACE", r, q)`` or ``("STEAL",)``; and ``turn(player,
action)`` is called after every move of either player.
"""
