"""Draws the textures of wear: grease, fingerprints, scratches, worn corners, dust."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from machine import Machine
from noise import cloud, save_channels, smoothstep, stretch

LID_PIXELS = 9  # per mm
DECK_PIXELS = 9


def draw_scratch(draw, points, width: float, value: float) -> None:
    """Draws a line that fades in and out, as a scratch does."""
    last = len(points) - 1
    for j in range(last):
        fade = math.sin(math.pi * (j + 0.5) / last) ** 0.5
        draw.line([points[j], points[j + 1]], fill=int(255 * value * fade), width=max(1, round(width)))


def curved(random, x, y, length, bend=0.6, steps=14):
    angle = random.uniform(0, 2 * math.pi)
    turn = random.uniform(-bend, bend) / steps
    points = []
    for _ in range(steps + 1):
        points.append((x, y))
        x += math.cos(angle) * length / steps
        y += math.sin(angle) * length / steps
        angle += turn
    return points


def scatter_scratches(draw, random, size, count, lengths, values, width=1) -> None:
    for _ in range(int(count)):
        x, y = random.uniform(0, size[0]), random.uniform(0, size[1])
        points = curved(random, x, y, random.uniform(*lengths))
        draw_scratch(draw, points, width, random.uniform(*values))


def fingerprint(random, wobble, millimetre: float) -> np.ndarray:
    """Returns a fingerprint: ridges in an irregular spot. Half of the prints are smeared."""
    reach = int(13 * millimetre)
    y, x = np.mgrid[-reach:reach, -reach:reach].astype("f4")
    angle = random.uniform(-0.9, 0.9)
    u = x * math.cos(angle) + y * math.sin(angle)
    v = y * math.cos(angle) - x * math.sin(angle)
    long, wide = random.uniform(6, 10) * millimetre, random.uniform(4, 6.5) * millimetre

    def patch(side):
        i, j = random.integers(0, 512 - side, 2)
        return stretch(wobble[i : i + side, j : j + side], 2 * reach, 2 * reach)

    blot = np.sqrt((u / wide) ** 2 + (v / long) ** 2) + 0.24 * patch(150)
    whorl = np.sqrt(u * u + (v * 0.72 + long * 0.15) ** 2) + patch(90) * millimetre * 1.1
    ridges = 0.5 + 0.5 * np.sin(whorl / (0.52 * millimetre) * 2 * math.pi)
    mask = smoothstep(1.0, 0.55, blot) * smoothstep(-0.5, 0.5, patch(60) + 0.35)
    mark = mask * (0.3 + 0.7 * ridges)
    if random.uniform() < 0.5:
        dx, dy = (random.normal(0, 1, 2) * 2.2 * millimetre).astype(int)
        for step in range(1, 9):
            shifted = np.roll(mask, (dy * step // 8, dx * step // 8), (0, 1))
            mark = np.maximum(mark, shifted * 0.55 * (1 - step / 9))
    return mark * random.uniform(0.35, 1)


def stamp_prints(field, random, places, millimetre, wobble) -> None:
    height, width = field.shape
    for cx, cy in places:
        mark = fingerprint(random, wobble, millimetre)
        reach = mark.shape[0] // 2
        x, y = int(cx) - reach, int(cy) - reach
        if x < 0 or y < 0 or x + 2 * reach >= width or y + 2 * reach >= height:
            continue
        spot = (slice(y, y + 2 * reach), slice(x, x + 2 * reach))
        field[spot] = np.maximum(field[spot], mark)


def everywhere(path, size=4096, extent=360.0, seed=3) -> None:
    """Writes the shared texture, `extent` mm wide. Red: grease. Green: prints. Blue: fine scratches."""
    random = np.random.default_rng(seed)
    millimetre = size / extent
    grease = stretch(np.clip(cloud(size // 2, 2.6, 2, seed) * 0.18 + 0.5, 0, 1), size, size)
    wipes = stretch(np.clip(cloud(size // 4, 1.2, 3, seed + 1) * 0.2 + 0.5, 0, 1), size, size)
    prints = np.zeros((size, size), "f4")
    places = random.uniform(0, size, (22, 2))
    stamp_prints(prints, random, places, millimetre, cloud(512, 2.8, 1, seed + 5))
    picture = Image.new("L", (size, size))
    draw = ImageDraw.Draw(picture)
    for count, lengths, values in ((900, (3, 26), (0.06, 0.22)), (150, (3, 30), (0.25, 0.6))):
        pixels = (lengths[0] * millimetre, lengths[1] * millimetre)
        scatter_scratches(draw, random, (size, size), count, pixels, values)
    scratches = np.array(picture, dtype="f4") / 255
    save_channels(path, 0.75 * grease + 0.25 * wipes, prints, scratches)


def dust(path, size=4096, seed=4) -> None:
    """Writes specks of dust and lint."""
    random = np.random.default_rng(seed)
    picture = Image.new("L", (size, size))
    draw = ImageDraw.Draw(picture)
    for _ in range(7000):
        x, y = random.uniform(0, size, 2)
        r = random.choice([0.5, 0.8, 1.1, 1.6], p=[0.5, 0.3, 0.15, 0.05])
        draw.ellipse([x - r, y - r, x + r, y + r], fill=int(random.uniform(60, 230)))
    for _ in range(110):
        x, y = random.uniform(0, size, 2)
        angle = random.uniform(0, 6.28)
        hair = [(x, y)]
        for _ in range(random.integers(6, 22)):
            angle += random.normal(0, 0.35)
            x, y = x + math.cos(angle) * 3.2, y + math.sin(angle) * 3.2
            hair.append((x, y))
        draw.line(hair, fill=int(random.uniform(60, 150)), width=1)
    picture.filter(ImageFilter.GaussianBlur(0.5)).save(path)


def carbon(path, size=1024, cells=64) -> None:
    """Writes a twill weave. Red: the thread on top. Green: its curvature. Blue: its fibres."""
    y, x = np.mgrid[0:size, 0:size].astype("f4") / size * cells
    i, j = np.floor(x), np.floor(y)
    warp = (i + j) % 4 < 2
    height = np.where(warp, np.sin(math.pi * (x - i)), np.sin(math.pi * (y - j))) ** 0.6
    fibres = 0.5 + 0.5 * np.where(warp, np.sin(x * 12 * math.pi), np.sin(y * 12 * math.pi))
    save_channels(path, warp * 1.0, height, fibres)


CORNERS = {"rear-left": (0, 0), "rear-right": (1, 0), "front-left": (0, 1), "front-right": (1, 1)}


def lid(path, machine: Machine) -> None:
    """Writes the texture of the lid, with the hinge at the top. Red: scratches. Green: smears. Blue: bare spots."""
    random = np.random.default_rng(machine.seed * 7 + 1)
    wear = machine.wear
    wide = machine.width
    deep = machine.depth - machine.shelf - 9.4
    w, h = int(wide * LID_PIXELS), int(deep * LID_PIXELS)
    y, x = np.mgrid[0:h, 0:w].astype("f4") / LID_PIXELS
    scratches = Image.new("L", (w, h))
    draw = ImageDraw.Draw(scratches)
    s = wear.scratches
    for count, lengths, values, width in (
        (220 * s, (25, 260), (0.05, 0.22), 1),
        (26 * s, (40, 380), (0.25, 0.6), 2),
        (4 * s, (60, 500), (0.6, 0.95), 3),
    ):
        scatter_scratches(draw, random, (w, h), count, lengths, values, width)
    cloudy = stretch(cloud(1024, 3.0, 3, machine.seed), w, h)
    fine = stretch(cloud(1024, 1.4, 12, machine.seed + 1), w, h)
    # wear from hands is at the middle of the front edge and at the sides
    smears = np.zeros((h, w), "f4")
    holds = ((0.5, 1.02, 60, 26, 1.0), (0.04, 0.62, 30, 46, 0.8), (0.97, 0.55, 30, 50, 0.7), (0.62, 0.4, 70, 34, 0.4))
    for cx, cy, rx, ry, value in holds:
        blot = np.exp(-((((x - cx * wide) / rx) ** 2 + ((y - cy * deep) / ry) ** 2) ** 1.2))
        smears = np.maximum(smears, value * blot)
    smears *= smoothstep(-0.9, 1.6, cloudy)
    places = [
        (random.normal(cx, 0.1) * w, random.normal(cy - 0.12, 0.08) * h) for cx, cy, *_ in holds for _ in range(3)
    ]
    prints = np.zeros((h, w), "f4")
    stamp_prints(prints, random, places, LID_PIXELS, cloud(512, 2.8, 1, machine.seed + 2))
    bare = np.zeros((h, w), "f4")
    edge = np.minimum(np.minimum(x, wide - x), np.minimum(y, deep - y))
    # not at the very edge: the picture is projected from above, so it would become stripes on the sides
    rim = np.exp(-edge / 0.9) * smoothstep(0.15, 0.5, edge)
    bare = np.maximum(bare, smoothstep(0.1, 0.9, 1.6 * wear.edges * rim * (0.55 + 0.5 * fine)))
    strength = wear.prints * math.prod(mark["strength"] for mark in machine.marks if mark["kind"] == "hands")
    for mark in machine.marks:
        if mark["kind"] == "bench":
            scatter_scratches(draw, random, (w, h), 460, (30, 420), (0.15, 0.6), 1)
            scatter_scratches(draw, random, (w, h), 150, (60, 620), (0.3, 0.8), 2)
    lines = np.array(scratches.filter(ImageFilter.GaussianBlur(0.6)), dtype="f4") / 255
    save_channels(path, lines, np.maximum(smears * 0.8, prints) * strength, bare)


def marks(path, machine: Machine) -> None:
    """Writes the scratches, scuffs and worn corners that the seller names. Red: damage. Green: a darker patch."""
    random = np.random.default_rng(machine.seed * 7 + 4)
    wide, deep = machine.width, machine.depth - machine.shelf - 9.4
    w, h = int(wide * LID_PIXELS), int(deep * LID_PIXELS)
    y, x = np.mgrid[0:h, 0:w].astype("f4") / LID_PIXELS
    fine = stretch(cloud(1024, 1.2, 14, machine.seed + 1), w, h)
    cloudy = stretch(cloud(1024, 3.0, 3, machine.seed), w, h)
    picture = Image.new("L", (w, h))
    draw = ImageDraw.Draw(picture)
    spots, patches = np.zeros((h, w), "f4"), np.zeros((h, w), "f4")
    for mark in machine.marks:
        if mark["kind"] == "scratch":
            draw_long_scratch(draw, random, mark, w, h)
        elif mark["kind"] == "scuff":
            cx, cy = mark["at"][0] * wide, mark["at"][1] * deep
            across, down = (x - cx) / (mark["size"][0] / 2), (y - cy) / (mark["size"][1] / 2)
            spot = np.exp(-((across**2 + down**2) ** 1.5))
            np.maximum(spots, spot * smoothstep(0.0, 0.7, fine + 0.5 * cloudy), out=spots)
            for _ in range(int(4 + mark["size"][0] / 4)):  # the strokes that made it
                sx = (cx + random.normal(0, 0.3) * mark["size"][0]) * LID_PIXELS
                sy = (cy + random.normal(0, 0.25) * mark["size"][1]) * LID_PIXELS
                length = random.uniform(0.15, 0.6) * mark["size"][0] * LID_PIXELS
                stroke = [(sx, sy), (sx + length / 2, sy + random.normal(0, 5)), (sx + length, sy + random.normal(0, 9))]
                draw_scratch(draw, stroke, random.choice((2, 3, 4)), random.uniform(0.4, 0.9))
        elif mark["kind"] == "patch":
            across = np.abs(x - mark["at"][0] * wide) / (mark["size"][0] / 2)
            down = np.abs(y - mark["at"][1] * deep) / (mark["size"][1] / 2)
            np.maximum(patches, smoothstep(1.04, 0.97, np.maximum(across, down)), out=patches)
        elif mark["kind"] == "worn":
            cx, cy = CORNERS[mark["corner"]]
            far = np.hypot(x - cx * wide, y - cy * deep) - 2.4
            edge = far / mark["reach"] - 0.75 + 0.13 * fine + 0.13 * cloudy
            np.maximum(spots, smoothstep(0.12, -0.15, edge), out=spots)
    lines = np.array(picture.filter(ImageFilter.GaussianBlur(0.5)), dtype="f4") / 255
    save_channels(path, np.maximum(lines, spots), patches)


def draw_long_scratch(draw, random, mark, w, h) -> None:
    """Draws a scratch that wavers and varies in depth; `from` and `to` are fractions of the lid's width and depth."""
    (x0, y0), (x1, y1) = mark["from"], mark["to"]
    steps = 40
    waver = np.cumsum(random.normal(0, 0.0006, steps + 1))
    least = 1 if math.hypot((x1 - x0) * w, (y1 - y0) * h) < 5 * LID_PIXELS else 0.45  # a short one has one depth
    depth = np.clip(np.cumsum(random.normal(0, 0.16, steps)) * 0.4 + 0.85, least, 1)
    points = []
    for i, t in enumerate(np.linspace(0, 1, steps + 1)):
        sag = math.sin(t * math.pi) * 0.008 * min(1, abs(x1 - x0) * 9)
        points.append((float(x0 + (x1 - x0) * t) * w, float(y0 + (y1 - y0) * t + sag + waver[i]) * h))
    for i in range(steps):
        fade = math.sin(math.pi * (i + 0.5) / steps) ** 0.4
        value = int(255 * min(1, mark["strength"] + 0.25) * depth[i] * fade)
        draw.line([points[i], points[i + 1]], fill=value, width=round(2 + 4 * mark["strength"] * depth[i] * fade))


