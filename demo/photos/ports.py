"""Builds the ports on the sides and the rear, each in the coordinates of its wall."""

import math

from machine import Machine
from mesh import Mesh, block, frame, rounded
from surfaces import Surfaces

# opening: width, height, corner radius in mm
OPENINGS = {
    "usb-a": (13.0, 5.2, 0.5),
    "usb-c": (9.0, 3.3, 1.64),
    "hdmi": (15.0, 5.2, 0.8),
    "audio": (3.8, 3.8, 1.9),
    "ethernet": (12.4, 7.4, 0.5),
    "sd": (24.5, 2.3, 0.5),
    "card": (55.0, 1.7, 0.4),
    "lock": (6.6, 2.8, 0.9),
    "dc": (5.4, 5.4, 2.7),
    "vent": (42.0, 4.0, 0.75),
}
LINED = ("usb-a", "usb-c", "hdmi", "audio", "dc")
WALLS = {
    "right": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "left": ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    "rear": ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
}


def cut_ports(machine: Machine, surfaces: Surfaces, root) -> list:
    """Builds the inside of each port. Returns the shapes to cut out of the case."""
    cutters = []
    for side, kinds in machine.ports.items():
        for kind, offset in spread(machine, side, kinds):
            if side == "rear":
                origin = (offset, machine.depth / 2, machine.port_height)
            else:
                x = machine.width / 2 * (1 if side == "right" else -1)
                origin = (x, offset, machine.port_height)
            cutters += build_port(machine, surfaces, root, kind, origin, WALLS[side])
    return cutters


def spread(machine, side, kinds):
    """Returns the center of each port: at the sides from the hinge forwards, at the rear from the middle outwards."""
    widths = [OPENINGS[kind][0] for kind in kinds]
    if side == "rear":
        room = machine.width - 50 - sum(widths)
        at, step = -machine.width / 2 + 25, room / max(1, len(kinds) - 1)
        for kind, wide in zip(kinds, widths):
            yield kind, at + wide / 2
            at += wide + step
        return
    room = machine.depth - 44 - sum(widths)
    step = min(11.0, room / max(1, len(kinds) - 1))
    at = machine.depth / 2 - 23
    for kind, wide in zip(kinds, widths):
        yield kind, at - wide / 2
        at -= wide + step


def build_port(machine, surfaces, root, kind, origin, wall):
    w, h, r = OPENINGS[kind]
    h = min(h, machine.height - 1.7 - machine.taper - 0.4)

    def put(thing, x=0.0, y=0.0, z=0.0):
        along, up, out = wall
        at = [o + x * a + y * u + z * n for o, a, u, n in zip(origin, along, up, out)]
        return frame(thing, at, *wall)

    def hollow(wide, high, radius, x=0.0):
        mesh = Mesh()
        outline = rounded(wide, high, radius, steps=6)
        mesh.loft([(outline, -11), (outline, 11)], 1)
        thing = mesh.build("opening", [surfaces.deck, surfaces.hole], root, weighted=False)
        thing.hide_render = True
        return put(thing, x=x)

    if kind == "vent":
        return [hollow(1.5, min(4.2, h), 0.75, x=i * 3.4 - 20.4) for i in range(13)]
    if kind in LINED:
        liner(surfaces, root, kind, w, h, r, put)
    tongue(surfaces, root, kind, h, put)
    return [hollow(w + 0.5, h + 0.5, r + 0.2)]


def liner(surfaces, root, kind, w, h, r, put):
    """Adds a liner slightly inside the opening, which leaves a thin bright rim."""
    t = 0.8 if kind == "audio" else 0.45
    sections = [
        (w, h, r, -9), (w, h, r, -0.22), (w - 0.16, h - 0.16, r, -0.06), (w - 2 * t + 0.12, h - 2 * t + 0.12, max(r - t, 0.2), -0.06),
        (w - 2 * t, h - 2 * t, max(r - t, 0.2), -0.3), (w - 2 * t, h - 2 * t, max(r - t, 0.2), -9),
    ]  # fmt: skip
    mesh = Mesh()
    mesh.loft([(rounded(a, b, c, steps=8), z) for a, b, c, z in sections], 0, bottom=False, top=False)
    material = surfaces.black if kind in ("audio", "dc") else surfaces.metal
    put(mesh.build("liner", [material], root))


def tongue(surfaces, root, kind, h, put):
    def bar(w, d, length, x, y, z, material, bevel=0.12):
        put(block("tongue", w, d, length, 0.2, bevel, material, root, steps=3), x, y, z)

    if kind == "usb-a":
        bar(11.0, 1.9, 8.2, 0, 0.75, -8.9, surfaces.blue)
        for i in range(4):
            bar(1.1, 0.16, 6.2, (i - 1.5) * 2.4, -0.26, -7.2, surfaces.gold, 0.03)
    elif kind == "usb-c":
        bar(6.4, 0.75, 7.6, 0, 0, -8.4, surfaces.black)
    elif kind == "hdmi":
        bar(11.2, 1.3, 7.4, 0, 0.25, -8.2, surfaces.black)
        bar(10.2, 0.12, 6.0, 0, -0.48, -7.2, surfaces.gold, 0.03)
    elif kind == "ethernet":
        bar(11.6, 0.8, 9.0, 0, h / 2 - 0.6, -9.6, surfaces.metal)
        for i in range(8):
            bar(0.5, 0.2, 7.4, (i - 3.5) * 1.1, h / 2 - 1.3, -9.4, surfaces.gold, 0.03)
        for x in (-4.9, 4.9):
            bar(1.6, 1.1, 0.7, x, 1.1 - h / 2, -1.0, surfaces.paper, 0.1)
    elif kind == "dc":
        pin = block("pin", 1.2, 1.2, 7.5, 0.6, 0.1, surfaces.metal, root, steps=6)
        put(pin, 0, 0, -8.8)
    elif kind == "card":
        bar(54.0, 0.5, 6.0, 0, 0.3, -7.2, surfaces.metal)


def faces(machine: Machine) -> str:
    """Returns the side that the picture of the closed laptop shows."""
    def interest(side):
        return sum(math.sqrt(OPENINGS[kind][0]) for kind in machine.ports.get(side, []) if kind not in ("vent", "lock"))

    return "right" if interest("right") >= interest("left") else "left"
