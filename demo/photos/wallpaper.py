"""Draws the pictures on the screens: a generated wallpaper below the desktop of the laptop's system."""

import math

import numpy as np
from PIL import Image, ImageDraw

from desktop import add_desktop, draw_check, no_system
from machine import Machine
from noise import cloud, smoothstep, stretch

# sky from top to horizon, far hills, near hills, sun (colour, x, y) or None
HILLS = {
    "dawn": (((38, 62, 104), (104, 128, 158), (226, 178, 146), (250, 214, 168)), (168, 140, 142), (18, 34, 44), (0.63, 0.5)),
    "dusk": (((30, 22, 58), (92, 50, 104), (206, 96, 104), (246, 160, 104)), (150, 78, 110), (24, 14, 34), (0.3, 0.52)),
    "forest": (((120, 158, 160), (160, 190, 184), (206, 220, 206), (228, 232, 214)), (132, 166, 156), (12, 38, 36), None),
    "dunes": (((98, 150, 190), (160, 192, 206), (234, 214, 182), (246, 226, 192)), (222, 176, 124), (120, 62, 36), None),
    "meadow": (((92, 148, 206), (150, 190, 222), (214, 226, 214), (240, 238, 206)), (140, 176, 132), (36, 74, 34), (0.24, 0.4)),
    "rose": (((66, 60, 104), (150, 108, 140), (232, 164, 158), (250, 208, 184)), (172, 128, 150), (52, 34, 62), (0.44, 0.5)),
    "harbour": (((16, 28, 58), (30, 58, 98), (78, 116, 146), (176, 186, 180)), (64, 92, 120), (8, 16, 30), (0.75, 0.3)),
}
# background, first and last colour of the ribbons
RIBBONS = {
    "ribbons": ((14, 22, 40), (40, 96, 190), (150, 214, 226)),
    "ember": ((26, 10, 16), (150, 32, 44), (250, 168, 84)),
    "lagoon": ((8, 40, 52), (18, 118, 128), (196, 240, 214)),
    "plum": ((32, 14, 44), (118, 58, 150), (244, 176, 190)),
    "steel": ((26, 30, 38), (84, 98, 120), (210, 218, 226)),
    "neon": ((10, 8, 22), (96, 36, 170), (40, 220, 206)),
}


# corner colours of the facets: top left, top right, bottom
FACETS = {
    "moss": ((18, 66, 62), (112, 168, 92), (14, 28, 44)),
    "coral": ((120, 40, 84), (246, 140, 96), (36, 22, 62)),
    "ice": ((168, 206, 226), (238, 244, 246), (58, 110, 158)),
    "slate": ((42, 50, 64), (122, 132, 146), (16, 18, 26)),
    "amber": ((142, 74, 22), (250, 196, 96), (48, 22, 22)),
}


def colour(c) -> np.ndarray:
    return np.array(c, "f4") / 255


def ridge(random, width: int, wavelength: float, roughness: float, octaves: int) -> np.ndarray:
    x = np.arange(width) / width
    line = np.zeros(width)
    for octave in range(octaves):
        knots = int(wavelength * 2**octave) + 8
        heights = random.uniform(-1, 1, knots)
        line += np.interp(x * wavelength * 2**octave, np.arange(knots), heights) * roughness**octave
    return line


