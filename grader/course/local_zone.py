"""The time zone of this machine."""

from zoneinfo import ZoneInfo

from babel.localtime import get_localzone


def local_zone() -> ZoneInfo:
    """The time zone of this machine; UTC if it has no name."""
    zone = get_localzone()
    return zone if isinstance(zone, ZoneInfo) and zone.key else ZoneInfo("UTC")
