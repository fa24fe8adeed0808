"""Builds things that stand beside a laptop: a mug, books, a plant, a charger, tools, a slip of paper, a ruler."""

import math
import random

import bpy

from machine import Machine
from mesh import SCALE, Mesh, block, empty, lettering, place, rounded
from surfaces import Surfaces, plain

# the directions of the places around the laptop, in degrees from the right
PLACES = {"right": -4, "back-right": 47, "back": 84, "back-left": 133, "left": 184}

COLOURS = ((0.55, 0.10, 0.07), (0.06, 0.20, 0.34), (0.70, 0.52, 0.16), (0.10, 0.26, 0.17), (0.62, 0.60, 0.56))


def add_props(machine: Machine) -> None:
    reach = math.hypot(machine.width, machine.depth) / 2
    for i, (name, where) in enumerate(machine.props):
        dice = random.Random(f"{machine.slug} {name} {i}")
        build, size = PROPS[name]
        thing = build(dice)
        a = math.radians(PLACES[where] + dice.uniform(-5, 5))
        r = reach + size + dice.uniform(8, 30)
        place(thing, r * math.cos(a), r * math.sin(a), 0)
        thing.rotation_euler.z = math.radians(dice.uniform(-28, 28))


def circle(r):
    return rounded(2 * r, 2 * r, r, steps=12)


def turned(name, profile, material, parent, bottom=True):
    """Builds a solid of revolution. `profile` holds pairs of a radius and a height."""
    mesh = Mesh()
    mesh.loft([(circle(r), z) for r, z in profile], bottom=bottom)
    return mesh.build(name, [material], parent, smooth=40)


def tube(name, points, radius, material, parent):
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", radius * SCALE, 4
    line = curve.splines.new("NURBS")
    line.points.add(len(points) - 1)
    for point, at in zip(line.points, points):
        point.co = (*(v * SCALE for v in at), 1)
    line.use_endpoint_u = True
    line.order_u = 4
    curve.materials.append(material)
    thing = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = parent
    return thing


def mug(dice):
    root = empty("mug")
    glaze = plain("glaze", dice.choice(COLOURS), 0.16, Clearcoat=0.6)
    sides = [(30, 0), (38, 3), (40, 12), (40.5, 84), (39.8, 87), (38.4, 87), (37.6, 84), (37, 64)]
    turned("mug", sides, glaze, root)
    coffee = plain("coffee", (0.018, 0.009, 0.005), 0.06)
    place(turned("coffee", [(37, 0), (36.9, 0.4)], coffee, root), 0, 0, 64.4)
    tube("handle", [(38, 0, 74), (58, 0, 78), (70, 0, 58), (68, 0, 34), (52, 0, 20), (38, 0, 22)], 4.6, glaze, root)
    return root


def books(dice):
    root, z = empty("books"), 0.0
    for i in range(dice.choice((2, 3))):
        thick = dice.uniform(14, 34)
        wide, deep = dice.uniform(120, 150), dice.uniform(180, 215)
        pages = plain("pages", (0.66, 0.60, 0.48), 0.8)
        cover = plain("cover", dice.choice(COLOURS), 0.5)
        stack = empty("book", root)
        block("pages", wide - 4, deep - 6, thick - 5, 1, 0.3, pages, stack).location.z = 2.5 * SCALE
        for h in (0, thick - 2.5):
            place(block("cover", wide, deep, 2.5, 1.5, 0.6, cover, stack), 0, 0, h)
        place(block("spine", 3, deep, thick, 1.4, 0.6, cover, stack), -wide / 2, 0, 0)
        place(stack, dice.uniform(-6, 6), dice.uniform(-6, 6), z)
        stack.rotation_euler.z = dice.uniform(-0.2, 0.2)
        z += thick
    return root