def hills(name: str, w: int, h: int, random) -> np.ndarray:
    sky, far, near, sun = HILLS[name]
    y, x = np.linspace(0, 1, h)[:, None], np.linspace(0, 1, w)[None]
    stops = [0, 0.3, 0.48, 0.6]
    column = np.stack([np.interp(y[:, 0], stops, [c[k] / 255 for c in sky]) for k in range(3)], -1)
    picture = column[:, None, :] * np.ones((1, w, 1))
    veil = stretch(cloud(1024, 2.4, 2, 8)[:700, :160], w, h)
    veil = smoothstep(0.2, 2.4, veil) * smoothstep(0.62, 0.2, y) * 0.5
    picture = picture * (1 - veil[..., None]) + np.minimum(colour(sky[3]) * 1.1, 1) * veil[..., None]
    if sun:
        away = np.sqrt(((x - sun[0]) * w / h) ** 2 + (y - sun[1]) ** 2)
        picture += np.exp(-((away / 0.09) ** 2))[..., None] * colour((110, 74, 40))
        picture += np.exp(-away / 0.22)[..., None] * colour((56, 36, 18))
        disc = smoothstep(0.038, 0.034, away)[..., None]
        picture = picture * (1 - disc) + colour((255, 246, 224)) * disc
    smooth = name == "dunes"
    for i in range(6):
        t = i / 5
        line = ridge(random, w, 2 + i * 0.6, 0.3 if smooth else 0.56, 5 if smooth else 9)
        top = 0.52 + 0.075 * i - (0.07 + 0.012 * i) * line / 1.6
        if smooth:
            top = np.convolve(np.pad(top, 120, "edge"), np.hanning(241) / np.hanning(241).sum(), "valid")
        if name == "forest":
            top -= 0.02 * (0.4 + t) * np.abs(ridge(random, w, 46 + 20 * i, 0.6, 3))
        tint = colour(far) * (1 - t) ** 1.1 + colour(near) * (1 - (1 - t) ** 1.1)
        mist = np.clip((y - top[None]) / 0.14, 0, 1) * (1 - t) * 0.55
        layer = tint * (1 - mist[..., None]) + colour(sky[3]) * 0.94 * mist[..., None]
        if smooth:
            layer = layer * (0.72 + 0.28 * smoothstep(-0.004, 0.07, y - top[None]))[..., None]
        inside = smoothstep(-0.0012, 0.0012, y - top[None])[..., None]
        picture = picture * (1 - inside) + layer * inside
    return picture


def ribbons(name: str, w: int, h: int, random) -> np.ndarray:
    ground, first, last = (colour(c) for c in RIBBONS[name])
    y, x = np.linspace(0, 1, h)[:, None], np.linspace(0, 1, w)[None]
    picture = np.ones((h, w, 1)) * ground * (1.25 - 0.5 * y)[..., None]
    phases = random.uniform(0, 6.28, 3)
    count = 9
    for i in range(count):
        t = i / (count - 1)
        wave = (0.16 - 0.05 * t) * np.sin(2.6 * x + phases[0] + t * 1.9) + 0.06 * np.sin(6.1 * x + phases[1] + t * 2.4)
        middle = 0.30 + 0.46 * t + wave
        thick = 0.085 + 0.05 * np.sin(2.2 * x + phases[2] + 2 * t)
        across = (y - middle) / thick
        inside = smoothstep(1.0, 0.985, np.abs(across))
        shade = 0.45 + 0.55 * (0.5 - 0.5 * across)
        tint = first * (1 - t) + last * t
        picture = picture * (1 - inside[..., None] * 0.93) + (tint * shade[..., None]) * inside[..., None] * 0.93
    return picture


