"""Builds the base of a laptop: case, hinge recess, feet, touchpad, stickers on the palm rest."""

import bpy

from machine import FOOT, Machine
from mesh import SCALE, Mesh, block, lettering, place, rounded, weigh_normals
from ports import cut_ports
from surfaces import Surfaces


def build_body(machine: Machine, surfaces: Surfaces, root) -> None:
    case = build_case(machine, surfaces, root)
    cutters = [trough(machine, surfaces, root, span) for span in machine.hinge_spans]
    cutters.append(opening_scoop(machine, surfaces, root))
    cutters += cut_ports(machine, surfaces, root)
    carve(case, cutters)
    for y, wide in ((17 - machine.depth / 2, 0.78), (machine.depth / 2 - 24, 0.78)):
        place(block("foot", machine.width * wide, 8, FOOT + 1.4, 4, 0.7, surfaces.rubber, root), 0, y, -FOOT)
    wide, deep, x, y = machine.pad
    pad = block("touchpad", wide - 0.9, deep - 0.9, 0.62, 3.1, 0.16, surfaces.touchpad(), root, steps=8)
    place(pad, x, y, machine.height - 0.74)
    if machine.hinge == "drop" and not machine.shelf:
        exhaust(machine, surfaces, root)
    stickers(machine, surfaces, root)


def build_case(machine, surfaces, root):
    w, d, h, r = machine.width, machine.depth, machine.height, machine.corner
    q = machine.taper / 6.3
    profile = [
        (0, 11, 0), (0.25 * q, 9.4, 0), (4.3 * q, 1.6, 0), (4.9 * q, 0.75, 0.3), (5.6 * q, 0.18, 0.3), (6.3 * q, 0, 0),
        (h - 1.5, 0, 0), (h - 1.0, 0.08, 0.5), (h - 0.55, 0.32, 1), (h - 0.2, 0.72, 1), (h - 0.04, 1.15, 0.8), (h, 1.55, 0),
    ]  # fmt: skip
    mesh = Mesh()
    rings = [mesh.ring(rounded(w - 2 * i, d - 2 * i, max(r - i, 2.5), steps=12), z, rub) for z, i, rub in profile]
    mesh.skins(rings)
    mesh.cap(rings[0], 0, True)

    def recess(wide, deep, x, y, radius, depth, material):
        steps = [(h, 0, 0), (h - 0.08, 0.04, 0.6), (h - 0.22, 0.14, 0.6), (h - 0.42, 0.24, 0), (h - depth, 0.3, 0)]
        loops = [
            mesh.ring(rounded(wide - 2 * i, deep - 2 * i, max(radius - i, 0.3), x, y, 8), z, rub) for z, i, rub in steps
        ]
        mesh.skins(loops)
        mesh.cap(loops[-1], material)
        return loops[0]

    keys_wide, keys_deep, keys_y = machine.keyboard
    pad_wide, pad_deep, pad_x, pad_y = machine.pad
    keys = recess(keys_wide, keys_deep, 0, keys_y, 3.2, 1.75, 2)
    pad = recess(pad_wide, pad_deep, pad_x, pad_y, 3.5, 0.75, 1)
    mesh.cap_with_holes([rings[-1], keys, pad])
    for mark in machine.marks:
        if mark["kind"] == "dent":
            x = (w / 2 - 2.5) * (1 if "right" in mark["corner"] else -1)
            y = (d / 2 - 2.5) * (1 if "rear" in mark["corner"] else -1)
            mesh.dent((x, y, h), 5.0, mark["depth"])
    materials = [surfaces.deck, surfaces.hole, surfaces.key_floor()]
    return mesh.build("case", materials, root, uv=(-w / 2, -d / 2, w, d), weighted=False)


def cutter(name, mesh, materials, root):
    thing = mesh.build(name, materials, root, weighted=False)
    thing.hide_render = True
    return thing


def trough(machine, surfaces, root, span):
    """Cuts the recess of the hinge. It is open to the rear unless the case continues behind the hinge."""
    start, end = span
    radius = machine.barrel
    mesh = Mesh()
    rear = radius + 1.3 if machine.shelf else radius + 5.0
    front = radius + 1.4
    outline = rounded(end - start, front + rear, 0.4, 0, (rear - front) / 2, 2)
    mesh.loft([(outline, -radius - 1.0), (outline, 4)])
    y, _ = machine.axis
    return place(cutter("trough", mesh, [surfaces.deck, surfaces.hole], root), (start + end) / 2, y, machine.height)


def opening_scoop(machine, surfaces, root):
    """Cuts the finger notch in the front edge."""
    mesh = Mesh()
    mesh.loft([(rounded(60, 6, 2.6, steps=6), -0.9), (rounded(62, 8, 3.4, steps=6), 2)])
    scoop = cutter("scoop", mesh, [surfaces.deck], root)
    return place(scoop, 0, -machine.depth / 2 - 0.8, machine.height)


def carve(case, cutters):
    hidden = bpy.data.collections.new("cutters")
    scene = bpy.context.scene.collection
    scene.children.link(hidden)
    for thing in cutters:
        hidden.objects.link(thing)
        scene.objects.unlink(thing)
    modifier = case.modifiers.new("carve", "BOOLEAN")
    modifier.operand_type = "COLLECTION"
    modifier.collection = hidden
    modifier.solver = "EXACT"
    weigh_normals(case)


def exhaust(machine, surfaces, root):
    start, end = machine.hinge_spans[0]
    y, _ = machine.axis
    count = int((end - start - 12) / 5.6)
    tall = machine.barrel - 0.6
    for i in range(count):
        fin = block("fin", 1.5, 1.3, tall, 0.3, 0.2, surfaces.base, root, steps=2)
        place(fin, (start + end) / 2 + (i - (count - 1) / 2) * 5.6, y + 5.45, machine.height - machine.barrel - 1.0)


def stickers(machine, surfaces, root):
    """Adds a sticker with the model name and one with the shop's grade."""
    w, d, h = machine.width, machine.depth, machine.height
    if machine.label:
        lettering(machine.label, 3.6, surfaces.print, root, (w / 2 - 27, 10.5 - d / 2, h + 0.012), raised=0.008)
    x, y = 26 - w / 2, 17 - d / 2
    tilt = 0.004 + 0.01 * ((machine.seed * 0.37) % 1)
    mesh = Mesh()
    outline = rounded(17, 12, 1, steps=4)
    mesh.loft([(outline, 0), (outline, 0.07), (rounded(16.8, 11.8, 1, steps=4), 0.09)], 0, bottom=False)
    label = place(mesh.build("sticker", [surfaces.paper], root), x, y, h)
    label.rotation_euler = (0, 0, tilt)
    grade = {"Excellent": "A", "Good": "B", "Fair": "C"}[machine.condition]
    turn = (0, 0, tilt)
    lettering(f"GRADE {grade}", 2.6, surfaces.ink, root, (x, y + 2.5, h + 0.1), turn, 0.004)
    number = f"CO-{20400 + machine.seed * 37 % 600}"
    lettering(number, 2.1, surfaces.ink, root, (x, y - 2.4, h + 0.1), turn, 0.004, 1.0, "Regular")


def root_height() -> float:
    """Returns the height of the base above the ground, in Blender units."""
    return FOOT * SCALE
