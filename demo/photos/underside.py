"""Builds what the underside of a laptop shows: vents, screws and the label with its numbers."""

import math

from machine import Machine
from mesh import Mesh, lettering, place, rounded
from surfaces import Surfaces

FLIP = (math.pi, 0, 0)


def build_underside(machine: Machine, surfaces: Surfaces, root) -> None:
    w, d = machine.width, machine.depth
    dark, screws, seams = Mesh(), Mesh(), Mesh()
    hot = 1 if machine.seed % 2 else -1
    fans = (hot,) if machine.body[2] < 20 else (-1, 1)
    for side in fans:  # slots above the fans
        for row in range(5):
            for k in range(19):
                cut(dark, 2.0, 9.0, side * w * 0.22 + (k - 9) * 4.2, d * 0.24 + (row - 2) * 13)
    for side in (-1, 1):  # speakers in front
        for k in range(11):
            cut(dark, 1.3, 13, side * (w / 2 - 45) + (k - 5) * 2.9, 38 - d / 2)
    for x in (-0.46, 0, 0.46):
        for y in (-0.42, 0.05, 0.43):
            if (x, y) == (0, 0.05):
                continue
            disc(screws, 2.5, x * w, y * d, 0.10)
            disc(dark, 1.25, x * w, y * d, 0.14)
    for y in (d / 2 - 10, 10 - d / 2):
        cut(seams, w - 24, 0.35, 0, y)
    dark.build("slots", [surfaces.hole], root, weighted=False)
    screws.build("screws", [surfaces.black if machine.material == "silver" else surfaces.metal], root, weighted=False)
    seams.build("seams", [surfaces.hole], root, weighted=False)
    label(machine, surfaces, root)


def cut(mesh, wide, deep, x, y):
    outline = rounded(wide, deep, min(wide, deep) / 2 - 0.02, x, y, 3)
    mesh.loft([(outline, -0.05), (outline, 0.5)], top=False)


def disc(mesh, radius, x, y, out):
    outline = rounded(2 * radius, 2 * radius, radius, x, y, 6)
    mesh.loft([(outline, -out), (outline, 0.5)], top=False)


def label(machine, surfaces, root):
    """Adds the maker's label. Its numbers belong to no existing machine."""
    x, y, wide, deep = (-0.14 if machine.seed % 2 else 0.14) * machine.width, -machine.depth * 0.13, 92.0, 30.0
    mesh = Mesh()
    outline = rounded(wide, deep, 2, steps=4)
    mesh.loft([(outline, -0.12), (outline, 0.2)], top=False)
    place(mesh.build("label", [surfaces.paper], root), x, y, 0)
    maker = machine.slug.split("-")[0].upper()
    number = f"{machine.seed * 7919 % 90000 + 10000}-{machine.seed * 613 % 900 + 100}"
    lines = ((f"{maker} {machine.label}".strip(), 4.2, 9.5, "Semibold"), (f"Model {number}", 3.0, 4.2, "Regular"))
    lines += (("Input 19.5 V   3.33 A", 2.8, -0.4, "Regular"),)
    for text, size, up, weight in lines:
        # seen from below, x runs the other way round
        lettering(text, size, surfaces.ink, root, (x - 12, y - up, -0.14), FLIP, 0.01, 1.0, weight)
    bars, at = Mesh(), -36.0
    for k in range(46):
        thick = 0.35 + (machine.seed * 31 + k * 17) % 4 * 0.28
        stripe = rounded(thick, 6.0, 0.02, at, 0, 1)
        bars.loft([(stripe, -0.03), (stripe, 0.02)], top=False)
        at += thick + 0.45 + (machine.seed * 13 + k * 7) % 3 * 0.3
    place(bars.build("bars", [surfaces.ink], root, weighted=False), x, y + 9.0, -0.12)
