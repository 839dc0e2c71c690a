"""The build backend: setuptools', and a wheel that holds the machine code of all kernels.

They are compiled for the baseline of processors in `grammars.jit.machine_code`, in as many processes as there are
cores, so that what is installed starts without compiling. An editable install, and a processor below the baseline,
compiles on first use instead.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

USES = ("grammars.warmup:warm_up", "gateway.engine.cpu_kernels.signatures:signatures")


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """A wheel for this Python, this system and the baseline of its processors; its name."""
    pure = Path(wheel_directory, build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
    with tempfile.TemporaryDirectory() as folder:
        name = with_machine_code(pure, compiled(pure, Path(folder)))
    pure.unlink()
    return name


def compiled(pure: Path, folder: Path) -> dict[str, bytes]:
    """The machine code of all kernels of a wheel, by its place in it."""
    with zipfile.ZipFile(pure) as wheel:
        wheel.extractall(folder)
    # Behind the wheel's own modules stand those of the build environment, which pip names in the same variable.
    paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    code = "import sys, grammars.jit.machine_code as kept; print(*kept.BASELINES[sys.argv[1]][:2])"
    told = subprocess.run(  # noqa: S603  our own sources
        [sys.executable, "-c", code, platform.machine()], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    environment["NUMBA_CPU_NAME"], environment["NUMBA_CPU_FEATURES"] = told.stdout.split()
    subprocess.run([sys.executable, "-m", "grammars.warmup", *USES], env=environment, check=True)  # noqa: S603
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.nbc"))}
    if not files:
        raise RuntimeError("no kernel was compiled")
    return files


def with_machine_code(pure: Path, files: Mapping[str, bytes]) -> str:
    """Write the wheel once more, with these files and the tags of what runs them; its name."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    distribution, version = pure.name.split("-")[:2]
    info = f"{distribution}-{version}.dist-info"
    name = f"{distribution}-{version}-{tag}.whl"
    with zipfile.ZipFile(pure) as old, zipfile.ZipFile(pure.with_name(name), "w", zipfile.ZIP_DEFLATED) as new:
        contents = {each: old.read(each) for each in old.namelist()} | dict(files)
        said = contents[f"{info}/WHEEL"].decode()
        said = said.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
        contents[f"{info}/WHEEL"] = re.sub("(?m)^Tag: .*$", f"Tag: {tag}", said).encode()
        del contents[f"{info}/RECORD"]
        lines = io.StringIO()
        record = csv.writer(lines, lineterminator="\n")
        for each, content in contents.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.writerow((each, f"sha256={digest}", len(content)))
            new.writestr(each, content)
        record.writerow((f"{info}/RECORD", "", ""))
        new.writestr(f"{info}/RECORD", lines.getvalue())
    return name
