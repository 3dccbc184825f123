"""The runtime's error codes (``cudaError_t``) that the device process answers with."""

from enum import IntEnum


class Error(IntEnum):
    """Codes of ``driver_types.h``."""

    SUCCESS = 0
    INVALID_VALUE = 1
    NO_MEMORY = 2
    INVALID_CONFIGURATION = 9
    INVALID_SYMBOL = 13
    INVALID_CHANNEL_DESCRIPTOR = 20
    INVALID_FILTER_SETTING = 26
    INVALID_NORM_SETTING = 27
    INVALID_FUNCTION = 98
    INVALID_PTX = 218
    INVALID_HANDLE = 400
    NOT_READY = 600
    ILLEGAL_ADDRESS = 700
    ASSERT = 710
    LAUNCH_FAILURE = 719
    NOT_SUPPORTED = 801
