"""What Gymnasium calls to know the games by name; ``gymnasium`` finds it among the package's entry points."""

from ._hexzero import games


def register():
    """Registers each game as ``hexzero/NAME-v0``."""
    from gymnasium.envs.registration import register

    for name in games():
        register(
            id="hexzero/%s-v0" % name,
            entry_point="hexzero.environment:Env",
            vector_entry_point="hexzero.vector:VectorEnv",
            kwargs={"game": name},
        )
