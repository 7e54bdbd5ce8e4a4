"""Picks one of some names by chance."""


def pick_one(rng, **shares):
    """Returns one of the names, each drawn as often as its share says."""
    return rng.choices(list(shares), list(shares.values()))[0]
