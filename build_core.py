"""Builds the native core of the solver into the package; hatchling calls it for every wheel, `make` by hand.

Where there is no compiler, or Python's headers are missing, nothing is built: the package then uses its plain core.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).parent
SOLVER = HERE / "src" / "ananas" / "solver"
NATIVE = SOLVER / "native"
BUILT = SOLVER / "_core.abi3.so"
FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-Wall", "-Wextra")


def compilers() -> list[list[str]]:
    """What may compile C here: what CC says, the system's compilers, the one that PyPI's `ziglang` brings."""
    named = [shlex.split(os.environ["CC"])] if os.environ.get("CC") else []
    found = [[path] for name in ("cc", "gcc", "clang") if (path := shutil.which(name))]
    zig = [sys.executable, "-m", "ziglang", "cc"]
    has_zig = subprocess.run([*zig, "--version"], capture_output=True, check=False).returncode == 0  # noqa: S603
    return [*named, *found, *([zig] if has_zig else [])]


def build_core(target: Path = BUILT, flags: tuple[str, ...] = FLAGS) -> bool:
    """Build the core unless it is newer than its sources; tell whether it is there."""
    sources = sorted(NATIVE.glob("*.[ch]"))
    if target.is_file() and all(source.stat().st_mtime <= target.stat().st_mtime for source in sources):
        return True
    include = sysconfig.get_path("include")
    reasons: list[str] = []
    for compiler in compilers():
        part = target.with_suffix(f".{os.getpid()}")
        command = [*compiler, *flags, f"-I{include}", str(NATIVE / "core.c"), "-o", str(part), "-lm"]
        made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if made.returncode == 0:
            part.replace(target)
            return True
        reasons.append(f"{shlex.join(compiler)}: {(made.stderr.strip() or 'failed').splitlines()[0]}")
    target.unlink(missing_ok=True)
    print("The native core was not built; the plain one will be used:", *(reasons or ["no compiler"]), file=sys.stderr)  # noqa: T201
    return False


if __name__ == "__main__":
    build_core()
