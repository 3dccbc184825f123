"""A second host on this machine: its own name and, where the kernel allows it, its own network."""

import secrets
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

NAME = "far-host"


@dataclass(frozen=True, slots=True, kw_only=True)
class FarHost:
    """``address`` is that of this machine as the host sees it; ``prefix`` begins a command that runs there."""

    address: str
    prefix: Sequence[str]
    has_network: bool


@contextmanager
def far_host() -> Iterator[FarHost]:
    """A host until the end of the block. It needs root."""
    rename = ("unshare", "--uts", "sh", "-c", f'hostname {NAME} && exec "$@"', "sh")
    tag = secrets.token_hex(3)
    space, near, far = f"grader-{tag}", f"gn{tag}", f"gf{tag}"
    net = secrets.randbelow(200)
    address = f"10.213.{net}.1"
    steps = (
        ("ip", "netns", "add", space),
        ("ip", "link", "add", near, "type", "veth", "peer", "name", far),
        ("ip", "link", "set", far, "netns", space),
        ("ip", "addr", "add", f"{address}/30", "dev", near),
        ("ip", "link", "set", near, "up"),
        ("ip", "-n", space, "addr", "add", f"10.213.{net}.2/30", "dev", far),
        ("ip", "-n", space, "link", "set", far, "up"),
        ("ip", "-n", space, "link", "set", "lo", "up"),
    )
    with ExitStack() as undo:
        undo.callback(_quietly, "ip", "netns", "del", space)
        undo.callback(_quietly, "ip", "link", "del", near)
        if all(_quietly(*step) for step in steps):
            yield FarHost(address=address, prefix=("ip", "netns", "exec", space, *rename), has_network=True)
        else:
            yield FarHost(address="127.0.0.1", prefix=rename, has_network=False)


def _quietly(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
