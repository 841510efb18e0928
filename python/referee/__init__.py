"""A referee of Cachex for players in Python.

A player is a module with a class ``Player``: ``Player(player, n)`` with ``"red"`` or ``"blue"``; ``action()`` gives
``("PLACE", r, q)`` or ``("STEAL",)``; and ``turn(player, action)`` is called after every move, whoever made it.
"""
