"""Renders the frames of the hero video: blender -b --factory-startup -P turn.py -- --keyframes|--between FOLDER ...

The laptop rotates back and forth. About every eighth frame is rendered; the others are interpolated from the two
nearest rendered ones. A position pass finds the point of the scene at each pixel, and its colour is sampled from
both. Unlike motion estimation, this is exact. It takes a tenth of the time of rendering.
"""

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
from PIL import Image

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from camera import Shot, set_camera  # noqa: E402
from develop import Darkroom, set_render  # noqa: E402
from light import build_studio  # noqa: E402
from machine import load_machines  # noqa: E402
from studio import build_machine, pose  # noqa: E402

KEYFRAMES = 14
HALF = 106  # frames from one end of the swing to the other
SWING = 11.0  # degrees to either side
SHOT = Shot(-25, 19.5, 11.7, (-0.07, 0.36, 0.86), 70, 1.4, (0, -0.3, 0.3))
WIDTH, HEIGHT = 800, 600
ROOM = "paper"  # the laptop's own room is darker than the home page
FINE = 2  # resolution of the passes relative to the frames, for antialiased edges
NEAR = 0.035  # Blender units; points with a larger distance are different points


def angle(phase: float) -> float:
    """Returns the angle in radians at a phase from 0 to 1, with a speed of 0 at both ends."""
    return math.radians(SWING * math.cos(math.pi * phase))


class Passes:
    """Finds the point of the scene at each pixel, and whether it belongs to the laptop."""

    def __init__(self, root, darkroom: Darkroom):
        self.root, self.darkroom = root, darkroom
        scene = bpy.context.scene
        scene.render.resolution_x, scene.render.resolution_y = WIDTH * FINE, HEIGHT * FINE
        cycles = scene.cycles
        cycles.samples, cycles.use_adaptive_sampling, cycles.max_bounces = 1, False, 0
        cycles.pixel_filter_type, cycles.filter_width = "BOX", 0.01
        scene.camera.data.dof.use_dof = False
        layer = scene.view_layers[0]
        layer.material_override = bpy.data.materials.new("blank")
        layer.use_pass_position = layer.use_pass_object_index = True
        for thing in bpy.data.objects:
            thing.pass_index = 0 if thing.name == "sweep" else 1
            thing.hide_render = thing.hide_render or thing.type == "LIGHT" or thing.name == "dark floor"
        darkroom.watch({"position": "Position", "index": "IndexOB"})
        camera = scene.camera
        graph = bpy.context.evaluated_depsgraph_get()
        self.matrix = np.array(
            camera.calc_matrix_camera(graph, x=WIDTH, y=HEIGHT) @ camera.matrix_world.inverted()
        )

    def at(self, radians: float):
        self.root.rotation_euler.z = radians
        bpy.ops.render.render(write_still=False)
        points = self.darkroom.layer("position")[:, ::-1].reshape(3, -1)
        return points, self.darkroom.layer("index")[0, ::-1] > 0.5

    def project(self, points):
        x, y, _, w = self.matrix[:, :3] @ points + self.matrix[:, 3:]
        return (x / w * 0.5 + 0.5) * WIDTH - 0.5, (0.5 - y / w * 0.5) * HEIGHT - 0.5


def turned(points, radians):
    s, c = math.sin(radians), math.cos(radians)
    return np.stack([c * points[0] - s * points[1], s * points[0] + c * points[1], points[2]])


def grown(mask, steps):
    for _ in range(steps):
        wide = mask.copy()
        wide[1:] |= mask[:-1]
        wide[:-1] |= mask[1:]
        wide[:, 1:] |= mask[:, :-1]
        wide[:, :-1] |= mask[:, 1:]
        mask = wide
    return mask


