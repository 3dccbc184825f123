"""The system calls a worker may make: one policy, as a BPF program and as a Docker profile."""

from grader.sandbox.seccomp.bpf import bpf_program
from grader.sandbox.seccomp.numbers import supported_machines
from grader.sandbox.seccomp.oci import docker_profile

__all__ = ["bpf_program", "docker_profile", "supported_machines"]
