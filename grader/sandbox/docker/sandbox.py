"""The Docker sandbox: a container of its own for every worker."""

import dataclasses
import threading
from contextlib import ExitStack
from typing import Any, Self

import docker
import msgspec

from grader.errors import InfrastructureError, UserError
from grader.logs import Event, log
from grader.sandbox.child import make_pipes
from grader.sandbox.docker.container import Container
from grader.sandbox.docker.engine import ENGINE_ERRORS, connect, engine_operation
from grader.sandbox.docker.image import DEFAULT_IMAGE, HOW_TO_BUILD_FOR_A_GPU, tagged
from grader.sandbox.docker.options import NOBODY, environment, gpu_options, host_options, uses_toolkit
from grader.sandbox.docker.orphans import labels, remove_orphans
from grader.sandbox.docker.preflight import unfit_for_a_gpu
from grader.sandbox.docker.relay import Connection, Relay
from grader.sandbox.docker.toolkit import unsafe_toolkit
from grader.sandbox.gpu import Gpu, chosen_gpu
from grader.sandbox.worker_client import WorkerClient, wait_until_ready
from grader.worker.messages import WorkerLimits, WorkerSettings


class DockerSandbox:
    """Workers in containers. Thread-safe. Use it as a context manager, or ``close`` it.

    The engine may be on another machine: a worker needs only its image and its streams.
    """

    name = "docker"

    def __init__(self, cancelled: threading.Event | None = None, image: str = DEFAULT_IMAGE) -> None:
        """``cancelled``: when set, every request to a worker of this sandbox raises ``CancelledError``.

        ``image`` without a tag gets the tag of this version. Removes containers that ended graders of this machine
        left behind. Raises: ``InfrastructureError``.
        """
        self._cancelled = cancelled or threading.Event()
        self._image = tagged(image)
        self._lock = threading.Lock()
        self._containers: set[Container] = set()
        try:
            self._client = connect()
        except ENGINE_ERRORS as error:
            msg = f"the Docker engine cannot be reached: {error}"
            raise InfrastructureError(msg) from error
        with ExitStack() as undo:
            undo.callback(self._client.close)
            with engine_operation("report its capabilities"):
                self._info: dict[str, Any] = self._client.info()
            if removed := remove_orphans(self._client):
                log(Event.LEFTOVERS_REMOVED, what="containers", count=removed)
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the remaining workers."""
        with self._lock:
            left = list(self._containers)
        with ExitStack() as undo:
            undo.callback(self._client.close)
            for container in left:
                undo.callback(self._end, container)

    def worker(self, settings: WorkerSettings) -> WorkerClient:
        """Start a worker; see the port."""
        # The kernel counts processes of user 65534 over all containers; each container's own limit replaces that one.
        own = dataclasses.replace(settings.limits, processes=0)
        with ExitStack() as undo:
            container = self._container(dataclasses.replace(settings, limits=own), settings.limits)
            undo.callback(self._end, container)
            with engine_operation("attach to a worker's container"):
                connection = _attach(self._client, container.name)
            pipes, streams = make_pipes()
            relay = Relay(connection, streams)
            # Callbacks run in reverse order: the relay ends once the grader's ends of the pipes are closed.
            undo.callback(relay.close)
            undo.callback(pipes.close)
            container.attach(relay)
            with engine_operation("start a worker's container"):
                self._client.api.start(container.name)
            client = WorkerClient(container, pipes, container, self._cancelled, undo.pop_all())
        return wait_until_ready(client)

    def prepare(self, settings: WorkerSettings) -> None:
        """Do nothing: a worker starts on demand; a pool starts workers ahead."""

    def _container(self, settings: WorkerSettings, limits: WorkerLimits) -> Container:
        api = self._client.api
        options = host_options(limits, self._info)
        gpu = chosen_gpu() if settings.needs_gpu else None
        if gpu is not None:
            self._check_toolkit(gpu)
            self._check_gpu_image()
            options |= gpu_options(gpu, self._info)
        with engine_operation("make a worker's container"):
            created = api.create_container(
                self._image,
                [msgspec.json.encode(settings).decode()],
                user=NOBODY,
                stdin_open=True,
                environment=environment(gpu),
                labels=labels(),
                hostname="worker",
                host_config=api.create_host_config(**options),
            )
        container = Container(self._client, created["Id"])
        with self._lock:
            self._containers.add(container)
        return container

    def _check_toolkit(self, gpu: Gpu) -> None:
        if uses_toolkit(gpu, self._info) and (problem := unsafe_toolkit()) is not None:
            msg = f"A GPU cannot be given to a container: {problem}"
            raise UserError(msg, hint='Update the toolkit, or set sandbox.kind to "bubblewrap".')

    def _check_gpu_image(self) -> None:
        with engine_operation("inspect the worker image"):
            problem = unfit_for_a_gpu(self._client, self._image)
        if problem is not None:
            raise UserError(problem, hint=HOW_TO_BUILD_FOR_A_GPU)

    def _end(self, container: Container) -> None:
        """Remove ``container``; if the engine refuses now, ``close`` tries again."""
        container.kill()
        with self._lock:
            self._containers.discard(container)


class _Attached:
    """An attached stream: the socket, and its wrapper, which would close it when garbage-collected."""

    def __init__(self, attached: Any) -> None:
        # The wrapper depends on the kind of connection to the engine.
        self._attached = attached
        self._inner = getattr(attached, "_sock", attached)
        # No timeout: a worker sends nothing between requests.
        self._inner.settimeout(None)

    def recv(self, size: int, /) -> bytes:
        return bytes(self._inner.recv(size))

    def sendall(self, data: bytes, /) -> None:
        self._inner.sendall(data)

    def shutdown(self, how: int, /) -> None:
        self._inner.shutdown(how)

    def close(self) -> None:
        self._attached._response.close()  # noqa: SLF001 - it keeps the socket open


def _attach(client: docker.DockerClient, name: str) -> Connection:
    """Attach to the container's three streams."""
    params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    return _Attached(client.api.attach_socket(name, params=params))
