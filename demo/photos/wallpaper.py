"""Draws the pictures on the screens: generated wallpapers with a plain desktop."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from machine import Machine
from noise import cloud, smoothstep, stretch

SANS = "/usr/share/fonts/truetype/open-sans/OpenSans-{}.ttf"

# sky from top to horizon, far hills, near hills, sun (colour, x, y) or None
HILLS = {
    "dawn": (((38, 62, 104), (104, 128, 158), (226, 178, 146), (250, 214, 168)), (168, 140, 142), (18, 34, 44), (0.63, 0.5)),
    "dusk": (((30, 22, 58), (92, 50, 104), (206, 96, 104), (246, 160, 104)), (150, 78, 110), (24, 14, 34), (0.3, 0.52)),
    "forest": (((120, 158, 160), (160, 190, 184), (206, 220, 206), (228, 232, 214)), (132, 166, 156), (12, 38, 36), None),
    "dunes": (((98, 150, 190), (160, 192, 206), (234, 214, 182), (246, 226, 192)), (222, 176, 124), (120, 62, 36), None),
    "harbour": (((16, 28, 58), (30, 58, 98), (78, 116, 146), (176, 186, 180)), (64, 92, 120), (8, 16, 30), (0.75, 0.3)),
}
# background, first and last colour of the ribbons
RIBBONS = {
    "ribbons": ((14, 22, 40), (40, 96, 190), (150, 214, 226)),
    "ember": ((26, 10, 16), (150, 32, 44), (250, 168, 84)),
    "neon": ((10, 8, 22), (96, 36, 170), (40, 220, 206)),
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


def desktop(picture: Image.Image, bar_below: bool) -> Image.Image:
    """Adds a clock and a row of icons, in a floating dock or in a bar at the bottom."""
    w, h = picture.size
    over = Image.new("RGBA", (w, h))
    draw = ImageDraw.Draw(over)
    clock = ImageFont.truetype(SANS.format("Semibold"), 19)
    count, size, space = 9, (46 if bar_below else 68), (14 if bar_below else 18)
    wide = count * size + (count + 1) * space
    x0, y0 = (w - wide) // 2, h - size - 2 * space - (0 if bar_below else 16)
    if bar_below:
        draw.rectangle([0, y0 + 4, w, h], fill=(236, 238, 242, 205))
        draw.text((w - 116, h - 62), "10:42", font=clock, fill=(40, 44, 52, 255))
        draw.text((w - 116, h - 36), "14 May", font=clock, fill=(40, 44, 52, 255))
    else:
        draw.rectangle([0, 0, w, 34], fill=(12, 18, 26, 120))
        draw.text((18, 4), "Files    Edit    View    Go", font=clock, fill=(255, 255, 255, 225))
        draw.text((w - 190, 4), "Tue 14 May   10:42", font=clock, fill=(255, 255, 255, 225))
        draw.rounded_rectangle([x0, y0, x0 + wide, y0 + size + 2 * space], 26, fill=(240, 236, 230, 120))
    tints = (
        (232, 106, 76), (64, 124, 196), (246, 190, 74), (86, 168, 122), (122, 98, 180),
        (238, 238, 240), (52, 60, 74), (212, 84, 118), (84, 182, 196),
    )  # fmt: skip
    for i, tint in enumerate(tints):
        x, y, q = x0 + space + i * (size + space), y0 + space, size * 0.28
        draw.rounded_rectangle([x, y, x + size, y + size], size // 4, fill=(*tint, 255))
        ink = (90, 100, 120, 255) if tint == (238, 238, 240) else (255, 255, 255, 235)
        if i % 4 == 0:
            draw.ellipse([x + q, y + q, x + size - q, y + size - q], outline=ink, width=6)
        elif i % 4 == 1:
            draw.rounded_rectangle([x + q, y + q, x + size - q, y + size - q], 6, fill=ink)
        elif i % 4 == 2:
            draw.polygon([(x + q + 3, y + q), (x + size - q + 2, y + size / 2), (x + q + 3, y + size - q)], fill=ink)
        else:
            for j in range(3):
                top = y + q + j * size / 6
                draw.rounded_rectangle([x + q, top, x + size - q, top + 5], 2, fill=ink)
    return Image.alpha_composite(picture.convert("RGBA"), over).convert("RGB")


def screen(path, machine: Machine) -> None:
    across, down = (int(part) for part in machine.aspect.split(":"))
    w, h = 1920, 1920 * down // across
    random = np.random.default_rng(machine.seed)
    name = machine.wallpaper
    if name in HILLS:
        field = hills(name, w, h, random)
    elif name in RIBBONS:
        field = ribbons(name, w, h, random)
    else:
        field = blueprint(w, h, random)
    picture = Image.fromarray((np.clip(field, 0, 1) * 255).astype("u1"))
    desktop(picture, machine.seed % 3 != 0).save(path)
