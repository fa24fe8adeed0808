"""The materials of a laptop."""

from dataclasses import dataclass
from pathlib import Path

from machine import Machine
from shader import Shader

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Finish:
    base: Colour
    metal: float
    rough: float
    bare: Colour  # the colour below a worn finish
    grain: float = 0.03
    specular: float = 0.5
    weave: bool = False


FINISHES = {
    "silver": Finish((0.60, 0.605, 0.615), 1, 0.36, (0.92, 0.92, 0.92)),
    "titan": Finish((0.36, 0.365, 0.38), 1, 0.36, (0.85, 0.85, 0.86)),
    "champagne": Finish((0.68, 0.555, 0.43), 1, 0.34, (0.95, 0.88, 0.78)),
    "mist": Finish((0.155, 0.225, 0.205), 1, 0.40, (0.75, 0.78, 0.77)),
    "graphite": Finish((0.135, 0.138, 0.148), 1, 0.40, (0.62, 0.62, 0.63)),
    "nightfall": Finish((0.022, 0.024, 0.034), 0.6, 0.36, (0.78, 0.45, 0.26), grain=0.04),
    "midnight": Finish((0.016, 0.026, 0.052), 0.25, 0.42, (0.42, 0.43, 0.45), grain=0.06),
    "grey": Finish((0.036, 0.038, 0.042), 0, 0.47, (0.17, 0.17, 0.175), grain=0.09, specular=0.45),
    "shadow": Finish((0.052, 0.056, 0.066), 0, 0.50, (0.20, 0.205, 0.215), grain=0.11, specular=0.42),
    "black": Finish((0.0135, 0.0135, 0.0145), 0, 0.43, (0.115, 0.115, 0.118), grain=0.07, specular=0.45),
    "carbon": Finish((0.011, 0.011, 0.012), 0, 0.40, (0.12, 0.12, 0.12), grain=0.05, specular=0.45, weave=True),
    "white": Finish((0.70, 0.695, 0.68), 0, 0.45, (0.60, 0.57, 0.52), grain=0.08),
}

# cap and legend
KEYS = {
    "black": ((0.0135, 0.0135, 0.0145), (0.74, 0.74, 0.73)),
    "silver": ((0.40, 0.405, 0.41), (0.05, 0.05, 0.055)),
    "champagne": ((0.50, 0.41, 0.32), (0.06, 0.05, 0.045)),
    "white": ((0.66, 0.655, 0.64), (0.10, 0.10, 0.105)),
}
LEGENDS = {"red": (0.80, 0.05, 0.035), "cyan": (0.10, 0.60, 0.70), "gold": (0.72, 0.55, 0.30)}


def plain(name, colour, rough=0.4, metal=0.0, specular=0.5, **inputs):
    shader = Shader(name)
    shader.set(Base_Color=colour, Metallic=metal, Specular=specular, Roughness=rough, **inputs)
    return shader.material


