"""Draws the legends of the keys and their wear."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from layout import key_layout
from machine import Machine
from noise import cloud, save_channels, smoothstep, stretch

PIXELS = 13  # per mm
SANS = "/usr/share/fonts/truetype/open-sans/OpenSans-{}.ttf"
SYMBOLS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

# relative frequency of each key in English text, 1 for the most frequent
USE = {
    "E": 1, "A": 0.9, "S": 0.8, "D": 0.7, "W": 0.75, "T": 0.6, "N": 0.7, "R": 0.6, "I": 0.55, "O": 0.5,
    "": 1, "Enter": 0.7, "L": 0.4, "C": 0.5, "⟵ Backspace": 0.6, "Ctrl": 0.6, "M": 0.5, "Shift": 0.6,
}


def legend_font(legend: str, shifted: str, height: float):
    if legend and legend in "▲▼◀▶❖⏻↵":
        return ImageFont.truetype(SYMBOLS, int((3.4 if legend in "❖↵" else 2.0) * PIXELS))
    if "⟵" in legend:
        return ImageFont.truetype(SYMBOLS, int(2.3 * PIXELS))
    size = 2.2 if height < 1 else 2.7 if len(legend) > 1 else 3.3 if shifted else 4.3
    return ImageFont.truetype(SANS.format("Regular"), int(size * PIXELS))


def print_legend(draw, legend, shifted, x, y, width, height, small, right) -> None:
    """Draws on the cap with the top left corner (x, y) and the size width x height, in pixels."""
    font = legend_font(legend, shifted, 0.5 if small else 1)
    margin = 1.9 * PIXELS
    left, top, end, bottom = draw.textbbox((0, 0), legend, font=font)
    if small:
        draw.text((x + width / 2 - (end + left) / 2, y + height / 2 - (bottom + top) / 2), legend, fill=235, font=font)
    elif shifted:
        draw.text((x + margin, y + height - margin - bottom), legend, fill=235, font=font)
        upper = draw.textbbox((0, 0), shifted, font=font)
        draw.text((x + margin, y + margin * 0.8 - upper[1]), shifted, fill=235, font=font)
    elif len(legend) > 1:
        start = x + width - margin - end if right else x + margin
        draw.text((start, y + height - margin - bottom), legend, fill=225, font=font)
    else:
        draw.text((x + margin, y + margin * 0.75 - top), legend, fill=240, font=font)


def keycaps(path, machine: Machine) -> None:
    """Writes one picture for the whole keyboard. Red: legends. Green: shine. Blue: grease."""
    random = np.random.default_rng(machine.seed * 7 + 3)
    across, down = machine.pitch * PIXELS, machine.row_pitch * PIXELS
    w, h = int(machine.units * across), int(machine.rows * down)
    picture = Image.new("L", (w, h))
    draw = ImageDraw.Draw(picture)
    shine = np.zeros((h, w), "f4")
    gap = 1.5 * PIXELS
    for legend, shifted, kx, ky, kw, kh in key_layout(machine):
        x, y = kx * across + gap, ky * down + gap
        width, height = kw * across - 2 * gap, kh * down - 2 * gap
        right = 12 < kx < 15 and legend in ("Enter", "Shift", "⟵ Backspace")
        print_legend(draw, legend, shifted, x, y, width, height, kh < 1, right)
        if legend and legend in "FJ":
            middle, foot = x + width / 2, y + height
            bar = [middle - 1.9 * PIXELS, foot - 2.6 * PIXELS, middle + 1.9 * PIXELS, foot - 2.1 * PIXELS]
            draw.rounded_rectangle(bar, 3, fill=70)
        use = USE.get(legend, random.uniform(0.05, 0.35)) * (1 if kh >= 1 else 0.4) * machine.wear.shine
        for mark in machine.marks_of("shine"):
            if legend in mark["keys"] and not (legend == "Shift" and kx > 0):
                use = 1.7
        x0, y0 = int(kx * across), int(ky * down)
        x1, y1 = min(int((kx + kw) * across), w), min(int((ky + kh) * down), h)
        yy, xx = np.mgrid[y0:y1, x0:x1].astype("f4")
        cx, cy = x + width / 2 + random.normal(0, 1) * PIXELS, y + height * 0.55
        rx, ry = width * (0.36 if kw < 4 else 0.2), height * 0.36
        shine[y0:y1, x0:x1] = use * np.exp(-((((xx - cx) / rx) ** 2 + ((yy - cy) / ry) ** 2) ** 1.1))
    shine *= np.clip(0.95 + 0.10 * stretch(cloud(1024, 2.0, 4, 9), w, h), 0, 1.3)
    legends = np.array(picture.filter(ImageFilter.GaussianBlur(0.7)), dtype="f4") / 255
    rubbed = smoothstep(-0.2, 0.9, stretch(cloud(1024, 1.6, 6, 11), w, h))
    legends *= 1 - np.clip(shine - 0.35, 0, 1) * rubbed * 0.8
    grease = 0.5 + 0.2 * stretch(cloud(1024, 1.8, 20, 21), w, h)
    save_channels(path, legends, shine, grease)
