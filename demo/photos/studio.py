"""Renders views of a laptop: blender -b --factory-startup -P studio.py -- --slug S --views VIEWS --out FOLDER ..."""

import argparse
import math
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
from mathutils import Vector

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from body import build_body, root_height  # noqa: E402
from camera import SHOTS, dice_of, frame_detail, frame_whole, set_camera, shot_of, side_of  # noqa: E402
from develop import Darkroom, set_render  # noqa: E402
from flaws import DETAILS, Aim, aim_at  # noqa: E402
from keyboard import build_keyboard  # noqa: E402
from lid import FLOOR, build_lid  # noqa: E402
from light import add_flash, build_studio  # noqa: E402
from machine import Machine, load_machines, screen_of  # noqa: E402
from mesh import SCALE, empty  # noqa: E402
from ports import faces  # noqa: E402
from props import add_props, add_slip, ruler  # noqa: E402
from surfaces import Surfaces  # noqa: E402
from underside import build_underside  # noqa: E402

OPENED = -109

# the views on the shop's own desk, and what stands around the laptop there
ON_BENCH = {
    "bench": [["pile", "back-left"], ["tray", "right"], ["screwdriver", "left"], ["charger", "back-right"]],
    "hand": [["tray", "left"], ["screwdriver", "right"], ["pile", "back-right"]],
}


@dataclass(frozen=True)
class Built:
    """A laptop, built once for all of its views."""

    machine: Machine
    surfaces: Surfaces
    root: bpy.types.Object
    hinge: bpy.types.Object

    def show(self, folder: Path, picture: str) -> None:
        """Shows a picture on the screen."""
        (node,) = (each for each in self.screen_nodes() if each.bl_idname == "ShaderNodeTexImage" and "screen" in each.image.name)
        node.image = bpy.data.images.load(str(folder / self.machine.slug / f"{picture}.png"), check_existing=True)
        node.image.colorspace_settings.name = "sRGB"

    def screen_nodes(self):
        return bpy.data.objects["screen"].data.materials[0].node_tree.nodes


def build_machine(machine: Machine, folder: Path) -> Built:
    surfaces = Surfaces(machine, folder)
    root = empty("machine")
    build_body(machine, surfaces, root)
    build_keyboard(machine, surfaces, root)
    hinge = empty("hinge", root)
    y, z = machine.axis
    hinge.location = (0, y * SCALE, z * SCALE)
    build_lid(machine, surfaces, hinge)
    bake()
    return Built(machine, surfaces, root, hinge)


def bake() -> None:
    """Applies all modifiers, which each render would compute again."""
    graph = bpy.context.evaluated_depsgraph_get()
    changed = [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.modifiers and not thing.hide_render]
    meshes = [bpy.data.meshes.new_from_object(thing.evaluated_get(graph), depsgraph=graph) for thing in changed]
    for thing, mesh in zip(changed, meshes):
        thing.modifiers.clear()
        thing.data = mesh
    for thing in list(bpy.data.collections["cutters"].objects):
        bpy.data.objects.remove(thing)


def pose(built: Built, view: str, aim: Aim | None) -> None:
    """Opens, closes and turns the laptop for a view."""
    machine, surfaces, root, hinge = built.machine, built.surfaces, built.root, built.hinge
    root.location.z = root_height()
    root.rotation_euler = (0, 0, 0)
    hinge.rotation_euler.x = 0
    dice = dice_of(machine, view)
    if aim:
        root.rotation_euler.z = math.radians(aim.turn)
        hinge.rotation_euler.x = 0 if aim.closed else math.radians(OPENED)
        if view == "slip":
            add_slip(machine, surfaces, root)
        if aim.ruler:
            lay_ruler(hinge if aim.on_lid else root, aim)
    elif view == "closed":
        turn = dice.uniform(20, 74)
        root.rotation_euler.z = math.radians(180 + (turn if faces(machine) == "right" else -turn))
    elif view == "underside":
        build_underside(machine, surfaces, root)
        root.rotation_euler = (math.pi, 0, math.radians(dice.uniform(-34, 34)))
        root.location.z = (machine.axis[1] + FLOOR + machine.lid_thickness + 0.5) * SCALE
    else:
        hinge.rotation_euler.x = math.radians(OPENED + dice.uniform(-7, 5))
        if view != "keys":
            root.rotation_euler.z = math.radians(dice.uniform(-5, 5))
    bpy.context.view_layer.update()