def deck(path, machine: Machine) -> None:
    """Writes the texture of the deck. Red: speaker holes. Green: polish by palms. Blue: scratches."""
    random = np.random.default_rng(machine.seed * 7 + 2)
    w, h = int(machine.width * DECK_PIXELS), int(machine.depth * DECK_PIXELS)
    keys_wide, keys_deep, keys_y = machine.keyboard
    pad_wide, _, pad_x, pad_y = machine.pad
    back = machine.depth / 2 - keys_y
    holes = Image.new("L", (w, h))
    draw = ImageDraw.Draw(holes)

    def hole(x, y):
        r = 0.36 * DECK_PIXELS
        x, y = x * DECK_PIXELS, y * DECK_PIXELS
        draw.ellipse([x - r, y - r, x + r, y + r], fill=255)

    if machine.speakers == "sides":
        across = max(3, int(((machine.width - keys_wide) / 2 - 8) / 1.25))
        for i in range(across):
            for j in range(62):
                x = 5.0 + i * 1.25 + (0.62 if j % 2 else 0)
                y = back - 50 + j * 1.35
                hole(x, y)
                hole(machine.width - x, y)
    elif machine.speakers == "above":
        for i in range(150):
            for j in range(3):
                hole(machine.width / 2 - 112 + i * 1.5 + (0.75 if j % 2 else 0), back - keys_deep / 2 - 6.4 + j * 1.3)
    y, x = np.mgrid[0:h, 0:w].astype("f4") / DECK_PIXELS
    patches = stretch(cloud(1024, 3.4, 2, machine.seed + 31), w, h)
    polish = np.zeros((h, w), "f4")
    middle, front = machine.width / 2 + pad_x, machine.depth / 2 - pad_y
    reach = pad_wide / 2 + 42
    palms = {mark["side"] for mark in machine.marks_of("palm")} or {"left", "right"}
    for cx, cy, rx, ry, value in (
        (middle - reach, front + 4, 36, 26, 1 if "left" in palms else 0.2),
        (middle + reach, front + 6, 34, 24, 0.9 if "right" in palms else 0.2),
        (middle, machine.depth - 2, 60, 6, 0.4),
    ):
        polish = np.maximum(polish, value * np.exp(-((((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2) ** 1.3)))
    polish = polish * np.clip(0.8 + 0.12 * patches, 0, 1.1) * machine.wear.polish
    scratches = Image.new("L", (w, h))
    lines = ImageDraw.Draw(scratches)
    s = machine.wear.scratches
    scatter_scratches(lines, random, (w, h), 160 * s, (20, 240), (0.06, 0.3))
    scatter_scratches(lines, random, (w, h), 14 * s, (30, 300), (0.4, 0.9), 2)
    for mark in machine.marks_of("deck-scratch"):
        (x0, y0), (x1, y1) = mark["from"], mark["to"]
        points = [((x0 + (x1 - x0) * k) * w, (y0 + (y1 - y0) * k) * h) for k in np.linspace(0, 1, 20)]
        draw_scratch(lines, points, 3, mark["strength"])
    soft = holes.filter(ImageFilter.GaussianBlur(1))
    save_channels(path, np.array(soft, "f4") / 255, polish, np.array(scratches, "f4") / 255)
