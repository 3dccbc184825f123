"""Devices that an operator pauses: they end the job that they run and get no other until they are resumed.

A pause is a claim on the device in the store, so that it outlives the dispatcher.
"""

from grader.store.ports import Claims

_FOREVER = 10 * 365 * 24 * 3600.0


def pause(claims: Claims, device: str, who: str) -> bool:
    """Pause the device with the id ``device``. Returns: whether ``who`` pauses it; else another person did before."""
    return claims.claim(_key(device), who, _FOREVER)


def resume(claims: Claims, device: str) -> bool:
    """Let the device get jobs again. Returns: whether it was paused."""
    holder = claims.holder(_key(device))
    return holder is not None and claims.release(_key(device), holder.owner)


def paused_by(claims: Claims, device: str) -> str:
    """Who paused the device; empty if it is not paused."""
    holder = claims.holder(_key(device))
    return "" if holder is None else holder.owner


def _key(device: str) -> str:
    return f"device paused {device}"
