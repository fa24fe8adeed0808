"""Reads machines.json, the description of each laptop, and computes the derived sizes."""

import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent

FOOT = 1.6  # mm under the base
GAP = 1.05  # mm between base and lid when closed


@dataclass(frozen=True)
class Wear:
    """The amount of each kind of wear for a condition; 1 is a visibly used laptop."""

    prints: float
    scratches: float
    edges: float
    dust: float
    polish: float
    shine: float


WEAR = {
    "Excellent": Wear(prints=0.35, scratches=0.2, edges=0.15, dust=0.35, polish=0.3, shine=0.25),
    "Good": Wear(prints=0.7, scratches=0.65, edges=0.6, dust=0.7, polish=0.85, shine=0.75),
    "Fair": Wear(prints=1.0, scratches=1.4, edges=1.1, dust=1.1, polish=1.3, shine=1.25),
}


@dataclass(frozen=True)
class Machine:
    """A laptop. Lengths in mm; x to the right, y to the hinge, z up, the origin below the center."""

    slug: str
    inches: float
    aspect: str
    body: tuple[float, float, float]
    hinge: str  # drop | barrels | full
    material: str
    keys: str
    touchpad: tuple[float, float]
    ports: dict[str, list[str]]
    wallpaper: str
    wordmark: str
    label: str
    condition: str
    seed: int
    room: str
    light: str = "studio"  # see light.py
    props: list[list[str]] = field(default_factory=list)  # pairs of a thing of props.py and its place
    views: tuple[str, ...] = ("open", "closed", "keys")
    desktop: str = "taskbar"  # taskbar | taskbar-left | shelf | top-bar | panel | none
    deck: str = ""  # the material of the deck if it is not the lid's
    legend: str = ""
    numpad: bool = False
    speakers: str = ""  # sides | above
    bezel: str = ""  # slim
    shelf: float = 0.0  # how far the body extends behind the hinge
    marks: list[dict] = field(default_factory=list)
    flaws: dict[str, dict] = field(default_factory=dict)  # the views of flaws, see flaws.py

    def marks_of(self, kind: str) -> list[dict]:
        return [mark for mark in self.marks if mark["kind"] == kind]

    @property
    def wear(self) -> Wear:
        return WEAR[self.condition]

    @property
    def width(self) -> float:
        return self.body[0]

    @property
    def depth(self) -> float:
        return self.body[1]

    @property
    def lid_thickness(self) -> float:
        return 4.2 if self.body[2] < 17 else 5.0 if self.body[2] < 21 else 6.4

    @property
    def height(self) -> float:
        """Thickness of the base, at least the height of its ports."""
        tall = {"usb-a", "hdmi", "ethernet"} & {port for side in self.ports.values() for port in side}
        return max(self.body[2] - self.lid_thickness - GAP - FOOT, 11.0 if tall else 8.8)

    @property
    def corner(self) -> float:
        return 11.0 if self.material in ("silver", "champagne", "titan", "mist") else 8.0

    @property
    def taper(self) -> float:
        """Height of the curve between the underside and the vertical wall."""
        return min(max(self.height - 8.6, 1.6), 6.3)

    @property
    def port_height(self) -> float:
        return (self.taper + self.height - 1.2) / 2

    @property
    def axis(self) -> tuple[float, float]:
        """Position of the hinge axis: y and z."""
        return self.depth / 2 - 6.2 - self.shelf, self.height + 0.3

    @property
    def barrel(self) -> float:
        return min(4.9, self.height * 0.4)

    @property
    def hinge_spans(self) -> list[tuple[float, float]]:
        half = self.width / 2
        if self.hinge == "full":
            return [(16 - half, half - 16)]
        if self.hinge == "barrels":
            return [(34 - half, 84 - half), (half - 84, half - 34)]
        return [(43 - half, half - 43)]

    @property
    def units(self) -> float:
        """Width of the keyboard in key units."""
        return 18.6 if self.numpad else 15.0

    @property
    def pitch(self) -> float:
        return min(19.0, (self.width - 16) / self.units)

    @property
    def rows(self) -> float:
        return 5.62

    @property
    def row_pitch(self) -> float:
        return 18.2 if self.depth < 212 else 19.0

    @property
    def keyboard(self) -> tuple[float, float, float]:
        """Width, depth and middle (y) of the keyboard's recess."""
        depth = self.rows * self.row_pitch + 0.4
        above = 15.5 + self.barrel * 0.8 + (6.0 if self.speakers == "above" else 0.0)
        return self.units * self.pitch + 2, depth, self.depth / 2 - self.shelf - above - depth / 2

    @property
    def pad(self) -> tuple[float, float, float, float]:
        """Width, depth and middle (x, y) of the touchpad, in front of the space bar."""
        _, depth, middle = self.keyboard
        near = middle - depth / 2
        room = near + self.depth / 2
        size = min(self.touchpad[1], room - 9)
        x = -(self.units - 15) / 2 * self.pitch if self.numpad else 0.0
        return self.touchpad[0], size, x, near - room / 2 - 0.5

    @property
    def screen(self) -> tuple[float, float]:
        across, down = (int(part) for part in self.aspect.split(":"))
        diagonal = self.inches * 25.4 / math.hypot(across, down)
        return across * diagonal, down * diagonal


def screen_of(view: str) -> str:
    """Returns the name of the picture on the screen."""
    return {"off": "screen-off", "bench": "screen-check", "hand": "screen-check"}.get(view, "screen")


def slug_of(name: str) -> str:
    """Returns a laptop's part of the picture file names: 'Dell XPS 13 9310' -> 'dell-xps-13-9310'."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def load_machines() -> dict[str, Machine]:
    """Returns all laptops by slug, in the order of the file."""
    entries = json.loads((HERE / "machines.json").read_text())
    machines = [Machine(slug=slug_of(name), **complete(entry, entries)) for name, entry in entries.items()]
    return {machine.slug: machine for machine in machines}


# what a laptop does not share with the one that it is `like`
OWN = ("marks", "flaws", "props", "views", "light", "desktop")


def complete(entry: dict, entries: dict[str, dict]) -> dict:
    if "like" not in entry:
        return entry
    shared = {key: value for key, value in entries[entry["like"]].items() if key not in OWN}
    return shared | {key: value for key, value in entry.items() if key != "like"}
