"""Builds the keys: a dished cap for each, slightly tilted as real ones are."""

import random

from layout import key_layout
from machine import Machine
from mesh import Mesh, rounded
from surfaces import Surfaces

GAP = 3.0  # mm between caps


def build_keyboard(machine: Machine, surfaces: Surfaces, root) -> None:
    dice = random.Random(machine.seed)
    across, down = machine.pitch, machine.row_pitch
    _, _, middle = machine.keyboard
    left, rear = -machine.units * across / 2, middle + machine.rows * down / 2
    mesh = Mesh()
    for _, _, kx, ky, kw, kh in key_layout(machine):
        cx, cy = left + (kx + kw / 2) * across, rear - (ky + kh / 2) * down
        gap = GAP if kh >= 1 else 2.0 if kh < 0.55 else GAP - 0.6
        build_cap(mesh, dice, cx, cy, kw * across - GAP, kh * down - gap, machine.height, kw, kh)
    area = (left, middle - machine.rows * down / 2, machine.units * across, machine.rows * down)
    mesh.build("keys", [surfaces.keys()], root, uv=area, smooth=50, weighted=False)


def build_cap(mesh, dice, cx, cy, wide, deep, deck, units_wide, units_deep):
    radius = 1.6 if units_deep >= 0.6 else 1.2
    foot, top = deck - 1.5, deck + 0.45 + dice.gauss(0, 0.035)
    dish = 0.16 if units_deep >= 1 else 0.05
    short = min(wide, deep)
    profile = [
        (foot, -0.25), (foot + 0.9, -0.1), (top - 0.55, 0.12), (top - 0.28, 0.24), (top - 0.1, 0.45), (top - 0.015, 0.75), (top, 1.1),
        (top - dish * 0.35, min(2.6, short * 0.28)), (top - dish * 0.75, min(4.4, short * 0.38)), (top - dish, min(6.2, short * 0.46)),
    ]  # fmt: skip
    first = len(mesh.points)

    def corner(inset):
        if inset < 2:
            return max(radius - inset * 0.6, 0.5)
        return max(radius, short / 2 - inset - 0.1 if inset > 4 else 2)

    mesh.loft(
        [
            (rounded(wide - 2 * i, deep - 2 * i, corner(i), cx, cy, 5), z, 1 if 0.2 < i < 0.8 else 0)
            for z, i in profile
        ],
        bottom=False,
    )
    lean_x, lean_y = dice.gauss(0, 0.0028) / max(units_wide, 1), dice.gauss(0, 0.0035)
    for j in range(first, len(mesh.points)):
        x, y, z = mesh.points[j]
        mesh.points[j] = (x, y, z + (x - cx) * lean_x + (y - cy) * lean_y)