def lay_ruler(part, aim: Aim) -> None:
    """Lays a ruler beside the point, with its length across the picture."""
    x, y, z = aim.point
    across, near = aim.ruler
    a = math.radians(-aim.turn)  # the picture's directions in those of the laptop
    at = (x + across * math.cos(a) + near * math.sin(a), y + across * math.sin(a) - near * math.cos(a))
    top = z + 0.45 if aim.on_lid else machine_top(part) if aim.closed else z
    ruler(part, (*at, top), a)


def machine_top(root) -> float:
    lid = bpy.data.objects["lid"]
    bpy.context.view_layer.update()
    return max((lid.matrix_world @ Vector(c)).z for c in lid.bound_box) / SCALE - root.location.z / SCALE


def point_camera(machine: Machine, view: str, aim: Aim | None) -> None:
    if aim:
        part = bpy.data.objects["hinge" if aim.on_lid else "machine"]
        frame_detail(part.matrix_world @ (Vector(aim.point) * SCALE), aim.elevation, aim.wide * SCALE)
        return
    if view == "keys":
        shift = (machine.keyboard[2] - 33) * SCALE
        dice = dice_of(machine, view)
        side = 1 if machine.numpad and dice.random() < 0.5 else -1
        x = side * (0.40 + (machine.units * machine.pitch - 285) * SCALE / 2)
        z = (machine.height + 1.8) * SCALE
        base = SHOTS["keys"]
        shot = replace(base, azimuth=side * dice.uniform(8, 34), elevation=dice.uniform(42, 64))
        set_camera(shot, (x, 0.16 + shift, z), dice.uniform(4.7, 6.4), (x, 0.20 + shift, z))
        return
    whole = [thing for thing in bpy.data.objects if thing.name in ("case", "lid")]
    fill = (0.82 if view in ("closed", "underside") else 0.80) + (machine.inches - 13) * 0.02 - (0.06 if machine.props else 0)
    frame_whole(shot_of(machine, view), whole, fill, 0.02 if view in ("closed", "underside") else 0.0)


def take(built: Built, view: str, folder: Path, darkroom: Darkroom, out: Path) -> None:
    """Takes the picture of a view, and removes what was built for it alone."""
    started = time.monotonic()
    machine = built.machine
    if view in ON_BENCH:
        machine = replace(machine, room="bench", light="overcast", props=ON_BENCH[view])
    aim = aim_at(machine, view) if view in machine.flaws or view in DETAILS else None
    before = set(bpy.data.objects)
    pose(built, view, aim)
    built.show(folder, screen_of(view))
    build_studio(machine, folder, aim.closed if aim else view in ("closed", "underside"), side_of(machine))
    if not aim and view != "keys":
        add_props(machine)
    point_camera(machine, view, aim)
    if machine.light == "flash":
        add_flash()
    darkroom.take(out, machine.seed)
    for thing in set(bpy.data.objects) - before - {bpy.context.scene.camera}:
        bpy.data.objects.remove(thing)
    print(f"TAKEN {out.name} in {time.monotonic() - started:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--slug", required=True)
    parser.add_argument("--views", required=True, help="views or flaws of the laptop, with commas")
    parser.add_argument("--textures", type=Path, required=True)
    parser.add_argument("--denoiser", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pictures")
    parser.add_argument("--size", default="1280x960")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--threshold", type=float, default=0.02)
    given = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    width, height = (int(side) for side in given.size.split("x"))
    set_render(width, height, given.samples, given.threshold)
    built = build_machine(load_machines()[given.slug], given.textures)
    darkroom = Darkroom(given.denoiser)
    for view in given.views.split(","):
        take(built, view, given.textures, darkroom, given.out / f"{given.slug}-{view}.png")


if __name__ == "__main__":
    main()
