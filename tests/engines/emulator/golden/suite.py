"""The suite of all forms."""

from tests.engines.emulator.golden.comparing_forms import comparing_forms
from tests.engines.emulator.golden.converting_forms import converting_forms
from tests.engines.emulator.golden.float_forms import float_forms
from tests.engines.emulator.golden.form import Form
from tests.engines.emulator.golden.function_forms import function_forms
from tests.engines.emulator.golden.integer_forms import integer_forms


def all_forms() -> tuple[Form, ...]:
    """PTX forms by group, then the functions of CUDA C. Names are unique."""
    return (
        *integer_forms(),
        *float_forms(),
        *converting_forms(),
        *comparing_forms(),
        *function_forms(),
    )
