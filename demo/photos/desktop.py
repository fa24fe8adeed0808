"""Draws the desktops of several systems over a wallpaper, with generic icons and no vendor's logo."""

import math
import random as dice

from PIL import Image, ImageDraw, ImageFont

SANS = "/usr/share/fonts/truetype/open-sans/OpenSans-{}.ttf"
FINE = 3  # the desktop is drawn larger and reduced, for smooth edges

BLUE, SKY, AMBER, GREEN = (38, 110, 196), (70, 160, 214), (240, 182, 72), (62, 150, 104)
RED, VIOLET, INK, WHITE = (208, 84, 70), (116, 94, 178), (46, 52, 62), (250, 250, 251)


class Pen:
    """Draws in pixels of the screen on a layer that is FINE times as large."""

    def __init__(self, w: int, h: int):
        self.w, self.h = w, h
        self.layer = Image.new("RGBA", (w * FINE, h * FINE))
        self.draw = ImageDraw.Draw(self.layer)

    def box(self, x, y, w, h, fill, radius=0.0):
        # replaces what is below, so translucent fills do not add up
        self.draw.rounded_rectangle([v * FINE for v in (x, y, x + w, y + h)], radius * FINE, fill=fill)

    def disc(self, x, y, r, fill):
        self.draw.ellipse([v * FINE for v in (x - r, y - r, x + r, y + r)], fill=fill)

    def ring(self, x, y, r, width, fill):
        self.draw.ellipse([v * FINE for v in (x - r, y - r, x + r, y + r)], outline=fill, width=round(width * FINE))

    def shape(self, points, fill):
        self.draw.polygon([(x * FINE, y * FINE) for x, y in points], fill=fill)

    def line(self, points, width, fill):
        self.draw.line([(x * FINE, y * FINE) for x, y in points], fill=fill, width=round(width * FINE), joint="curve")

    def arc(self, x, y, r, start, end, width, fill):
        box = [v * FINE for v in (x - r, y - r, x + r, y + r)]
        self.draw.arc(box, start, end, fill=fill, width=round(width * FINE))

    def text(self, x, y, words, size, fill, weight="Regular", anchor="lm"):
        font = ImageFont.truetype(SANS.format(weight), round(size * FINE))
        self.draw.text((x * FINE, y * FINE), words, font=font, fill=fill, anchor=anchor)


def folder(pen, x, y, s):
    pen.box(x, y + 0.16 * s, 0.46 * s, 0.4 * s, (212, 150, 46), 0.06 * s)
    pen.box(x, y + 0.26 * s, s, 0.6 * s, AMBER, 0.08 * s)


def browser(pen, x, y, s):
    r = s / 2
    pen.disc(x + r, y + r, r * 0.94, BLUE)
    pen.ring(x + r, y + r, r * 0.62, s * 0.07, (220, 236, 250))
    pen.line([(x + r, y + r * 0.42), (x + r, y + r * 1.58)], s * 0.05, (220, 236, 250))
    pen.line([(x + r * 0.42, y + r), (x + r * 1.58, y + r)], s * 0.05, (220, 236, 250))


def letter(pen, x, y, s):
    pen.box(x + 0.02 * s, y + 0.18 * s, 0.96 * s, 0.66 * s, SKY, 0.07 * s)
    pen.line([(x + 0.06 * s, y + 0.24 * s), (x + 0.5 * s, y + 0.56 * s), (x + 0.94 * s, y + 0.24 * s)], 0.07 * s, WHITE)


def sheet(pen, x, y, s):
    pen.box(x + 0.14 * s, y + 0.04 * s, 0.72 * s, 0.92 * s, (236, 240, 244), 0.06 * s)
    pen.box(x + 0.14 * s, y + 0.04 * s, 0.72 * s, 0.24 * s, GREEN, 0.06 * s)
    for i in range(3):
        pen.box(x + 0.24 * s, y + (0.40 + 0.17 * i) * s, 0.52 * s, 0.06 * s, (150, 164, 176))


