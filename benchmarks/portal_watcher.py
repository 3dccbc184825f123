"""A student in a browser that does not give up: submits with a key, and follows the live state to its end."""

import time
from dataclasses import dataclass

import httpx2

_PAUSE_SECONDS = 0.3
_ANSWER_SECONDS = 10.0
_SEE_OTHER = 303
_SERVER_ERROR = 500
_END = "event: end"


@dataclass(slots=True, kw_only=True)
class Watched:
    """What the student saw. ``problem``: an answer that is no fault of the machine and no acceptance."""

    student: str
    attempt: int | None = None
    sent: int = 0
    connected: int = 0
    has_ended: bool = False
    problem: str = ""


def browser(url: str, session: str) -> httpx2.Client:
    """A browser of a student who is signed in."""
    return httpx2.Client(
        base_url=url,
        cookies={"grader-session": session},
        headers={"Origin": url},
        timeout=_ANSWER_SECONDS,
    )


def submit_and_watch(client: httpx2.Client, lab: str, student: str, source: bytes, until: float) -> Watched:
    """Play one student. ``until``: the monotonic time after which nothing more is tried."""
    seen = Watched(student=student)
    while seen.attempt is None and not seen.problem and time.monotonic() < until:
        _submit(client, lab, source, seen)
    while seen.attempt is not None and not seen.has_ended and time.monotonic() < until:
        _watch(client, seen, until)
    return seen


def _submit(client: httpx2.Client, lab: str, source: bytes, seen: Watched) -> None:
    seen.sent += 1
    try:
        answer = client.post(
            f"/labs/{lab}/attempts",
            files={"file": (f"{lab}.cu", source)},
            data={"key": f"key of {seen.student}"},
        )
    except httpx2.TransportError:
        time.sleep(_PAUSE_SECONDS)
        return
    if answer.status_code == _SEE_OTHER:
        seen.attempt = int(answer.headers["location"].rpartition("/")[2])
    elif answer.status_code >= _SERVER_ERROR or "retry-after" in answer.headers:
        time.sleep(_PAUSE_SECONDS)
    else:
        seen.problem = f"{answer.status_code}: {answer.text[:2000]}"


def _watch(client: httpx2.Client, seen: Watched, until: float) -> None:
    seen.connected += 1
    try:
        with client.stream("GET", f"/attempts/{seen.attempt}/events") as stream:
            for line in stream.iter_lines():
                if line == _END:
                    seen.has_ended = True
                    return
                if time.monotonic() > until:
                    return
    except httpx2.TransportError:
        pass
    time.sleep(_PAUSE_SECONDS)
