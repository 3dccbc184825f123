"""What courses write in a manifest is accepted, or refused in words that say what to write instead."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.labs.convert import ManifestError
from grader.labs.folder import load_lab
from tests.labs.example_lab import GOOD, LAB, folder_of_labs

PARAMS = '["const float32 x[n]", "float32 y[n]", "int32 n"]'


def loaded(root: Path, manifest: str) -> None:
    folder_of_labs(root, manifest=manifest)
    load_lab(root / "labs" / "scale", root / "reference" / "scale")


def params(text: str) -> Callable[[str], str]:
    return lambda good: good.replace(PARAMS, text)


REFUSED = {
    "a factor without a place": (
        params('["const float32 x[n]", "float32 y[n]", "float32 c"]'),
        "values = { c = 0.5 }",
    ),
    "a factor among the sizes": (
        lambda good: good.replace("n = 100", "n = 100, c = 0.5"),
        "values = { c = 0.5 }",
    ),
    "memory spaces of C": (params('["__constant__ float32 m[25]", "float32 y[n]"]'), "symbols = "),
    "an array of pointers": (params('["const float32 **x", "float32 y[n]"]'), "one of offsets"),
    "an array without sizes": (params('["const float32 *x", "float32 y[n]"]'), "write the sizes"),
    "names of C": (params('["const half x[n]", "float32 y[n]"]'), "write float16"),
    "the struct of a header": (params('["const struct Body b[n]", "float32 y[n]"]'), r"\[\[structs\]\]"),
    "volatile": (params('["volatile int32 f[n]", "float32 y[n]"]'), "inout int32 flags"),
    "a vector without a value": (
        params('["const float32 x[n]", "float32 y[n]", "float4 light"]'),
        r"values = { light = \[0.5, 0.5, 0.5, 0.5\] }",
    ),
    "a vector of too few numbers": (
        lambda good: good.replace(PARAMS, '["const float32 x[n]", "float32 y[n]", "int2 at"]').replace(
            "sizes = {", "values = { at = [1] }\nsizes = {", 1
        ),
        r"needs 2 numbers, e.g. \[1, 1\]",
    ),
    "a number that a member cannot hold": (
        lambda good: good.replace(PARAMS, '["const float32 x[n]", "float32 y[n]", "uchar2 at"]').replace(
            "sizes = {", "values = { at = [1, 256] }\nsizes = {", 1
        ),
        r"at\[1\] is 256, which uint8 cannot hold",
    ),
    "a struct without a member": (
        lambda good: (
            good.replace(PARAMS, '["const float32 x[n]", "float32 y[n]", "Lens lens"]')
            .replace(
                "[[kernels]]",
                '[[structs]]\nname = "Lens"\nmembers = ["float32 gain", "uint8 kind"]\n\n[[kernels]]',
                1,
            )
            .replace("sizes = {", "values = { lens = { gain = 1 } }\nsizes = {", 1)
        ),
        r"e.g. { gain = 0.5, kind = 1 }",
    ),
    "two parameters of one name": (params('["const float32 x[n]", "float32 x[n]"]'), "a parameter x already"),
    "a word for outputs": (
        params('["const float32 x[n]", "out float32 y[n]"]'),
        r"'float32 a\[n\]' for an output",
    ),
    "brackets without a size": (params('["const float32 x[]", "float32 y[n]"]'), "write the sizes"),
    "an array of negative size": (lambda good: good.replace("n = 100", "n = -5"), "at least one element"),
    "a negative tolerance": (lambda good: good.replace("factor = 0.0", "factor = -1"), "0 or more"),
    "a tolerance that is no number": (lambda good: good.replace("factor = 0.0", "factor = nan"), "0 or more"),
    "a language by its name": (
        lambda good: good.replace('title = "', 'handouts = ["english"]\ntitle = "'),
        "write e.g. en, ru or zh",
    ),
    "a kernel of two words": (
        lambda good: good.replace('"scale"\nparams', '"my scale"\nparams'),
        "no name of a function",
    ),
    "a variable without a size": (
        lambda good: good.replace("block = [", 'symbols = ["float32 c"]\nblock = [', 1),
        r"write 'float32 c\[1\]'",
    ),
    "a struct in a struct": (
        lambda good: (
            good + '\n[[structs]]\nname = "A"\nmembers = ["float32 x"]\n'
            '[[structs]]\nname = "B"\nmembers = ["A a"]\n'
        ),
        "write its members in its place",
    ),
    "a weight of an unknown kernel": (
        lambda good: good + "\n[rubric.weights]\nscales = 2\n",
        "'scales', which is not one of scale",
    ),
    "a weight of nothing": (lambda good: good + "\n[rubric.weights]\nscale = 0\n", "a number above 0"),
    "no output": (params('["const float32 x[n]", "int32 n"]'), "writes no array"),
    "an unknown check of technique": (
        lambda good: good + '\n[[rubric.technique]]\nkernel = "scale"\ncheck = "shared"\npoints = 1\n',
        "uses-shared-memory.*no-shared-memory.*no-bank-conflicts.*coalesced",
    ),
    "an unknown use": (lambda good: good.replace('"check", "time"', '"check", "speed"'), "check.*time"),
    "an unknown engine": (
        lambda good: good.replace("sizes = { n", 'engines = ["gpu"]\nsizes = { n'),
        "emulator.*cuda",
    ),
    "an unknown language": (
        lambda good: good.replace('baseline = "global"', 'baseline = "global"\nlanguages = ["cuda"]'),
        "cuda-c.*numba",
    ),
    "an unknown kernel of a rule": (
        lambda good: good.replace('kernel = "scale"\nat', 'kernel = "scales"\nat'),
        "one of scale",
    ),
    "an unknown key": (lambda good: good.replace('title = "', 'titel = "'), "title"),
}


PROGRAM = """
[[programs]]
name = "twice"
params = [
    "const float32 x[n]", "float32 y[n]", "const int32 z[n]", "const float32 w[5]", "scratch float32 s[5]", "int32 n",
]
steps = [{ launch = "scale" }]
"""
WITH_PROGRAM = (
    GOOD.replace('kernels = ["scale"]', 'kernels = ["twice"]').replace('kernel = "scale"', 'kernel = "twice"')
    + PROGRAM
)
STEPS = {
    "a loop without steps": ('{ launch = "scale" }, { repeat = 3 }', "repeat has no steps"),
    "rounds below zero": (
        '{ repeat = "n - 200", steps = [{ launch = "scale" }] }',
        r"is -100.*max\(n - 200, 0\)",
    ),
    "a key of another step": (
        '{ launch = "scale" }, { zero = "y", byte = 3 }',
        "byte belongs to fill, not to zero",
    ),
    "a bound of a counted loop": (
        '{ repeat = 3, most = 4, steps = [{ launch = "scale" }] }',
        "most belongs to while or until",
    ),
    "steps of a launch": ('{ launch = "scale", steps = [{ launch = "scale" }] }', "steps belongs to repeat"),
    "an array of another type": ('{ launch = "scale", args = { x = "z" } }', "holds float32, and z int32"),
    "an array that is too small": (
        '{ launch = "scale", args = { x = "w" } }',
        "has 400 bytes, and w only 20",
    ),
    "an input that a kernel writes": ('{ launch = "scale", args = { y = "x" } }', "x is an input.*inout"),
    "an output that nothing writes": ('{ launch = "scale", args = { y = "s", n = 5 } }', "no step writes it"),
    "a swap of other sizes": ('{ swap = ["y", "s"] }, { launch = "scale" }', "cannot be swapped"),
    "a swap of a number": ('{ swap = ["y", "n"] }, { launch = "scale" }', "n is no declared array"),
    "a number of no whole value": (
        '{ launch = "scale", args = { n = 0.5 } }',
        "int32 needs a number such as 1",
    ),
}


@pytest.mark.parametrize("what", STEPS)
def test_a_refusal_of_a_step_says_what_to_write(tmp_path: Path, what: str) -> None:
    steps, said = STEPS[what]
    with pytest.raises(ManifestError, match=said) as refused:
        loaded(tmp_path, WITH_PROGRAM.replace('[{ launch = "scale" }]\n', f"[{steps}]\n"))
    assert "lab.toml line 39" in str(refused.value)


def test_a_rung_names_the_program_and_not_its_part(tmp_path: Path) -> None:
    loaded(tmp_path / "right", WITH_PROGRAM)
    with pytest.raises(ManifestError, match="scale is a part of twice; write twice"):
        loaded(tmp_path / "wrong", WITH_PROGRAM.replace('kernels = ["twice"]', 'kernels = ["scale"]'))


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_says_what_to_write(tmp_path: Path, what: str) -> None:
    change, said = REFUSED[what]
    manifest = change(GOOD)
    assert manifest != GOOD
    with pytest.raises(ManifestError, match=said) as refused:
        loaded(tmp_path, manifest)
    assert "lab.toml line" in str(refused.value)


@pytest.mark.parametrize(
    "accepted",
    [
        '["const uint8 x[n]", "float32 y[n]", "int32 n"]',
        '["const float16 x[n]", "inout float4 y[n]"]',
        '["const uchar4 x[n]", "float32 y[log2(2 ** 3) * n]"]',
        '["const bool x[n]", "scratch int32 s[2 ** ceil(log2(n))]", "float64 y[n]"]',
    ],
)
def test_types_and_sizes_of_courses_are_accepted(tmp_path: Path, accepted: str) -> None:
    loaded(tmp_path, GOOD.replace(PARAMS, accepted))


def test_validate_names_a_broken_lab_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "grader.toml").write_text('[labs]\nfolders = ["labs"]\n', encoding="utf-8")
    folder_of_labs(tmp_path, manifest=GOOD.replace(PARAMS, '["const half x[n]"]'))
    folder_of_labs(tmp_path, manifest=GOOD.replace('"scale"\nv', '"other"\nv'), code=LAB, name="other")
    monkeypatch.chdir(tmp_path)
    assert run(["labs", "validate", "scale", "other"]) == 1
    output = capsys.readouterr().out
    assert "write float16" in output.replace("\n", "")
    assert "starter" in output


def test_a_shared_header_that_is_nowhere_is_named_with_its_rung(tmp_path: Path) -> None:
    folder_of_labs(tmp_path, manifest=GOOD)
    rung = tmp_path / "reference" / "scale" / "global.cu"
    rung.write_text('#include "tile.cuh"\n', encoding="utf-8")
    with pytest.raises(ManifestError, match=r"global.cu includes tile.cuh.*common = "):
        load_lab(tmp_path / "labs" / "scale", tmp_path / "reference" / "scale")
    (tmp_path / "reference" / "shared").mkdir()
    (tmp_path / "reference" / "shared" / "tile.cuh").write_text("", encoding="utf-8")
    manifest = tmp_path / "labs" / "scale" / "lab.toml"
    manifest.write_text(GOOD.replace('title = "', 'common = "shared"\ntitle = "'), encoding="utf-8")
    load_lab(tmp_path / "labs" / "scale", tmp_path / "reference" / "scale")
