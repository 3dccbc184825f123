"""What a lab is made of."""

import pytest

from grader.grading.rungs import rung_files, rung_sources
from grader.labs.lab import Lab
from tools.labs import built_in_labs

LABS = built_in_labs().labs.values()


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_every_file_of_its_rungs_lies_in_its_folders(lab: Lab) -> None:
    """What is stored about a submission is known by the digest of these folders."""
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            for path in rung_files(lab, rung, language):
                assert any(folder in path.parents for folder in lab.folders)


def test_code_that_labs_share_is_theirs_all() -> None:
    sharing = [lab for lab in LABS if lab.common is not None]
    assert sharing
    assert all(lab.common in lab.folders for lab in sharing)
