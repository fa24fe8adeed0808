"""Aims the camera at a flaw, the ports or the slip: the point, and the rotation of the laptop that shows it in the light."""

import math
from dataclasses import dataclass

from camera import dice_of
from layout import key_layout
from lid import FLOOR, REAR, screen_middle
from machine import Machine
from ports import faces, spread

# where a corner is: x, y
CORNERS = {"rear-left": (-1, 1), "rear-right": (1, 1), "front-left": (-1, -1), "front-right": (1, -1)}


@dataclass(frozen=True)
class Aim:
    """A point in mm, in the coordinates of the base or of the closed lid; the camera is in front of the turned laptop."""

    point: tuple[float, float, float]
    on_lid: bool
    closed: bool
    turn: float  # degrees
    elevation: float  # degrees
    wide: float  # mm of the subject that the picture shows
    ruler: tuple[float, float] | None = None  # where it lies, in mm from the point across and towards the camera


def aim_at(machine: Machine, view: str) -> Aim:
    """Returns the aim for a view: `of` names the part, the other keys change the default."""
    flaw = dict(machine.flaws[view] if view in machine.flaws else DETAILS[view])
    part = flaw.pop("of")
    settings = {"elevation": 40.0, "wide": 120.0, "turn": 0.0, "closed": part in ("lid", "corner"), "on_lid": False}
    if part == "ports":
        side = faces(machine)
        turn = dice_of(machine, view).uniform(10, 26)
        spots = [offset for _, offset in spread(machine, side, machine.ports[side])]
        point = (machine.width / 2 * (1 if side == "right" else -1), (max(spots) + min(spots)) / 2, machine.height)
        settings |= {"elevation": 15.0, "wide": max(spots) - min(spots) + 84, "closed": machine.seed % 3 > 0}
        settings |= {"turn": -90 + turn if side == "right" else 90 - turn}
    elif part == "slip":
        _, _, x, y = machine.pad
        point = (x, y, machine.height)
    elif part == "lid":
        u, v = flaw.pop("at")
        front = -(machine.depth / 2 + machine.axis[0])
        point = ((u - 0.5) * machine.width, REAR - v * (REAR - front), FLOOR + machine.lid_thickness + 0.3)
        settings |= {"on_lid": True, "turn": 160.0, "ruler": (0, 9)}
    elif part == "corner":
        x, y = CORNERS[flaw.pop("corner")]
        point = (x * (machine.width / 2 - 6), y * (machine.depth / 2 - 6), machine.height)
        settings |= {"turn": -90 - math.degrees(math.atan2(y, x)) + 14 * x * y, "elevation": 34.0, "wide": 96.0, "ruler": (0, 22)}
    elif part == "keys":
        point = middle_of_keys(machine, flaw.pop("keys"))
        settings |= {"wide": 130.0, "elevation": 40.0, "turn": 14.0}
    elif part == "palm":
        pad_wide, _, pad_x, pad_y = machine.pad
        side = 1 if flaw.pop("side") == "right" else -1
        point = (pad_x + side * (pad_wide / 2 + 36), pad_y - 2, machine.height)
        settings |= {"wide": 190.0, "elevation": 30.0, "turn": side * 16.0}
    elif part == "pad":
        _, _, pad_x, pad_y = machine.pad
        point = (pad_x, pad_y, machine.height)
        settings |= {"wide": 170.0, "elevation": 30.0, "turn": -12.0}
    elif part == "deck":
        u, v = flaw.pop("at")
        point = ((u - 0.5) * machine.width, (0.5 - v) * machine.depth, machine.height)
    else:
        u, v = flaw.pop("at")
        across, down = machine.screen
        point = ((u - 0.5) * across, screen_middle(machine) + (v - 0.5) * down, FLOOR)
        settings |= {"on_lid": True, "elevation": 20.0, "turn": 8.0}
    return Aim(point=point, **(settings | flaw))


# the same for each laptop. The slip's shot is always the same one, because pictures.ts knows where the slip is in it
DETAILS = {"ports": {"of": "ports"}, "slip": {"of": "slip", "wide": 205.0, "elevation": 52.0, "turn": -9.0}}


def middle_of_keys(machine: Machine, legends: list[str]) -> tuple[float, float, float]:
    _, _, middle = machine.keyboard
    left, rear = -machine.units * machine.pitch / 2, middle + machine.rows * machine.row_pitch / 2
    found = [(kx + kw / 2, ky + kh / 2) for name, _, kx, ky, kw, kh in key_layout(machine) if name in legends]
    x, y = (sum(values) / len(found) for values in zip(*found))
    return left + x * machine.pitch, rear - y * machine.row_pitch, machine.height + 0.4
