"""The page of the runtime's functions is that of the header and the sources."""

from grader.programs.toolchain import find_toolchain
from tools.runtime_functions_page import PAGE, page


def test_the_page_of_functions_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(find_toolchain().include), "run `python -m tools.runtime_functions_page`"


def test_the_page_lists_both_kinds() -> None:
    done, refused = PAGE.read_text(encoding="utf-8").split("## Refused by name")
    assert "`cudaMemcpy3D`" in done
    assert "`cudaMallocMipmappedArray`" in refused