def page(pen, x, y, s):
    pen.box(x + 0.16 * s, y + 0.03 * s, 0.68 * s, 0.94 * s, (240, 242, 246), 0.06 * s)
    for i in range(4):
        pen.box(x + 0.27 * s, y + (0.22 + 0.17 * i) * s, (0.46 if i < 3 else 0.28) * s, 0.07 * s, BLUE)


def terminal(pen, x, y, s):
    pen.box(x, y + 0.1 * s, s, 0.8 * s, (34, 38, 46), 0.1 * s)
    pen.line([(x + 0.18 * s, y + 0.32 * s), (x + 0.38 * s, y + 0.48 * s), (x + 0.18 * s, y + 0.64 * s)], 0.08 * s, WHITE)
    pen.line([(x + 0.48 * s, y + 0.66 * s), (x + 0.78 * s, y + 0.66 * s)], 0.08 * s, WHITE)


def picture(pen, x, y, s):
    pen.box(x, y + 0.08 * s, s, 0.84 * s, VIOLET, 0.1 * s)
    pen.disc(x + 0.72 * s, y + 0.32 * s, 0.1 * s, AMBER)
    pen.shape([(x + 0.1 * s, y + 0.8 * s), (x + 0.4 * s, y + 0.4 * s), (x + 0.7 * s, y + 0.8 * s)], (222, 216, 242))


