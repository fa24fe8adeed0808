"""Renders all missing pictures in the background: render.py [--scratch FOLDER] [--only SLUGS] [--views VIEWS]

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

QUALITY = 80


def log(scratch: Path, line: str) -> None:
    with (scratch / "render.log").open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {line}\n")


def compile_denoiser(scratch: Path) -> Path:
    library = scratch / "libdenoise.so"
    if not library.exists():
        flags = ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, str(HERE / "denoise.c"), "-o", str(library), "-lm"], check=True)
    return library


def run_pausable(command: list[str], scratch: Path, threads: int) -> None:
    """Runs at the lowest priority; raises CalledProcessError if the command fails."""
    # no busy-waiting threads on a busy machine
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads)}
    with (scratch / f"blender-{os.getpid()}.log").open("w") as output:
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


def take(slug: str, views: list[str], scratch: Path, given: argparse.Namespace) -> None:
    """Renders views of a laptop in one run of Blender, which builds it once."""
    while (scratch / "PAUSE").exists():
        time.sleep(0.5)
    started = time.monotonic()
    make_textures(slug, scratch / "textures")
    command = ["blender", "-b", "-t", str(given.threads), "--factory-startup", "--python-exit-code", "1"]
    command += ["-P", str(HERE / "studio.py"), "--", "--slug", slug, "--views", ",".join(views), "--out", str(scratch)]
    command += ["--samples", str(given.samples), "--size", given.size]
    command += ["--textures", str(scratch / "textures"), "--denoiser", str(compile_denoiser(scratch))]
    try:
        run_pausable(command, scratch, given.threads)
    finally:
        for view in views:
            keep(scratch / f"{slug}-{view}.png", given.target / f"{slug}-{view}.webp")
    log(scratch, f"{slug}: {', '.join(views)} in {time.monotonic() - started:.0f} s")


def keep(raw: Path, target: Path) -> None:
    """Sharpens a render, if it is there, and writes it as a picture."""
    if not raw.exists():
        return
    half = target.with_suffix(".part")
    picture = Image.open(raw).convert("RGB").filter(ImageFilter.UnsharpMask(1.1, 55, 1))
    picture.save(half, "WEBP", quality=QUALITY, method=6)
    half.rename(target)
    raw.unlink()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "studio")
    parser.add_argument("--target", type=Path, default=HERE)
    parser.add_argument("--only", default="", help="parts of slugs, in the order of rendering")
    parser.add_argument("--views", default="", help="only these views")
    parser.add_argument("--size", default="1024x768")
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--nice", type=int, default=19)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    given.scratch.mkdir(parents=True, exist_ok=True)
    os.nice(given.nice)
    machines = load_machines()
    slugs = dict.fromkeys(slug for part in given.only.split(",") for slug in machines if part in slug)
    only = given.views.split(",") if given.views else None
    for slug in slugs:
        views = [view for view in (*machines[slug].views, *machines[slug].flaws) if only is None or view in only]
        missing = [view for view in views if not (given.target / f"{slug}-{view}.webp").exists()]
        if not missing:
            continue
        try:
            take(slug, missing, given.scratch, given)
        except subprocess.CalledProcessError as error:
            log(given.scratch, f"{slug} failed: {error}")
    log(given.scratch, "nothing is missing any more")


if __name__ == "__main__":
    main()
