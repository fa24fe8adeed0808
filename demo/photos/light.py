"""Lights a room: four lamps, and cards that are visible only in reflections."""

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


def build_studio(machine: Machine, folder, closed: bool, side: int) -> None:
    """Builds the laptop's room and lights it from behind, from the left (`side` 1) or the right (-1)."""
    room = ROOMS[machine.room]
    build_room(room, folder, machine.seed)
    lamp("key", (-4.6 * side, 1.2, 6.2), (0, 0, 0.3), 4.2, 4.2, 640, (1, 0.965, 0.92))
    lamp("top", (-1.9 * side, 4.9, 6.6), (0, 0, 0.2), 3.6, 2.6, 210, (1, 0.985, 0.96))
    lamp("fill", (6.5 * side, -3.5, 3.2), (0, 0, 0.5), 3.5, 4.5, 80, (0.93, 0.96, 1))
    lamp("rim", (2.6 * side, 5.2, 3.6), (0, 0.4, 0.7), 5.0, 0.8, 300, (1, 0.98, 0.95))
    dark_floor(room)
    if closed:
        graded_card(side)
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (0.95, 0.93, 0.9, 1)
    background.inputs[1].default_value = 0.15