def calendar(pen, x, y, s):
    pen.box(x + 0.04 * s, y + 0.08 * s, 0.92 * s, 0.86 * s, (244, 245, 248), 0.09 * s)
    pen.box(x + 0.04 * s, y + 0.08 * s, 0.92 * s, 0.24 * s, RED, 0.09 * s)
    for i in range(6):
        pen.box(x + (0.17 + 0.25 * (i % 3)) * s, y + (0.44 + 0.23 * (i // 3)) * s, 0.14 * s, 0.12 * s, INK)


def music(pen, x, y, s):
    pen.disc(x + s / 2, y + s / 2, 0.47 * s, (44, 120, 112))
    pen.shape([(x + 0.39 * s, y + 0.28 * s), (x + 0.76 * s, y + 0.5 * s), (x + 0.39 * s, y + 0.72 * s)], WHITE)


def bin_(pen, x, y, s):
    pen.shape(
        [(x + 0.2 * s, y + 0.26 * s), (x + 0.8 * s, y + 0.26 * s), (x + 0.72 * s, y + 0.95 * s), (x + 0.28 * s, y + 0.95 * s)],
        (214, 222, 230),
    )  # fmt: skip
    pen.box(x + 0.13 * s, y + 0.14 * s, 0.74 * s, 0.09 * s, (236, 240, 244), 0.04 * s)


def wireless(pen, x, y, tone):
    for r in (4, 9, 14):
        pen.arc(x, y + 6, r, 225, 315, 2.2, tone)


def speaker(pen, x, y, tone):
    pen.shape([(x - 8, y - 3), (x - 4, y - 3), (x + 1, y - 8), (x + 1, y + 8), (x - 4, y + 3), (x - 8, y + 3)], tone)
    pen.arc(x + 1, y, 7, 310, 50, 2, tone)


def battery(pen, x, y, tone):
    pen.draw.rounded_rectangle([v * FINE for v in (x, y - 6, x + 24, y + 6)], 3 * FINE, outline=tone, width=2 * FINE)
    pen.box(x + 3.5, y - 2.5, 14, 5, tone)
    pen.box(x + 25, y - 2.5, 2, 5, tone)


def icons_with_labels(pen, names, shade):
    for i, (draw, label) in enumerate(names):
        y = 26 + i * 118
        draw(pen, 44, y, 54)
        pen.text(71.5, y + 73.5, label, 17, shade, anchor="mm")
        pen.text(71, y + 72, label, 17, WHITE, anchor="mm")


APPS = (browser, folder, letter, sheet, page, calendar, picture, music, terminal)


def taskbar(pen, random, left: bool):
    """A light bar at the bottom: start, search and apps in the middle or at the left, status and clock at the right."""
    w, h, high = pen.w, pen.h, 62
    top = h - high
    pen.box(0, top, w, high, (229, 234, 240, 238))
    pen.box(0, top, w, 1, (255, 255, 255, 160))
    apps = [browser, folder, *random.sample(APPS[2:], random.randint(3, 5))]
    size, step, search = 33, 58, 226
    x = 16 if left else (w - 60 - search - 22 - step * len(apps)) / 2
    start(pen, x + 22, top + high / 2)
    x += 58
    pen.box(x, top + 11, search, high - 22, (250, 251, 253), 20)
    pen.ring(x + 24, top + 29, 7, 2.4, (92, 100, 112))
    pen.line([(x + 29, top + 34), (x + 34, top + 39)], 2.6, (92, 100, 112))
    pen.text(x + 46, top + high / 2, "Search", 19, (92, 100, 112))
    x += search + 22
    running = set(random.sample(range(len(apps)), 2))
    for i, draw in enumerate(apps):
        draw(pen, x, top + 12, size)
        if i in running:
            pen.box(x + 8, top + 52, size - 16, 3.6, (70, 110, 170), 1.8)
        x += step
    tone = (40, 46, 56)
    middle = top + high / 2
    pen.line([(w - 268, middle + 3), (w - 261, middle - 4), (w - 254, middle + 3)], 2.4, tone)
    wireless(pen, w - 222, middle + 2, tone)
    speaker(pen, w - 184, middle, tone)
    battery(pen, w - 158, middle, tone)
    pen.text(w - 22, middle - 12, "10:42 AM", 18, tone, anchor="rm")
    pen.text(w - 22, middle + 12, "11/14/2026", 18, tone, anchor="rm")
    icons_with_labels(pen, [(bin_, "Trash"), (folder, "Files"), *random.sample([(page, "Invoice"), (sheet, "Budget"), (picture, "Photos")], random.randint(0, 2))], (20, 26, 36))


def start(pen, x, y):
    """The start button: a plain disc with three lines."""
    pen.disc(x, y, 18, (44, 92, 160))
    for i in (-1, 0, 1):
        pen.box(x - 8.5, y + 6 * i - 1.6, 17, 3.2, WHITE, 1.6)


def shelf(pen, random):
    """A dark translucent shelf: a round launcher at the left, apps in the middle, a pill with the clock at the right."""
    w, h, high = pen.w, pen.h, 66
    top, middle = h - high, h - high / 2
    pen.box(0, top, w, high, (26, 30, 38, 205))
    pen.disc(42, middle, 22, (255, 255, 255, 46))
    pen.ring(42, middle, 10, 3.4, WHITE)
    apps = [browser, letter, page, *random.sample((sheet, picture, music, calendar), 3)]
    x = (w - 66 * len(apps)) / 2
    for draw in apps:
        pen.disc(x + 33, middle, 25, (240, 243, 247))
        draw(pen, x + 17, middle - 16, 32)
        x += 66
    pen.box(w - 274, middle - 23, 258, 46, (255, 255, 255, 46), 23)
    wireless(pen, w - 240, middle + 3, WHITE)
    battery(pen, w - 214, middle, WHITE)
    pen.text(w - 34, middle, "Nov 14  10:42", 19, WHITE, anchor="rm")


def top_bar(pen, random):
    """A dark bar at the top with the clock in the middle, and a column of apps at the left."""
    w, h, high = pen.w, pen.h, 40
    pen.box(0, 0, w, high, (18, 18, 22, 248))
    pen.box(18, 14, 34, 12, WHITE, 6)
    pen.disc(66, 20, 5, (150, 152, 160))
    pen.text(w / 2, high / 2, "Nov 14  10:42", 19, WHITE, "Semibold", "mm")
    wireless(pen, w - 122, 22, WHITE)
    speaker(pen, w - 86, 20, WHITE)
    battery(pen, w - 58, 20, WHITE)
    pen.box(0, high, 84, h - high, (22, 20, 28, 176))
    for i, draw in enumerate([browser, folder, letter, terminal, *random.sample((page, sheet, picture, music), 3)]):
        y = high + 20 + i * 84
        draw(pen, 18, y, 48)
        if i in (0, 3):
            pen.disc(6, y + 24, 4, (232, 120, 70))
    for i in range(9):
        pen.disc(28 + i % 3 * 14, h - 62 + i // 3 * 14, 4, WHITE)


def panel(pen, random):
    """A dark panel at the bottom with a menu button, the open windows' titles and the clock."""
    w, h, high = pen.w, pen.h, 52
    top, middle = h - high, h - high / 2
    pen.box(0, top, w, high, (42, 46, 44, 250))
    pen.disc(34, middle, 16, (110, 168, 96))
    pen.line([(27, middle - 7), (27, middle + 5), (41, middle + 5)], 3.4, WHITE)
    x = 70
    for draw in (folder, browser, terminal):
        draw(pen, x, middle - 14, 28)
        x += 46
    for title in random.sample(("Downloads", "Homework", "Pictures"), 2):
        pen.box(x + 8, top + 7, 190, high - 14, (66, 72, 69), 6)
        pen.text(x + 24, middle, title, 18, (232, 236, 233))
        x += 200
    wireless(pen, w - 178, middle + 2, WHITE)
    speaker(pen, w - 142, middle, WHITE)
    battery(pen, w - 114, middle, WHITE)
    pen.text(w - 20, middle, "10:42", 19, WHITE, anchor="rm")
    icons_with_labels(pen, [(folder, "Home"), (bin_, "Trash")], (16, 22, 18))


DESKTOPS = {
    "taskbar": lambda pen, random: taskbar(pen, random, False),
    "taskbar-left": lambda pen, random: taskbar(pen, random, True),
    "shelf": shelf,
    "top-bar": top_bar,
    "panel": panel,
}


def add_desktop(wallpaper: Image.Image, name: str, seed: int) -> Image.Image:
    """Returns the wallpaper with a desktop over it; the apps depend on the seed."""
    pen = Pen(*wallpaper.size)
    DESKTOPS[name](pen, dice.Random(seed))
    layer = pen.layer.resize(wallpaper.size, Image.LANCZOS)
    return Image.alpha_composite(wallpaper.convert("RGBA"), layer).convert("RGB")


def draw_check(picture: Image.Image) -> Image.Image:
    """Draws the page of a hardware test with its results."""
    pen = Pen(*picture.size)
    pen.box(0, 0, pen.w, pen.h - 62, (246, 244, 240))
    pen.box(0, 0, pen.w, 92, WHITE)
    pen.text(pen.w - 70, 46, "Inspection desk", 30, INK, anchor="rm")
    pen.text(70, 170, "Measured and tested", 54, INK, "Semibold")
    rows = ("Processor", "Memory", "Drive", "Battery", "Screen", "Keyboard", "Camera", "Sound")
    for i, name in enumerate(rows):
        x, y = 70 + i // 4 * 900, 250 + i % 4 * 158
        pen.box(x, y, 860, 132, WHITE, 18)
        pen.disc(x + 68, y + 66, 32, GREEN)
        pen.line([(x + 53, y + 67), (x + 64, y + 79), (x + 84, y + 54)], 7, WHITE)
        pen.text(x + 130, y + 66, name, 40, INK)
        pen.box(x + 420, y + 58, 380, 16, (226, 226, 230), 8)
        pen.box(x + 420, y + 58, 380 * (0.86 if name == "Battery" else 1), 16, GREEN, 8)
    return Image.alpha_composite(picture.convert("RGBA"), pen.layer.resize(picture.size, Image.LANCZOS)).convert("RGB")


def no_system(w: int, h: int) -> Image.Image:
    """Returns the screen of a laptop with an empty drive."""
    pen = Pen(w, h)
    pen.box(0, 0, w, h, (6, 7, 10, 255))
    x, y = w * 0.07, h * 0.16
    for i, line in enumerate(("No bootable device found.", "", "Insert a system disk and press any key.", "_")):
        pen.text(x, y + i * 54, line, 40, (214, 218, 222))
    pen.text(x, h * 0.92, "F2  Setup        F12  Boot menu", 30, (140, 146, 154))
    return pen.layer.resize((w, h), Image.LANCZOS).convert("RGB")