class Surfaces:
    """All materials of one laptop. `folder` holds the pictures that textures.py has written."""

    def __init__(self, machine: Machine, folder: Path):
        self.machine = machine
        self.shared = folder
        self.own = folder / machine.slug
        self.wear = machine.wear
        self.shift = ((machine.seed * 0.37) % 1, (machine.seed * 0.61) % 1, 0.2)
        outside = FINISHES[machine.material]
        inside = FINISHES[machine.deck or ("black" if outside.weave else machine.material)]
        self.inside = inside
        self.lid = self.body("lid", outside, "lid")
        self.deck = self.body("deck", inside, "deck")
        self.base = self.body("base", inside if not machine.deck else outside, None)
        bright = inside.metal == 1 and inside.base[0] > 0.3
        if bright and machine.hinge == "barrels":
            self.hinge = plain("hinge", tuple(c * 0.55 for c in inside.base), 0.36, 1.0)
        else:
            self.hinge = plain("hinge", (0.03, 0.031, 0.033) if bright else (0.017, 0.017, 0.018), 0.4, 0.5)
        self.hole = plain("hole", (0.004, 0.004, 0.004), 0.8, specular=0.1)
        self.black = plain("black", (0.012, 0.012, 0.013), 0.5)
        self.rubber = plain("rubber", (0.02, 0.02, 0.02), 0.75, specular=0.25)
        self.metal = plain("metal", (0.62, 0.61, 0.60), 0.28, 1.0)
        self.gold = plain("gold", (0.85, 0.62, 0.28), 0.3, 1.0)
        self.blue = plain("usb", (0.02, 0.10, 0.42) if machine.seed % 2 else (0.03, 0.032, 0.036), 0.4)
        light = machine.deck == "white" or inside.base[0] > 0.3
        self.print = plain("print", (0.16, 0.16, 0.17) if light else (0.50, 0.50, 0.51), 0.5)
        mark = (0.10, 0.10, 0.105) if outside.base[0] > 0.3 else (0.60, 0.60, 0.61)
        mark = {"nightfall": (0.72, 0.42, 0.25), "mist": (0.74, 0.64, 0.44)}.get(machine.material, mark)
        self.wordmark = plain("wordmark", mark, 0.32, 0.4)
        self.glass = plain("lens", (0.004, 0.004, 0.008), 0.06, Clearcoat=1.0)
        self.paper = plain("sticker", (0.66, 0.64, 0.59), 0.5)
        self.ink = plain("ink", (0.05, 0.05, 0.055), 0.5)

    def grease(self, shader, extent=360.0, shift=None):
        return shader.channels(shader.picture(self.shared / "wear.png", extent, shift=shift or self.shift))

    def dust(self, shader, extent=360.0, turn=0.4):
        specks = shader.picture(self.shared / "dust.png", extent, turn, (self.shift[1], self.shift[0], 0))
        return shader.math("MULTIPLY", specks, self.wear.dust)

    def body(self, name, finish: Finish, own: str | None):
        """Returns a painted or anodised case. `own` names the picture of this part's marks, projected from above."""
        wear, shader = self.wear, Shader(name)
        metal = finish.metal == 1
        grease, prints, lines = self.grease(shader)[:3]
        rough = shader.fade(finish.rough - 0.035, grease, 0.07)
        rough = shader.fade(rough, prints, -0.08 * wear.prints)
        rough = shader.fade(rough, lines, (-0.10 if metal else 0.15) * wear.scratches)
        darker = tuple(c * 0.62 for c in finish.base)
        greasy = darker if metal or finish.base[0] > 0.3 else tuple(c * 1.6 + 0.004 for c in finish.base)
        scratched = tuple(min(1, c * 1.3 + (0.07 if metal else 0.09)) for c in finish.base)
        amount = (0.16 if metal else 0.3) * wear.prints
        colour = shader.mix(shader.math("MULTIPLY", prints, amount), finish.base, greasy)
        if finish.weave:
            colour, rough = self.weave(shader, colour, rough)
        colour = shader.mix(shader.math("MULTIPLY", lines, 0.45 * wear.scratches, clamp=True), colour, scratched)
        metallic = shader.math("ADD", finish.metal, 0.0)
        if own == "lid":
            scratches, smears, bare = shader.channels(shader.picture(self.own / "lid.png"))[:3]
            rough = shader.fade(rough, smears, 0.05 if metal else -0.09)
            rough = shader.fade(rough, scratches, -0.12 if metal else 0.12)
            colour = shader.mix(shader.math("MULTIPLY", smears, 0.22 if metal else 0.42, clamp=True), colour, greasy)
            bright = tuple(min(1, c * 1.4 + 0.34) for c in finish.base) if not metal else finish.bare
            seen = shader.math("POWER", scratches, 0.55)  # thinner than a pixel, so they need more contrast
            colour = shader.mix(shader.math("MULTIPLY", seen, 0.95, clamp=True), colour, bright)
            colour = shader.mix(shader.math("MULTIPLY", bare, 0.85, clamp=True), colour, finish.bare)
            if any(self.machine.marks_of(kind) for kind in ("scratch", "scuff", "worn", "patch")):
                damage, patch = shader.channels(shader.picture(self.own / "marks.png"))[:2]
                colour = shader.mix(shader.math("MULTIPLY", patch, 0.7), colour, greasy)
                # what is dull on bright metal looks dark, what is bare below paint looks bright
                shown = (0.10, 0.098, 0.095) if metal and finish.base[0] > 0.3 else bright
                colour = shader.mix(shader.math("MULTIPLY", damage, 0.95, clamp=True), colour, shown)
                rough = shader.fade(rough, damage, 0.25)
        if own == "deck":
            holes, polish, scratches = shader.channels(shader.picture(self.own / "deck.png"))[:3]
            shiny = sum(mark["strength"] for mark in self.machine.marks_of("palm"))  # named by the seller
            rough = shader.fade(rough, polish, (-0.045 if metal else -0.09) - 0.09 * shiny)
            amount = (0.05 if metal else 0.22) + 0.3 * shiny
            lighter = tuple(min(1, c * 1.25 + 0.02) for c in finish.base) if shiny else greasy
            colour = shader.mix(shader.math("MULTIPLY", polish, amount, clamp=True), colour, lighter)
            seen = shader.math("MULTIPLY", scratches, 0.7, clamp=True)
            colour = shader.mix(seen, colour, finish.bare if metal else scratched)
            colour = shader.mix(holes, colour, (0.004, 0.004, 0.004))
            rough = shader.math("MAXIMUM", rough, shader.math("MULTIPLY", holes, 0.9))
            metallic = shader.math("MULTIPLY", shader.math("SUBTRACT", 1.0, holes), metallic)
        rub = shader.node("Attribute", attribute_name="rub").outputs["Fac"]
        spots = shader.math("MULTIPLY_ADD", shader.noise(26, 3), 6.0, -4.1 + 1.3 * wear.edges, clamp=True)
        rubbed = shader.math("MULTIPLY", shader.math("MULTIPLY", rub, spots), 0.4 + 0.5 * wear.edges, clamp=True)
        if self.machine.material == "nightfall":  # its bright cut edges are the design, not wear
            rubbed = shader.math("MULTIPLY", rub, 0.95, clamp=True)
            metallic = shader.math("MAXIMUM", metallic, rubbed)
        colour = shader.mix(rubbed, colour, finish.bare)
        dust = self.dust(shader)
        colour = shader.mix(shader.math("MULTIPLY", dust, 0.55), colour, (0.55, 0.53, 0.50))
        metallic = shader.math("MULTIPLY", metallic, shader.math("MULTIPLY_ADD", dust, -0.8, 1.0, clamp=True))
        rough = shader.math("MAXIMUM", rough, 0.12)
        shader.set(Base_Color=colour, Metallic=metallic, Roughness=rough, Specular=finish.specular)
        self.grain(shader, finish.grain)
        return shader.material

    def weave(self, shader, colour, rough):
        over, height, fibres = shader.channels(shader.picture(self.shared / "carbon.png", 104))[:3]
        thread = shader.math("MULTIPLY", height, shader.math("MULTIPLY_ADD", fibres, 0.4, 0.6))
        thread = shader.math("MULTIPLY", thread, shader.math("MULTIPLY_ADD", over, 0.8, 0.2))
        woven = shader.mix(thread, (0.006, 0.006, 0.0065), (0.085, 0.087, 0.092))
        facing = shader.node("SeparateXYZ")
        shader.link(shader.coordinates("Normal"), facing.inputs[0])
        flat = shader.math("GREATER_THAN", facing.outputs[2], 0.97)
        shader.set(Clearcoat=0.5, Clearcoat_Roughness=0.16)
        return shader.mix(flat, colour, woven), shader.fade(rough, over, 0.10)

    def grain(self, shader, amount):
        """Adds the texture of a blasted or moulded surface, with small dents."""
        cells = shader.node("TexVoronoi")
        cells.inputs["Scale"].default_value = 0.9
        shader.link(shader.coordinates(), cells.inputs[0])
        pit = shader.math("SUBTRACT", 1.0, shader.math("MULTIPLY", cells.outputs["Distance"], 42.0, clamp=True))
        some = shader.math("GREATER_THAN", shader.channels(cells.outputs["Color"])[0], 0.80)
        height = shader.math("MULTIPLY", shader.noise(95), amount * 20)
        height = shader.fade(height, shader.math("MULTIPLY", pit, some), -4.0 * min(1.0, self.wear.edges))
        shader.bump(height, 0.35, 0.0012)

    def keys(self):
        cap, legend = KEYS[self.machine.keys]
        legend = LEGENDS.get(self.machine.legend, legend)
        shader = Shader("keys")
        letters, shine, grease = shader.channels(shader.picture(self.own / "keys.png"))[:3]
        prints = self.grease(shader, 300.0)
        worn = tuple(c * (1.4 if cap[0] < 0.1 else 0.88) for c in cap)
        colour = shader.mix(shader.math("MULTIPLY", shine, 0.5, clamp=True), cap, worn)
        colour = shader.mix(shader.math("MULTIPLY", self.dust(shader, 420.0, 0.9), 0.5), colour, (0.4, 0.38, 0.35))
        colour = shader.mix(shader.math("MULTIPLY", letters, 0.9), colour, legend)
        rough = shader.fade(0.44, prints[0], 0.10)
        rough = shader.fade(rough, shine, -0.24)
        rough = shader.fade(rough, prints[1], -0.12 * self.wear.prints)
        rough = shader.fade(rough, grease, 0.12)
        metal = 0.55 if self.machine.keys in ("silver", "champagne") else 0.0
        shader.set(Base_Color=colour, Roughness=shader.math("MAXIMUM", rough, 0.2), Specular=0.38, Metallic=metal)
        shader.bump(shader.noise(170, 1), shader.math("MULTIPLY_ADD", shine, -0.26, 0.34, clamp=True), 0.0009)
        return shader.material

    def key_floor(self):
        shader = Shader("key floor")
        base = (0.009, 0.009, 0.0095) if self.machine.keys == "black" else tuple(c * 0.55 for c in self.inside.base)
        dust = shader.math("MULTIPLY", self.dust(shader, 330.0, 1.7), 0.8)
        shader.set(Base_Color=shader.mix(dust, base, (0.42, 0.39, 0.34)), Roughness=0.6, Specular=0.3)
        return shader.material

    def touchpad(self):
        """Returns a material smoother than the case, most of all in the middle."""
        shader = Shader("touchpad")
        grease, prints = self.grease(shader, shift=(0.8, 0.1, 0.3))[:2]
        mapping = shader.node("Mapping")
        mapping.inputs["Scale"].default_value = (2.2, 3.4, 1)
        middle = shader.node("TexGradient", gradient_type="SPHERICAL")
        shader.link(shader.coordinates(), mapping.inputs[0])
        shader.link(mapping.outputs[0], middle.inputs[0])
        rough = shader.fade(0.34 if self.inside.metal else 0.38, grease, 0.05)
        rough = shader.fade(rough, middle.outputs[1], -0.10 * self.wear.polish)
        rough = shader.fade(rough, prints, -0.06 * self.wear.prints)
        base = tuple(c * 0.92 for c in self.inside.base)
        for mark in self.machine.marks_of("pad"):  # worn through the coating where the finger moves
            worn = shader.math("MULTIPLY", middle.outputs[1], shader.math("MULTIPLY_ADD", grease, 1.6, -0.1, clamp=True))
            rough = shader.fade(rough, worn, -0.16 * mark["strength"])
            base = shader.mix(shader.math("MULTIPLY", worn, 0.75 * mark["strength"], clamp=True), base, self.inside.bare)
        shader.set(Base_Color=base, Metallic=0.75 * self.inside.metal, Roughness=shader.math("MAXIMUM", rough, 0.12))
        return shader.material

    def bezel(self):
        shader = Shader("bezel")
        grease, prints = self.grease(shader, shift=(0.9, 0.5, 0.1))[:2]
        dust = shader.math("MULTIPLY", self.dust(shader, 260.0, 0.2), 0.5)
        shader.set(Base_Color=shader.mix(dust, (0.0115, 0.0115, 0.012), (0.4, 0.4, 0.4)))
        shader.set(Roughness=shader.fade(shader.fade(0.38, grease, 0.2), prints, -0.12 * self.wear.prints))
        return shader.material

    def screen(self):
        """Returns a screen that darkens with the viewing angle, as LCD panels do."""
        shader = Shader("screen")
        grease, prints = self.grease(shader, shift=(0.3, 0.6, 0.4))[:2]
        dust = shader.math("MULTIPLY", self.dust(shader, 300.0, 0.0), 0.35)
        shader.set(Base_Color=shader.mix(dust, (0.016, 0.016, 0.018), (0.4, 0.4, 0.4)))
        shader.set(Emission=shader.picture(self.own / "screen.png", space="sRGB"), Specular=0.5)
        angle = shader.node("LayerWeight")
        angle.inputs["Blend"].default_value = 0.5
        loss = shader.math("POWER", angle.outputs["Facing"], 1.4)
        shader.set(Emission_Strength=shader.math("MULTIPLY_ADD", loss, -0.75, 1.12))
        shader.set(Roughness=shader.fade(shader.fade(0.20, grease, 0.16), prints, 0.10 * self.wear.prints))
        return shader.material
