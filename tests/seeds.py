"""The two real exports, which lie beside the repository and not in it."""

import os
from pathlib import Path

import pytest

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
SLIDES_SEED = SEEDS / "000_8cb0227066b003dc.txt"
INTERMEDIATE_SEED = SEEDS / "002_7ef981cd75b4db70.txt"


def require_seeds() -> tuple[Path, Path]:
    """Return the paths of both exports; skip the test where they are absent, but fail it under CI."""
    if not SLIDES_SEED.exists() or not INTERMEDIATE_SEED.exists():
        if os.environ.get("CI"):
            pytest.fail(f"the real exports are not in {SEEDS}")
        pytest.skip(f"the real exports are not in {SEEDS}")
    return SLIDES_SEED, INTERMEDIATE_SEED


SAMPLES = SEEDS.parent / "samples"


def require_sample(name: str) -> Path:
    """Return the path of a real file of another format; skip the test where it is absent, but fail it under CI."""
    path = SAMPLES / name
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"the real file {name} is not in {SAMPLES}")
        pytest.skip(f"the real file {name} is not in {SAMPLES}")
    return path