def sample(picture, x, y):
    """Samples with Catmull-Rom interpolation, which keeps the interpolated frames sharp."""
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)

    def weights(t):
        return (
            -0.5 * t + t * t - 0.5 * t**3, 1 - 2.5 * t * t + 1.5 * t**3,
            0.5 * t + 2 * t * t - 1.5 * t**3, -0.5 * t * t + 0.5 * t**3,
        )  # fmt: skip

    across, down = weights((x - x0).astype("f4")), weights((y - y0).astype("f4"))
    out = np.zeros((len(x), 3), "f4")
    for j in range(4):
        row = np.clip(y0 + j - 1, 0, HEIGHT - 1) * WIDTH
        line = np.zeros_like(out)
        for i in range(4):
            line += picture[row + np.clip(x0 + i - 1, 0, WIDTH - 1)] * across[i][:, None]
        out += line * down[j][:, None]
    return out


def between(passes: Passes, folder: Path) -> None:
    w, h = WIDTH * FINE, HEIGHT * FINE
    gx, gy = (a.ravel() for a in np.meshgrid((np.arange(w) + 0.5) / FINE - 0.5, (np.arange(h) + 0.5) / FINE - 0.5))
    known = {}

    def keyframe(k):
        if k not in known:
            while len(known) > 1:
                known.pop(min(known))
            points, mask = passes.at(angle(k / (KEYFRAMES - 1)))
            picture = np.asarray(Image.open(folder / f"key-{k:02d}.png").convert("RGB"), dtype="f4").reshape(-1, 3)
            known[k] = picture, points, grown(mask, 7).ravel()
        return known[k]

    for n in range(HALF):
        target = folder / f"frame-{n:03d}.png"
        if target.exists():
            continue
        phase = n / (HALF - 1)
        at = phase * (KEYFRAMES - 1)
        first = min(int(at), KEYFRAMES - 2)
        points, mask = passes.at(angle(phase))
        on = mask.ravel()
        total, weight = np.zeros((w * h, 3), "f4"), np.zeros(w * h, "f4")
        for k, share in ((first, first + 1 - at), (first + 1, at - first)):
            picture, then, near_machine = keyframe(k)
            trust = np.full(w * h, share + 1e-3, "f4")
            moved = turned(points[:, on], angle(k / (KEYFRAMES - 1)) - angle(phase))
            x, y = gx.copy(), gy.copy()
            x[on], y[on] = passes.project(moved)
            column = np.clip(np.round(x[on] * FINE + 0.5), 0, w - 1).astype(int)
            row = np.clip(np.round(y[on] * FINE + 0.5), 0, h - 1).astype(int)
            hidden = np.linalg.norm(then[:, row * w + column] - moved, axis=0) > NEAR
            trust[on] *= np.where(hidden, 1e-3, 1)
            trust[~on] *= np.where(near_machine[~on], 1e-3, 1)
            total += sample(picture, x, y) * trust[:, None]
            weight += trust
        frame = np.clip(total / weight[:, None], 0, 255).reshape(HEIGHT, FINE, WIDTH, FINE, 3).mean((1, 3))
        Image.fromarray((frame + 0.5).astype("u1")).save(target)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--slug", required=True)
    parser.add_argument("--textures", type=Path, required=True)
    parser.add_argument("--denoiser", type=Path, required=True)
    parser.add_argument("--keyframes", type=Path)
    parser.add_argument("--between", type=Path)
    parser.add_argument("--samples", type=int, default=24)
    given = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    set_render(WIDTH, HEIGHT, given.samples, 0.02)
    machine = replace(load_machines()[given.slug], room=ROOM)
    built = build_machine(machine, given.textures)
    pose(built, "open", None)
    root = built.root
    build_studio(machine, given.textures, closed=False, side=1)
    set_camera(SHOT)
    darkroom = Darkroom(given.denoiser)
    if given.keyframes:
        for k in range(KEYFRAMES):
            target = given.keyframes / f"key-{k:02d}.png"
            if not target.exists():
                root.rotation_euler.z = angle(k / (KEYFRAMES - 1))
                # one seed for all frames, because noise that changes flickers; no grain, because it does not compress
                darkroom.take(target, 1, grain=0.0)
    if given.between:
        between(Passes(root, darkroom), given.between)


if __name__ == "__main__":
    main()