def plant(dice):
    root = empty("plant")
    turned("pot", [(34, 0), (46, 74), (49, 76), (49, 86), (45, 86), (44, 78)], plain("clay", (0.50, 0.24, 0.14), 0.8), root)
    green = plain("leaf", (0.045, 0.15, 0.035), 0.36)
    mesh = Mesh()
    for i in range(38):
        a, lean, long = dice.uniform(0, 6.28), dice.uniform(0.25, 1.25), dice.uniform(70, 150)
        wide = dice.uniform(9, 15)
        rows = []
        for k in range(7):
            t = k / 6
            out = 6 + long * t * math.sin(lean * (0.4 + 0.75 * t))
            up = 80 + long * t * math.cos(lean * (0.4 + 0.75 * t))
            half = wide * math.sin(math.pi * min(1, 0.12 + 0.88 * t)) + 0.3
            mid = (out * math.cos(a), out * math.sin(a), up)
            side = (-math.sin(a) * half, math.cos(a) * half)
            first = len(mesh.points)
            mesh.points += [(mid[0] - side[0], mid[1] - side[1], up + half * 0.3), mid, (mid[0] + side[0], mid[1] + side[1], up + half * 0.3)]
            mesh.rub += [0.0] * 3
            rows.append(first)
        for low, high in zip(rows, rows[1:]):
            for j in (0, 1):
                mesh.faces.append((low + j, low + j + 1, high + j + 1, high + j))
                mesh.materials.append(0)
    mesh.build("leaves", [green], root, smooth=60, weighted=False)
    return root


def notebook(dice):
    root = empty("notebook")
    block("notebook", 130, 185, 11, 5, 1.2, plain("cover", dice.choice(COLOURS[1:]), 0.55), root)
    pencil = turned("pencil", [(0.6, 0), (3.6, 14), (3.6, 160), (3.4, 176)], plain("pencil", (0.75, 0.42, 0.05), 0.35), root)
    place(pencil, 8, -70, 15)
    pencil.rotation_euler = (math.radians(-90), 0, math.radians(24))
    return root


def phone(dice):
    root = empty("phone")
    block("phone", 72, 150, 8, 9, 1.6, plain("phone", (0.02, 0.022, 0.026), 0.2, 0.6), root)
    place(block("glass", 68, 146, 0.3, 7, 0.1, plain("phone glass", (0.006, 0.006, 0.008), 0.05, Clearcoat=1.0), root), 0, 0, 7.9)
    return root


def charger(dice):
    root = empty("charger")
    black = plain("charger", (0.016, 0.016, 0.017), 0.42)
    block("brick", 52, 112, 28, 8, 3, black, root)
    place(block("label", 34, 60, 0.2, 2, 0.05, plain("label", (0.20, 0.20, 0.20), 0.5), root), 0, 0, 28)
    coil = [(0, 54, 14), (6, 78, 10)]
    for k in range(40):
        a = k * 0.46
        r = 34 + 3 * math.sin(k * 1.7) + k * 0.25
        coil.append((62 + r * math.cos(a), 30 + r * math.sin(a), 3 + (k * 5 % 11) * 0.7))
    coil += [(130, -30, 3), (150, -90, 2.4)]
    tube("cable", coil, 2.1, black, root)
    return root


def screwdriver(dice):
    root = empty("screwdriver")
    grip = plain("grip", (0.88, 0.26, 0.012), 0.4)
    steel = plain("steel", (0.55, 0.55, 0.56), 0.25, 1.0)
    for name, profile, material in (
        ("grip", [(7, 0), (8.5, 4), (7.4, 22), (8.8, 60), (6, 78), (5.4, 84)], grip),
        ("shaft", [(2.4, 84), (2.3, 160), (1.1, 168)], steel),
    ):
        part = place(turned(name, profile, material, root), 0, -60, 9)
        part.rotation_euler = (math.radians(-90), 0, 0)
    return root


