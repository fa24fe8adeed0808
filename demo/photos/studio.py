"""Renders one picture: blender -b --factory-startup -P studio.py -- --slug S --view open|closed|keys|flaw --out X.png ..."""

import argparse
import math
import sys
import time
from pathlib import Path

import bpy
from mathutils import Vector

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from body import build_body, root_height  # noqa: E402
from camera import SHOTS, Shot, frame_flaw, frame_whole, set_camera, shot_of, side_of  # noqa: E402
from develop import Darkroom, set_render  # noqa: E402
from flaws import Aim, aim_at  # noqa: E402
from keyboard import build_keyboard  # noqa: E402
from lid import build_lid  # noqa: E402
from light import build_studio  # noqa: E402
from machine import Machine, load_machines  # noqa: E402
from mesh import SCALE, empty  # noqa: E402
from ports import faces  # noqa: E402
from surfaces import Surfaces  # noqa: E402

OPENED = -109


def build_machine(machine: Machine, folder: Path, view: str, aim: Aim | None = None):
    """Builds the laptop, open or closed. Returns its root object, which rotates all of it."""
    surfaces = Surfaces(machine, folder, aim.screen if aim else "screen")
    root = empty("machine")
    root.location.z = root_height()
    build_body(machine, surfaces, root)
    build_keyboard(machine, surfaces, root)
    hinge = empty("hinge", root)
    y, z = machine.axis
    hinge.location = (0, y * SCALE, z * SCALE)
    build_lid(machine, surfaces, hinge)
    if aim:
        root.rotation_euler.z = math.radians(aim.turn)
        hinge.rotation_euler.x = 0 if aim.closed else math.radians(OPENED)
    elif view == "closed":
        turn = 52 + machine.seed * 5 % 9 - 4
        root.rotation_euler.z = math.radians(180 + (turn if faces(machine) == "right" else -turn))
    else:
        hinge.rotation_euler.x = math.radians(OPENED + machine.seed % 5 - 2)
        if view == "open":
            root.rotation_euler.z = math.radians(machine.seed * 7 % 9 - 4)
    bpy.context.view_layer.update()
    return root


def point_camera(machine: Machine, view: str, aim: Aim | None) -> None:
    if aim:
        part = bpy.data.objects["hinge" if aim.on_lid else "machine"]
        frame_flaw(part.matrix_world @ (Vector(aim.point) * SCALE), aim.elevation, aim.wide * SCALE)
        return
    if view == "keys":
        keyboard = machine.keyboard[2]
        shift = (keyboard - 33) * SCALE
        side = 1 if machine.numpad and machine.seed % 2 == 0 else -1
        x = side * (0.40 + (machine.units * machine.pitch - 285) * SCALE / 2)
        z = (machine.height + 1.8) * SCALE
        base = SHOTS["keys"]
        shot = Shot(side * -base.azimuth, base.elevation, base.distance, base.target, base.lens, base.fstop, base.focus)
        set_camera(shot, (x, 0.16 + shift, z), None, (x, 0.20 + shift, z))
        return
    whole = [thing for thing in bpy.data.objects if thing.name in ("case", "lid")]
    fill = (0.81 if view == "open" else 0.84) + (machine.inches - 13) * 0.02
    frame_whole(shot_of(machine, view), whole, fill, 0.0 if view == "open" else 0.02)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--slug", required=True)
    parser.add_argument("--view", required=True, help="open, closed, keys or one of the laptop's flaws")
    parser.add_argument("--textures", type=Path, required=True)
    parser.add_argument("--denoiser", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", default="1280x960")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--threshold", type=float, default=0.02)
    given = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    started = time.monotonic()
    machine = load_machines()[given.slug]
    width, height = (int(side) for side in given.size.split("x"))
    set_render(width, height, given.samples, given.threshold)
    aim = aim_at(machine, given.view) if given.view in machine.flaws else None
    build_machine(machine, given.textures, given.view, aim)
    closed = aim.closed if aim else given.view == "closed"
    build_studio(machine, given.textures, closed, side_of(machine))
    point_camera(machine, given.view, aim)
    Darkroom(given.denoiser).take(given.out, machine.seed)
    print(f"TAKEN {given.out.name} in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
