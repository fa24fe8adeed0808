"""Sets the camera position of each view, and frames the laptop."""

import math
import random
from dataclasses import dataclass, replace

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from machine import Machine


@dataclass(frozen=True)
class Shot:
    azimuth: float  # degrees, from the front towards the right
    elevation: float
    distance: float  # in units of 10 cm
    target: tuple[float, float, float]
    lens: float  # mm
    fstop: float
    focus: tuple[float, float, float]


SHOTS = {
    "open": Shot(-27, 19, 10.2, (0.02, 0.42, 0.84), 70, 1.15, (0, -0.3, 0.3)),
    "keys": Shot(-22, 56, 5.0, (-0.40, 0.16, 0.17), 85, 1.9, (-0.40, 0.20, 0.17)),
    "closed": Shot(0, 20, 9.9, (-0.02, 0.0, 0.10), 85, 1.3, (-0.2, -1.2, 0.15)),
}


# ranges of azimuth and elevation: beside the laptop, before it, above it, far to the side
STANDS = (((16, 36), (14.5, 25)), ((2, 11), (19, 31)), ((8, 34), (34, 47)), ((40, 56), (17, 27)))


def dice_of(machine: Machine, view: str) -> random.Random:
    return random.Random(f"{machine.slug} {view}")


def side_of(machine: Machine) -> int:
    """Returns 1 if the photos are taken from the left and the light comes from there, else -1."""
    return dice_of(machine, "side").choice((-1, 1))


def shot_of(machine: Machine, view: str) -> Shot:
    """Returns the view's shot, varied by the laptop as by the hand of another photographer."""
    shot = SHOTS["closed" if view in ("closed", "underside") else "open"]
    dice = dice_of(machine, view)
    if shot is SHOTS["open"]:
        (near, far), heights = dice.choice(STANDS)
        azimuth = dice.choice((-1, 1)) * dice.uniform(near, far)
        return replace(shot, azimuth=azimuth, elevation=dice.uniform(*heights), lens=dice.choice((50, 58, 66, 76)))
    low, high = (34, 62) if view == "underside" else dice.choice(((19, 30), (40, 58)))
    return replace(shot, elevation=dice.uniform(low, high), lens=dice.choice((58, 70, 85)))


def set_camera(shot: Shot, target=None, distance=None, focus=None) -> None:
    scene = bpy.context.scene
    if scene.camera is None:
        scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
        scene.collection.objects.link(scene.camera)
    camera, lens = scene.camera, scene.camera.data
    lens.sensor_width, lens.clip_start, lens.clip_end = 36, 0.05, 200
    lens.lens = shot.lens
    a, e = math.radians(shot.azimuth), math.radians(shot.elevation)
    towards = Vector(target or shot.target)
    place = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    at = towards + (distance or shot.distance) * place
    camera.location = at
    camera.rotation_euler = (towards - at).to_track_quat("-Z", "Y").to_euler()
    lens.dof.use_dof = True
    lens.dof.focus_distance = (Vector(focus or shot.focus) - at).dot((towards - at).normalized())
    lens.dof.aperture_fstop, lens.dof.aperture_blades = shot.fstop, 8


def frame_detail(point: Vector, elevation: float, wide: float) -> None:
    """Points the camera at a detail from the front. `wide` is the width of the picture in Blender units."""
    lens = 85
    distance = wide * lens / 36
    shot = Shot(0, elevation, distance, tuple(point), lens, 1.6, tuple(point))
    set_camera(shot)


def frame_whole(shot: Shot, things, fill: float, raise_by: float = 0.0) -> None:
    """Moves the camera so that all objects are centered and takes `fill` of the wider side's share."""
    corners = [thing.matrix_world @ Vector(corner) for thing in things for corner in thing.bound_box]
    target, distance = Vector(shot.target), shot.distance
    for _ in range(6):
        set_camera(shot, target, distance)
        bpy.context.view_layer.update()
        scene = bpy.context.scene
        seen = [world_to_camera_view(scene, scene.camera, corner) for corner in corners]
        left, right = min(p.x for p in seen), max(p.x for p in seen)
        low, high = min(p.y for p in seen), max(p.y for p in seen)
        turn = scene.camera.matrix_world.to_quaternion()
        wide = distance * 36 / shot.lens
        tall = wide * scene.render.resolution_y / scene.render.resolution_x
        target += turn @ Vector(((left + right - 1) / 2 * wide, ((low + high - 1) / 2 - raise_by) * tall, 0))
        distance *= max((right - left) / fill, (high - low) / min(0.86, fill + 0.02))
    set_camera(shot, target, distance)
