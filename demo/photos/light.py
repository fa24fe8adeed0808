"""Lights a room: its lamps, and cards that are visible only in reflections."""

from dataclasses import dataclass

import bpy
from mathutils import Vector

from machine import Machine
from room import ROOMS, Room, build_room, link
from shader import Shader


def only_reflected(name, corners, material):
    data = bpy.data.meshes.new(name)
    data.from_pydata(corners, [], [(0, 1, 2, 3)])
    data.materials.append(material)
    card = link(name, data)
    card.visible_camera = card.visible_diffuse = card.visible_shadow = False
    card.visible_transmission = card.visible_volume_scatter = False
    return card


def glow(name):
    shader = Shader(name)
    shader.tree.nodes.remove(shader.surface)
    emission = shader.node("Emission")
    shader.link(emission.outputs[0], shader.output.inputs[0])
    shader.material.cycles.sample_as_light = False
    return shader, emission


def dark_floor(room: Room):
    """Adds a dark floor, visible only in reflections. Bright edges would otherwise blend into the paper."""
    shader, emission = glow("dark floor")
    emission.inputs[0].default_value = (*(0.4 * c for c in room.ground), 1)
    r = 4.2
    only_reflected("dark floor", [(-r, -r, 0.004), (r, -r, 0.004), (r, r, 0.004), (-r, r, 0.004)], shader.material)


def graded_card(side: int):
    """Adds a gradient, visible only in reflections, because a closed lid that reflects even paper looks flat."""
    shader, emission = glow("graded card")
    across = shader.node("SeparateXYZ")
    shader.link(shader.coordinates("Generated"), across.inputs[0])
    ramp = shader.node("ValToRGB")
    ramp.color_ramp.interpolation = "EASE"
    shader.link(across.outputs[0], ramp.inputs[0])
    stops = ramp.color_ramp.elements
    for i, (position, value) in enumerate(((0, 0.05), (0.42, 0.08), (0.80, 0.62), (1, 0.2))):
        stop = stops[i] if i < 2 else stops.new(position)
        stop.position = position
        stop.color = (value, value * 0.97, value * 0.93, 1)
    shader.link(ramp.outputs[0], emission.inputs[0])
    card = only_reflected("graded card", [(-8, 0, -3), (8, 0, -3), (8, 0, 3), (-8, 0, 3)], shader.material)
    card.scale.x = side
    card.location = (0, 6.6, 3.2)


def lamp(name, at, target, wide, high, power, colour):
    """Adds a softbox, brightest in the middle."""
    light = bpy.data.lights.new(name, "AREA")
    light.shape = "RECTANGLE"
    light.size, light.size_y = wide, high
    light.energy, light.color = power, colour
    light.use_nodes = True
    tree = light.node_tree
    gradient = tree.nodes.new("ShaderNodeTexGradient")
    gradient.gradient_type = "SPHERICAL"
    mapping = tree.nodes.new("ShaderNodeMapping")
    mapping.inputs["Location"].default_value = (-0.575, -0.575, 0)
    mapping.inputs["Scale"].default_value = (1.15, 1.15, 1)
    strength = tree.nodes.new("ShaderNodeMath")
    strength.operation = "MULTIPLY_ADD"
    strength.inputs[1].default_value, strength.inputs[2].default_value = 1.6, 0.35
    tree.links.new(tree.nodes.new("ShaderNodeTexCoord").outputs["UV"], mapping.inputs[0])
    tree.links.new(mapping.outputs[0], gradient.inputs[0])
    tree.links.new(gradient.outputs[1], strength.inputs[0])
    tree.links.new(strength.outputs[0], tree.nodes["Emission"].inputs["Strength"])
    thing = link(name, light)
    thing.location = at
    thing.rotation_euler = (Vector(target) - Vector(at)).to_track_quat("-Z", "Y").to_euler()


@dataclass(frozen=True)
class Light:
    """Lamps, each with its name, place, width, height, power and colour, as of a photo taken from the left."""

    lamps: tuple
    ambient: float
    sky: tuple[float, float, float] = (0.95, 0.93, 0.9)
    panes: bool = False  # whether the first lamp shines through a window