def tray(dice):
    """A magnetic tray with the screws of a laptop."""
    root = empty("tray")
    block("tray", 110, 74, 3, 8, 1, plain("tray", (0.40, 0.41, 0.42), 0.3, 1.0), root)
    steel = plain("screw", (0.10, 0.10, 0.105), 0.3, 0.9)
    for i in range(9):
        screw = turned("screw", [(1.2, 0), (1.2, 4), (2.9, 4.2), (2.9, 5.4)], steel, root)
        place(screw, -38 + i % 5 * 18 + dice.uniform(-5, 5), -14 + i // 5 * 26 + dice.uniform(-6, 6), 5)
        screw.rotation_euler = (math.radians(dice.choice((90, 180, 96))), dice.uniform(0, 6), dice.uniform(0, 6))
    return root


def pile(dice):
    """Closed laptops that wait for their turn."""
    root, z = empty("pile"), 0.0
    for tone in dice.sample(((0.45, 0.45, 0.46), (0.03, 0.031, 0.034), (0.13, 0.135, 0.145), (0.02, 0.03, 0.055)), 3):
        shell = plain("shell", tone, 0.4, 0.8 if tone[0] > 0.1 else 0.1)
        for h, t in ((z + 1.5, 12.5), (z + 14.6, 5.0)):
            thing = place(block("waiting", 322, 214, t, 10, 1.6, shell, root), dice.uniform(-3, 3), dice.uniform(-3, 3), h)
            thing.rotation_euler.z = dice.uniform(-0.03, 0.03)
        z += 21
    return root


# the way to build each, and its half width in mm
PROPS = {
    "mug": (mug, 42), "books": (books, 82), "plant": (plant, 50), "notebook": (notebook, 78), "phone": (phone, 46),
    "charger": (charger, 60), "screwdriver": (screwdriver, 30), "tray": (tray, 58), "pile": (pile, 165),
}  # fmt: skip


def ruler(parent, at, turn=0.0, flip=False) -> None:
    """Lays a steel ruler on a part. `at` is the middle of its upper edge, where the millimetres are."""
    root = empty("ruler", parent)
    steel = plain("ruler", (0.66, 0.66, 0.65), 0.34, 1.0)
    ink = plain("ruler ink", (0.015, 0.015, 0.015), 0.6)
    place(block("ruler", 164, 15, 0.6, 1, 0.1, steel, root), 0, -7.5, 0.05)
    mesh = Mesh()
    for mm in range(-80, 81):
        long = 5.6 if mm % 10 == 0 else 4.4 if mm % 5 == 0 else 3.0
        outline = rounded(0.17 if mm % 10 else 0.24, long, 0.01, mm, -long / 2 - 0.15, 1)
        mesh.loft([(outline, 0.6), (outline, 0.67)], bottom=False)
    mesh.build("ticks", [ink], root, weighted=False)
    for cm in range(0, 17):
        lettering(str(cm), 3.6, ink, root, ((cm - 8) * 10, -8.6, 0.68), (0, 0, 0), 0.004, 1.0)
    lettering("mm", 2.4, ink, root, (-75, -12.4, 0.68), (0, 0, 0), 0.004, 1.0, "Regular")
    place(root, *at)
    root.rotation_euler = (math.pi if flip else 0, 0, turn)


# the slip of paper, in mm; pictures.ts draws the code of a laptop on it
SLIP = (76.0, 46.0)


def add_slip(machine: Machine, surfaces: Surfaces, parent) -> None:
    """Lays an empty slip of paper on the touchpad."""
    wide, deep = SLIP
    mesh = Mesh()
    columns, rows = 16, 8
    for j in range(rows + 1):
        for i in range(columns + 1):
            u, v = i / columns, j / rows
            lift = 0.25 + 2.2 * max(0, u - 0.78) ** 2 * 20 + 1.2 * max(0, 0.2 - u) ** 2 * 25
            mesh.points.append(((u - 0.5) * wide, (v - 0.5) * deep, lift))
            mesh.rub.append(0.0)
    for j in range(rows):
        for i in range(columns):
            first = j * (columns + 1) + i
            mesh.faces.append((first, first + 1, first + columns + 2, first + columns + 1))
            mesh.materials.append(0)
    _, _, x, y = machine.pad
    slip = mesh.build("slip", [plain("slip", (0.80, 0.79, 0.75), 0.75)], parent, smooth=60, weighted=False)
    place(slip, x, y, machine.height)
    slip.rotation_euler.z = math.radians(5)
