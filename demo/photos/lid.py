"""Builds the lid, bezel, screen, camera and hinge, with the lid closed.

Coordinates of the hinge: y is 0 at the hinge and negative towards the front.
"""

import math

from machine import Machine
from mesh import Mesh, block, lettering, place, rounded
from surfaces import Surfaces, plain

FLOOR = 0.75  # mm between the hinge's axis and the inner face
REAR = -3.2


def screen_middle(machine: Machine) -> float:
    """Returns the middle of the screen (y) in the coordinates of the hinge."""
    top = 6.0 if machine.bezel == "slim" else 9.0
    return top + machine.screen[1] / 2 - (machine.depth / 2 + machine.axis[0])


def build_lid(machine: Machine, surfaces: Surfaces, hinge) -> None:
    front = -(machine.depth / 2 + machine.axis[0])
    deep, middle = REAR - front, (REAR + front) / 2
    build_shell(machine, surfaces, hinge, deep, middle)
    wide, high = machine.screen
    top = 6.0 if machine.bezel == "slim" else 9.0
    screen_y = screen_middle(machine)
    build_bezel(machine, surfaces, hinge, deep, middle, screen_y)
    panel = Mesh()
    panel.cap(panel.ring(rounded(wide + 0.4, high + 0.4, 1, 0, screen_y, 4), FLOOR + 0.6), flip=True)
    # on the inner face of a closed lid, the top of the picture points to the front edge
    area = (-wide / 2, screen_y + high / 2, wide, -high)
    panel.build("screen", [surfaces.screen()], hinge, uv=area, weighted=False)
    build_camera(surfaces, hinge, front + top / 2 + 0.1, 0.72 if machine.bezel == "slim" else 1.0)
    for start, end in machine.hinge_spans:
        build_hinge(machine, surfaces, hinge, start + 0.4, end - 0.4)
    size = 19 if len(machine.wordmark) < 5 else 13
    at = (0, middle, FLOOR + machine.lid_thickness + 0.42)
    lettering(machine.wordmark, size, surfaces.wordmark, hinge, at, (0, 0, math.pi), 0.05, 1.08)
    chin = REAR - (screen_y + high / 2)
    if chin > 10:
        faint = plain("bezel print", (0.42, 0.42, 0.43), 0.4)
        lettering(machine.wordmark, 5.0, faint, hinge, (0, REAR - chin * 0.46, FLOOR), (math.pi, 0, 0), 0.03)


def build_shell(machine, surfaces, hinge, deep, middle):
    w, t, r = machine.width, machine.lid_thickness, machine.corner
    profile = [
        (0, 0.9, 0), (0.06, 0.5, 0.4), (0.25, 0.18, 1), (0.55, 0, 0.7), (t - 1.9, 0, 0.2), (t - 1.2, 0.12, 0.8),
        (t - 0.65, 0.45, 1), (t - 0.28, 1.0, 1), (t - 0.06, 1.9, 0.6), (t, 3.0, 0), (t + 0.12, 14, 0), (t + 0.30, 40, 0), (t + 0.40, 75, 0),
    ]  # fmt: skip
    mesh = Mesh()
    rings = [
        mesh.ring(rounded(w - 2 * i, deep - 2 * i, max(r - i, 2.5), 0, middle, 12), FLOOR + z, rub)
        for z, i, rub in profile
    ]
    mesh.skins(rings)
    mesh.cap(rings[-1])
    inner = [
        mesh.ring(rounded(w - 2 * i, deep - 2 * i, max(r - i, 2.5), 0, middle, 12), FLOOR + z)
        for z, i in ((0, 1.9), (0.7, 2.0))
    ]
    mesh.skin(inner[0], inner[1], 0, True)
    mesh.cap(inner[1], 0, True)
    mesh.cap_with_holes([rings[0], inner[0]], up=False)
    for mark in machine.marks:
        if mark["kind"] == "dent":
            x = (w / 2 - 2.5) * (1 if "right" in mark["corner"] else -1)
            y = middle + (deep / 2 - 2.5) * (1 if "rear" in mark["corner"] else -1)
            mesh.dent((x, y, FLOOR + t), 4.5, mark["depth"])
    mesh.build("lid", [surfaces.lid], hinge, uv=(-w / 2, middle - deep / 2, w, deep))


def build_bezel(machine, surfaces, hinge, deep, middle, screen_y):
    w, r = machine.width, machine.corner
    wide, high = machine.screen
    mesh = Mesh()
    outer = [
        mesh.ring(rounded(w - 2 * i, deep - 2 * i, r - i, 0, middle, 12), z)
        for z, i in ((FLOOR + 0.7, 2.15), (FLOOR + 0.12, 2.15), (FLOOR + 0.02, 2.35))
    ]
    mesh.skins(outer, 0, True)
    around = ((FLOOR + 0.02, 0.45), (FLOOR + 0.10, 0.2), (FLOOR + 0.3, 0.06), (FLOOR + 0.75, 0))
    opening = [mesh.ring(rounded(wide + 2 * i, high + 2 * i, 1.2 + i, 0, screen_y, 8), z) for z, i in around]
    mesh.skins(opening, 0, True)
    mesh.cap_with_holes([outer[-1], opening[0]], up=False)
    mesh.build("bezel", [surfaces.bezel()], hinge)
    front = middle - deep / 2
    for x in (9 - w / 2, w / 2 - 9):
        place(block("bump", 9, 2.6, 0.7, 1.2, 0.25, surfaces.rubber, hinge), x, front + 3.7, FLOOR - 0.35)


def build_camera(surfaces, hinge, y, size):
    def disc(radius, height, material, x, z):
        place(block("disc", 2 * radius, 2 * radius, height, radius, 0.05, material, hinge, steps=10), x, y, z)

    disc(2.0 * size, 0.25, plain("camera ring", (0.03, 0.03, 0.032), 0.25), 0, FLOOR - 0.03)
    disc(1.15 * size, 0.3, surfaces.glass, 0, FLOOR - 0.05)
    disc(0.45 * size, 0.2, plain("camera light", (0.25, 0.25, 0.25), 0.3), 8, FLOOR)
    for x in (-30, 30):
        disc(0.4 * size, 0.3, surfaces.hole, x, FLOOR - 0.012)


def build_hinge(machine, surfaces, hinge, start, end):
    radius = machine.barrel
    mesh = Mesh()
    rings = []
    for x, r in ((start, -0.6), (start + 0.25, -0.15), (start + 0.7, 0), (end - 0.7, 0), (end - 0.25, -0.15), (end, -0.6)):
        first = len(mesh.points)
        for k in range(40):
            a = 2 * math.pi * k / 40
            mesh.points.append((x, (radius + r) * math.cos(a), (radius + r) * math.sin(a)))
        mesh.rub += [0.0] * 40
        rings.append(list(range(first, first + 40)))
    mesh.skins(rings)
    mesh.cap(rings[0], 0, True)
    mesh.cap(rings[-1])
    mesh.build("barrel", [surfaces.hinge], hinge)
    neck = block("neck", end - start - 1, 8, radius * 0.85, 0.5, 0.3, surfaces.hinge, hinge)
    place(neck, (start + end) / 2, -4.4, FLOOR + 0.2)