DAY, WARM = (0.90, 0.95, 1), (1, 0.70, 0.42)
LIGHTS = {
    "studio": Light((
        ("key", (-4.6, 1.2, 6.2), 4.2, 4.2, 640, (1, 0.965, 0.92)),
        ("top", (-1.9, 4.9, 6.6), 3.6, 2.6, 210, (1, 0.985, 0.96)),
        ("fill", (6.5, -3.5, 3.2), 3.5, 4.5, 80, (0.93, 0.96, 1)),
        ("rim", (2.6, 5.2, 3.6), 5.0, 0.8, 300, (1, 0.98, 0.95)),
    ), 0.15),
    "window": Light((
        ("window", (-6.0, 2.2, 4.2), 3.2, 4.4, 1350, (0.97, 0.98, 1)),
        ("room", (5.5, -3.0, 4.5), 4.0, 4.0, 110, (1, 0.90, 0.76)),
    ), 0.30, (0.95, 0.94, 0.93)),
    "sun": Light((
        ("sun", (-9.0, 5.5, 8.5), 0.55, 0.55, 7800, (1, 0.86, 0.68)),
        ("sky", (-3.0, 3.0, 7.0), 5.0, 5.0, 190, DAY),
        ("room", (6.0, -4.0, 4.0), 4.0, 4.0, 60, (1, 0.94, 0.86)),
    ), 0.28, (0.84, 0.89, 1), panes=True),
    "evening": Light((
        ("bulb", (-3.2, 2.6, 4.4), 0.9, 0.9, 300, WARM),
        ("ceiling", (2.2, -1.0, 7.5), 1.6, 1.6, 200, (1, 0.80, 0.58)),
    ), 0.12, (0.72, 0.66, 0.78)),
    "overcast": Light((
        ("ceiling", (-1.0, 1.0, 7.5), 6.0, 6.0, 860, (1, 0.985, 0.96)),
        ("window", (-7.0, -1.0, 3.0), 3.0, 3.0, 150, DAY),
    ), 0.26, (0.9, 0.94, 1)),
    "flash": Light((
        ("ceiling", (2.0, 1.5, 7.0), 1.2, 1.2, 150, (1, 0.86, 0.66)),
    ), 0.16, (0.9, 0.86, 0.8)),
}  # fmt: skip


def window(sun, side: int) -> None:
    """Adds a wall with six panes between the sun and the table, which only casts a shadow."""
    from mesh import Mesh, rounded  # mesh.py lengths are mm, so 100 of them are one unit

    mesh = Mesh()
    loops = [mesh.ring(rounded(2400, 2400, 1), 0)]
    loops += [mesh.ring(rounded(96, 120, 1, x, y), 0) for x in (-108, 0, 108) for y in (-66, 66)]
    mesh.cap_with_holes(loops)
    panes = mesh.build("panes", [Shader("panes").material], None, weighted=False)
    at = Vector((sun[0] * side, sun[1], sun[2]))
    panes.location = at * 0.5 + Vector((0, 0, 0.15))
    panes.rotation_euler = (-at).to_track_quat("-Z", "Y").to_euler()
    panes.visible_camera = panes.visible_diffuse = panes.visible_glossy = False


def add_flash() -> None:
    """Adds the flash of a phone beside the lens."""
    place = bpy.context.scene.camera.matrix_world @ Vector((0.25, 0.3, 0))
    lamp("flash", place, (0, 0, 0.3), 0.28, 0.28, 900, (1, 0.98, 0.95))


def build_studio(machine: Machine, folder, closed: bool, side: int) -> None:
    """Builds the laptop's room and lights it from behind, from the left (`side` 1) or the right (-1)."""
    room = ROOMS[machine.room]
    build_room(room, folder, machine.seed)
    light = LIGHTS[machine.light]
    for name, (x, y, z), *settings in light.lamps:
        lamp(name, (x * side, y, z), (0, 0.1, 0.3), *settings)
    if light.panes:
        window(light.lamps[0][1], side)
    dark_floor(room)
    if closed:
        graded_card(side)
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*light.sky, 1)
    background.inputs[1].default_value = light.ambient
