"""The policy as the JSON document that Docker reads (``--security-opt seccomp=...``)."""

import json
from typing import Any

from grader.sandbox.seccomp.policy import ABSENT, ALLOWED, CONDITIONAL, REFUSED, Conditional

_ARCHITECTURES = ("SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64")


def docker_profile() -> str:
    """The profile. Without sub-architectures, libseccomp kills a process that uses another calling convention."""
    allowed = {"names": list(ALLOWED), "action": "SCMP_ACT_ALLOW"}
    profile = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": REFUSED,
        "archMap": [{"architecture": name, "subArchitectures": []} for name in _ARCHITECTURES],
        "syscalls": [
            allowed,
            *(_absent(call, error) for call, error in ABSENT.items()),
            *(entry for rule in CONDITIONAL for entry in _conditional(rule)),
        ],
    }
    return json.dumps(profile, indent=1)


def _absent(call: str, error: int) -> dict[str, Any]:
    return {"names": [call], "action": "SCMP_ACT_ERRNO", "errnoRet": error}


def _conditional(rule: Conditional) -> list[dict[str, Any]]:
    """An entry per match: several in one entry would all have to hold."""
    return [
        {
            "names": [rule.call],
            "action": "SCMP_ACT_ALLOW",
            "args": [
                {
                    "index": match.argument,
                    "value": match.mask,
                    "valueTwo": match.value,
                    "op": "SCMP_CMP_MASKED_EQ",
                }
            ],
        }
        for match in rule.matches
    ]