def facets(name: str, w: int, h: int, random) -> np.ndarray:
    """Draws triangles between shifted points of a grid."""
    left, right, low = (colour(c) for c in FACETS[name])
    picture = Image.new("RGB", (w, h))
    draw = ImageDraw.Draw(picture)
    columns, rows = 11, 7
    x = (np.arange(columns + 3)[None] - 1 + random.uniform(-0.38, 0.38, (rows + 3, columns + 3))) * w / columns
    y = (np.arange(rows + 3)[:, None] - 1 + random.uniform(-0.38, 0.38, (rows + 3, columns + 3))) * h / rows
    for j in range(rows + 2):
        for i in range(columns + 2):
            square = [(x[j + b, i + a], y[j + b, i + a]) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            for k, triangle in enumerate((square[:3], [square[0], *square[2:]])):
                u, v = np.clip(sum(p[0] for p in triangle) / 3 / w, 0, 1), np.clip(sum(p[1] for p in triangle) / 3 / h, 0, 1)
                tone = (left * (1 - u) + right * u) * (1 - v) + low * v
                tone = np.clip(tone * (0.86 + 0.1 * k + random.uniform(-0.09, 0.13)), 0, 1)
                draw.polygon(triangle, fill=tuple(int(c * 255) for c in tone))
    return np.array(picture, "f4") / 255


def blueprint(w: int, h: int, random) -> np.ndarray:
    """Draws a technical drawing in white on blue."""
    picture = Image.new("RGB", (w, h), (22, 52, 92))
    draw = ImageDraw.Draw(picture)
    for step, tone in ((32, (28, 60, 102)), (160, (40, 76, 120))):
        for x in range(0, w, step):
            draw.line([(x, 0), (x, h)], fill=tone)
        for y in range(0, h, step):
            draw.line([(0, y), (w, y)], fill=tone)
    line = (172, 200, 224)
    cx, cy = w * 0.6, h * 0.47
    for r in (330, 300, 214, 120, 104, 40):
        draw.ellipse([cx - r, cy - r, cx + r, cy + r], outline=line, width=3)
    for i in range(24):
        a = i * math.pi / 12
        root = (cx + 300 * math.cos(a), cy + 300 * math.sin(a))
        tip = (cx + 330 * math.cos(a + 0.08), cy + 330 * math.sin(a + 0.08))
        draw.line([root, tip], fill=line, width=3)
    for i in range(6):
        a = i * math.pi / 3
        x, y = cx + 166 * math.cos(a), cy + 166 * math.sin(a)
        draw.ellipse([x - 30, y - 30, x + 30, y + 30], outline=line, width=3)
    for dx, dy in ((1, 0), (0, 1)):
        draw.line([(cx - 420 * dx, cy - 380 * dy), (cx + 420 * dx, cy + 380 * dy)], fill=(120, 152, 186), width=2)
    left = w * 0.14
    for i in range(7):
        y = h * 0.3 + i * 52
        draw.line([(left, y), (left + float(random.uniform(150, 320)), y)], fill=(120, 152, 186), width=6)
    return np.array(picture, "f4") / 255


def screen(path, machine: Machine) -> None:
    across, down = (int(part) for part in machine.aspect.split(":"))
    w, h = 1920, 1920 * down // across
    if machine.desktop == "none":
        no_system(w, h).save(path)
        return
    random = np.random.default_rng(machine.seed)
    name = machine.wallpaper
    if name in HILLS:
        field = hills(name, w, h, random)
    elif name in RIBBONS:
        field = ribbons(name, w, h, random)
    elif name in FACETS:
        field = facets(name, w, h, random)
    else:
        field = blueprint(w, h, random)
    picture = Image.fromarray((np.clip(field, 0, 1) * 255).astype("u1"))
    add_desktop(picture, machine.desktop, machine.seed).save(path)


def dark_screen(path, machine: Machine) -> None:
    """Writes a screen that is off, with the fine lines that a pen has left on its glass."""
    across, down = machine.screen
    w, h = 2880, round(2880 * down / across)
    random = np.random.default_rng(machine.seed)
    picture = Image.new("L", (w, h), 6)
    draw = ImageDraw.Draw(picture)
    for mark in machine.marks_of("pen"):
        u, v = mark["at"]
        for i in range(64):
            angle = random.normal(-0.7 if i % 3 else 0.5, 0.16)
            x, y = random.normal(u, 0.075) * w, random.normal(v, 0.085) * h
            length, bend = random.uniform(50, 230), random.normal(0, 0.004)
            points = []
            for _ in range(20):
                points.append((x, y))
                x, y, angle = x + math.cos(angle) * length / 20, y + math.sin(angle) * length / 20, angle + bend * 10
            draw.line(points, fill=int(random.uniform(30, 92)), width=random.choice((2, 2, 3)))
    picture.convert("RGB").save(path)


def check_screen(path, machine: Machine) -> None:
    """Writes the page of a hardware test that has passed."""
    across, down = (int(part) for part in machine.aspect.split(":"))
    picture = Image.new("RGB", (1920, 1920 * down // across), (246, 244, 240))
    draw_check(add_desktop(picture, machine.desktop, machine.seed)).save(path)


OTHER_SCREENS = {"screen-off": dark_screen, "screen-check": check_screen}
