"""Builds the rooms: paper backdrops and table tops, in the colours of a few sellers' homes."""

import math
from dataclasses import dataclass

import bpy
import numpy as np

from shader import Shader

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Room:
    """A ground on which laptops lie. Colours are linear."""

    ground: Colour
    far: Colour  # the paper above the bend, or the wall behind the table
    grain: Colour | None = None  # the dark grain of a wooden table
    kind: str = "paper"  # paper | wood | laminate | cloth


ROOMS = {
    "paper": Room((0.86, 0.72, 0.55), (0.20, 0.15, 0.105)),
    "stone": Room((0.62, 0.60, 0.56), (0.12, 0.115, 0.105)),
    "slate": Room((0.25, 0.275, 0.29), (0.05, 0.055, 0.06)),
    "linen": Room((0.86, 0.82, 0.75), (0.33, 0.30, 0.26)),
    "sage": Room((0.42, 0.45, 0.36), (0.085, 0.09, 0.07)),
    "oak": Room((0.62, 0.41, 0.225), (0.50, 0.46, 0.40), (0.40, 0.235, 0.115), "wood"),
    "walnut": Room((0.235, 0.125, 0.066), (0.36, 0.335, 0.30), (0.105, 0.050, 0.026), "wood"),
    "ash": Room((0.72, 0.60, 0.46), (0.34, 0.345, 0.34), (0.55, 0.43, 0.30), "wood"),
    "birch": Room((0.80, 0.70, 0.55), (0.42, 0.47, 0.50), (0.66, 0.52, 0.36), "wood"),
    "desk": Room((0.76, 0.75, 0.73), (0.46, 0.43, 0.38), kind="laminate"),
    "kitchen": Room((0.16, 0.165, 0.17), (0.62, 0.60, 0.55), kind="laminate"),
    "blanket": Room((0.34, 0.35, 0.37), (0.26, 0.23, 0.20), kind="cloth"),
    "sofa": Room((0.56, 0.50, 0.42), (0.34, 0.36, 0.33), kind="cloth"),
    "bench": Room((0.045, 0.115, 0.16), (0.30, 0.31, 0.30), kind="cloth"),
}

BEND = 3.2  # radius of the paper's curve, in Blender units
TABLE_END = 5.4
WALL = 9.5


def link(name, data):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def build_room(room: Room, folder, seed: int) -> None:
    """Builds the ground named "sweep". `folder` holds the shared textures; `seed` shifts and turns the grain."""
    if room.kind == "paper":
        strip("sweep", paper(room, folder), curve())
        return
    material = {"wood": wood, "laminate": laminate, "cloth": cloth}[room.kind](room, folder, seed)
    strip("sweep", material, [(-14, 0), (TABLE_END, 0), (TABLE_END + 0.03, -0.03), (TABLE_END + 0.03, -0.3)])
    strip("wall", wall(room), [(WALL, -14), (WALL, 14)])


def curve():
    arc = np.linspace(0.06, math.pi / 2, 24)
    return [(-14, 0), (4.2, 0), *((4.2 + BEND * math.sin(a), BEND - BEND * math.cos(a)) for a in arc), (4.2 + BEND, 14)]


