"""Renders all missing pictures in the background: render.py [--scratch FOLDER] [--only SLUG] [--views VIEWS]

Resumable: a picture that exists is skipped. While FOLDER/PAUSE exists, Blender is suspended.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageFilter

sys.dont_write_bytecode = True

from machine import HERE, load_machines  # noqa: E402
from textures import make_textures  # noqa: E402

VIEWS = ("open", "closed", "keys")
QUALITY = 84


def log(scratch: Path, line: str) -> None:
    with (scratch / "render.log").open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {line}\n")


def compile_denoiser(scratch: Path) -> Path:
    library = scratch / "libdenoise.so"
    if not library.exists():
        flags = ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, str(HERE / "denoise.c"), "-o", str(library), "-lm"], check=True)
    return library


def run_pausable(command: list[str], scratch: Path) -> None:
    """Runs at the lowest priority; raises CalledProcessError if the command fails."""
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}  # no busy-waiting threads on a busy machine
    with (scratch / "blender.log").open("w") as output:
        child = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, env=environment
        )
        stopped = False
        try:
            while child.poll() is None:
                wanted = (scratch / "PAUSE").exists()
                if wanted != stopped:
                    os.killpg(child.pid, signal.SIGSTOP if wanted else signal.SIGCONT)
                    stopped = wanted
                time.sleep(0.5)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)


def take(slug: str, view: str, scratch: Path, samples: int) -> None:
    while (scratch / "PAUSE").exists():
        time.sleep(0.5)
    started = time.monotonic()
    make_textures(slug, scratch / "textures")
    raw = scratch / f"{slug}-{view}.png"
    raw.unlink(missing_ok=True)
    command = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", str(HERE / "studio.py"), "--"]
    command += ["--slug", slug, "--view", view, "--out", str(raw), "--samples", str(samples)]
    command += ["--textures", str(scratch / "textures"), "--denoiser", str(compile_denoiser(scratch))]
    run_pausable(command, scratch)
    target = HERE / f"{slug}-{view}.webp"
    half = target.with_suffix(".part")
    picture = Image.open(raw).convert("RGB").filter(ImageFilter.UnsharpMask(1.1, 55, 1))
    picture.save(half, "WEBP", quality=QUALITY, method=6)
    half.rename(target)
    log(scratch, f"{target.name} {target.stat().st_size // 1024} kB in {time.monotonic() - started:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "studio")
    parser.add_argument("--only", default="")
    parser.add_argument("--views", default=",".join(VIEWS))
    parser.add_argument("--samples", type=int, default=18)
    given = parser.parse_args()
    given.scratch.mkdir(parents=True, exist_ok=True)
    os.nice(19)
    for view in given.views.split(","):
        for slug in load_machines():
            if given.only not in slug or (HERE / f"{slug}-{view}.webp").exists():
                continue
            try:
                take(slug, view, given.scratch, given.samples)
            except subprocess.CalledProcessError as error:
                log(given.scratch, f"{slug}-{view} failed: {error}")
    log(given.scratch, "nothing is missing any more")


if __name__ == "__main__":
    main()
