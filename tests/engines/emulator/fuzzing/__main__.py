"""Fuzz the emulator for crashes, hangs and stray accesses: ``python -m tests.engines.emulator.fuzzing --seconds 60``.

Exits with 1 if something failed.
"""

import argparse
import random
import sys
from pathlib import Path

from tests.engines.emulator.fuzzing.corpus import corpus, words_of
from tests.engines.emulator.fuzzing.hunt import CORES, hunt, mutant


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Run the fuzzer with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=CORES)
    parser.add_argument(
        "--everything", action="store_true", help="mutate all hand-ins, too (a minute to build)"
    )
    parser.add_argument("--keep", type=Path, help="a folder for the PTX of mutants that fail")
    arguments = parser.parse_args()
    specimens = corpus(everything=arguments.everything)
    catch = hunt(specimens, arguments.seconds, arguments.seed, cores=arguments.cores)
    tally = catch.tally
    _say(
        f"{tally.texts:,} mutants of {len(specimens)} kernels in {catch.seconds:.0f} s: {tally.mutations:,} mutations"
        f" and {tally.launches:,} odd launches, {(tally.mutations + tally.launches) / catch.seconds:.0f}/s"
    )
    for line in tally.lines():
        _say(f"  {line}")
    pool = words_of(specimens, random.Random(arguments.seed))
    for failure in catch.failures:
        _say(
            f"\nseed {arguments.seed}, mutant {failure.index}, launch {failure.launch} of {failure.specimen}:"
            f" {failure.what}"
        )
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            text = mutant(specimens, pool, arguments.seed, failure.index).text
            (arguments.keep / f"{arguments.seed}-{failure.index}.ptx").write_text(text.ptx, encoding="utf-8")
    _say(f"{len(catch.failures)} failures")
    return 1 if catch.failures else 0


if __name__ == "__main__":
    sys.exit(main())
