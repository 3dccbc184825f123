"""The system calls that a worker may make: one policy, as a BPF program and as a Docker profile."""

from grader.sandbox.seccomp.bpf import bpf_program
from grader.sandbox.seccomp.numbers import supported_machines
from grader.sandbox.seccomp.oci import docker_profile
from grader.sandbox.seccomp.policy import FOR_TOOLS, LOCAL_SOCKETS, Conditional

__all__ = ["FOR_TOOLS", "LOCAL_SOCKETS", "Conditional", "bpf_program", "docker_profile", "supported_machines"]
