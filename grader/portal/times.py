"""Instants as people of the course read them."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from grader.course.rules import course_of
from grader.messages import Speech
from grader.policy.times import local_text
from grader.policy.wording import elapsed
from grader.portal.asked import Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Shows instants on the clocks of the course."""

    zone: ZoneInfo
    now: datetime
    speech: Speech

    @classmethod
    def of(cls, asked: Asked) -> "Times":
        """Those of a request."""
        return cls(zone=course_of(asked.workspace).zone, now=asked.now, speech=Speech(asked.visitor.language))

    def moment(self, when: datetime) -> str:
        """``when`` as a day and a time of the clock."""
        return self.speech.says("portal-moment", at=local_text(when, self.zone))

    def left(self, until: datetime) -> str:
        """The time until ``until``, which is to come."""
        return self.speech(elapsed(until - self.now))