def strip(name, material, profile):
    """Extrudes a profile, points (y, z), along x."""
    points = [(x, y, z) for y, z in profile for x in (-18, 18)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    data = bpy.data.meshes.new(name)
    data.from_pydata(points, [], faces)
    data.materials.append(material)
    data.polygons.foreach_set("use_smooth", [True] * len(faces))
    data.use_auto_smooth = True
    link(name, data)


def paper(room, folder):
    shader = Shader("paper")
    fibre = shader.noise(34, 1)
    height = shader.node("SeparateXYZ")
    shader.link(shader.node("NewGeometry").outputs["Position"], height.inputs[0])
    up = shader.node("MapRange", interpolation_type="SMOOTHSTEP")
    for socket, value in zip(up.inputs, (height.outputs[2], 0.5, 4.2, 0.0, 0.72)):
        shader.feed(socket, value)
    light = tuple(c * 1.05 for c in room.ground)
    colour = shader.mix(shader.math("MULTIPLY_ADD", fibre, 0.5, -0.05), room.ground, light)
    colour = shader.mix(up.outputs[0], colour, room.far)
    dust = shader.picture(folder / "dust.png", 700.0)
    colour = shader.mix(shader.math("MULTIPLY", dust, 0.10), colour, tuple(c * 0.5 for c in room.ground))
    shader.set(Base_Color=colour, Roughness=0.85, Specular=0.15)
    shader.bump(fibre, 0.25, 0.006)
    return shader.material


def wood(room, folder, seed):
    """Returns boards with a fine grain along x, slightly turned."""
    shader = Shader("wood")
    turn = math.radians(seed * 11 % 13 - 6)

    def placed(scale):
        mapping = shader.node("Mapping")
        shader.link(shader.coordinates(), mapping.inputs[0])
        mapping.inputs["Scale"].default_value = scale
        mapping.inputs["Rotation"].default_value[2] = turn
        mapping.inputs["Location"].default_value = (seed * 1.7, seed * 0.9, 0)
        return mapping.outputs[0]

    def streaks(scale, detail, distortion):
        node = shader.node("TexNoise")
        shader.link(placed(scale), node.inputs[0])
        node.inputs["Scale"].default_value = 1.0
        node.inputs["Detail"].default_value = detail
        node.inputs["Distortion"].default_value = distortion
        return node.outputs[0]

    boards = shader.node("TexBrick", offset=0.37)
    shader.link(placed((1, 1, 1)), boards.inputs["Vector"])
    settings = {"Scale": 1.0, "Mortar Size": 0.006, "Mortar Smooth": 0.3, "Brick Width": 13.0, "Row Height": 1.25}
    for name, value in settings.items():
        boards.inputs[name].default_value = value
    boards.inputs["Color1"].default_value = (0.82, 0.82, 0.82, 1)
    boards.inputs["Color2"].default_value = (1.12, 1.12, 1.12, 1)
    boards.inputs["Mortar"].default_value = (0.35, 0.35, 0.35, 1)
    figure = streaks((0.16, 1.9, 1), 5, 1.3)
    fine = streaks((0.9, 26, 1), 4, 0.2)
    pores = shader.math("MULTIPLY_ADD", streaks((1.6, 60, 1), 2, 0), 5.0, -3.0, clamp=True)
    amount = shader.math("MULTIPLY_ADD", figure, 2.6, -0.8, clamp=True)
    amount = shader.math("MULTIPLY_ADD", fine, 0.45, shader.math("MULTIPLY_ADD", amount, 0.7, -0.22), clamp=True)
    colour = shader.mix(amount, room.ground, room.grain)
    colour = shader.mix(shader.math("MULTIPLY", pores, 0.28), colour, tuple(c * 0.5 for c in room.grain))
    tinted = shader.node("MixRGB", blend_type="MULTIPLY")
    for socket, value in zip(tinted.inputs, (1.0, colour, boards.outputs["Color"])):
        shader.feed(socket, value)
    dust = shader.picture(folder / "dust.png", 700.0)
    colour = shader.mix(shader.math("MULTIPLY", dust, 0.10), tinted.outputs[0], (0.5, 0.46, 0.40))
    rough = shader.math("MULTIPLY_ADD", fine, 0.16, 0.40)
    shader.set(Base_Color=colour, Roughness=rough, Specular=0.3)
    shader.bump(shader.math("MULTIPLY_ADD", pores, -0.6, fine), 0.16, 0.004)
    return shader.material


def laminate(room, folder, seed):
    """Returns a smooth table top that mirrors a little, with fine speckles."""
    shader = Shader("laminate")
    speckle = shader.math("MULTIPLY_ADD", shader.noise(60, 4), 1.6, -0.5, clamp=True)
    colour = shader.mix(shader.math("MULTIPLY", speckle, 0.35), room.ground, tuple(c * 0.72 for c in room.ground))
    dust = shader.picture(folder / "dust.png", 700.0)
    colour = shader.mix(shader.math("MULTIPLY", dust, 0.14), colour, (0.5, 0.47, 0.42))
    shader.set(Base_Color=colour, Roughness=shader.fade(0.30, shader.noise(1.3, 3), 0.14), Specular=0.4)
    return shader.material


def cloth(room, folder, seed):
    """Returns a woven fabric with soft folds."""
    shader = Shader("cloth")
    weave = shader.node("TexWave", wave_type="BANDS", bands_direction="DIAGONAL")
    weave.inputs["Scale"].default_value = 22.0
    weave.inputs["Distortion"].default_value = 3.0
    weave.inputs["Detail"].default_value = 3.0
    shader.link(shader.coordinates(), weave.inputs[0])
    folds = shader.noise(0.5 + 0.05 * (seed % 5), 2)
    light = tuple(min(1, c * 1.18) for c in room.ground)
    colour = shader.mix(shader.math("MULTIPLY", weave.outputs["Fac"], 0.8), tuple(c * 0.84 for c in room.ground), light)
    lint = shader.math("MULTIPLY", shader.picture(folder / "dust.png", 600.0), 0.25)
    shader.set(Base_Color=shader.mix(lint, colour, (0.6, 0.58, 0.54)), Roughness=0.92, Specular=0.1, Sheen=0.3)
    shader.bump(shader.math("MULTIPLY_ADD", folds, 9.0, weave.outputs["Fac"]), 0.5, 0.05)
    return shader.material


def wall(room):
    """Returns plaster that darkens upwards."""
    shader = Shader("wall")
    height = shader.node("SeparateXYZ")
    shader.link(shader.node("NewGeometry").outputs["Position"], height.inputs[0])
    up = shader.node("MapRange", interpolation_type="SMOOTHSTEP")
    for socket, value in zip(up.inputs, (height.outputs[2], -3.0, 5.0, 0.0, 0.8)):
        shader.feed(socket, value)
    shader.set(Base_Color=shader.mix(up.outputs[0], room.far, tuple(c * 0.35 for c in room.far)), Roughness=0.9)
    return shader.material
