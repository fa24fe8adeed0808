"""Builds meshes from outlines that are stacked along z, such as rounded rectangles. Lengths in mm."""

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.geometry import tessellate_polygon

SCALE = 0.01  # a Blender unit is 10 cm, so that focal lengths and f-stops are close to real ones


def rounded(w, d, r, cx=0.0, cy=0.0, steps=8):
    """Returns the outline of a rectangle with round corners, anticlockwise."""
    r = max(0.02, min(r, w / 2 - 0.01, d / 2 - 0.01))
    points = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for i in range(steps + 1):
            a = math.pi / 2 * (quarter + i / steps)
            points.append((cx + sx * (w / 2 - r) + r * math.cos(a), cy + sy * (d / 2 - r) + r * math.sin(a)))
    return points


class Mesh:
    """Points, faces with their materials, and the edge wear at each point (0..1)."""

    def __init__(self):
        self.points = []
        self.rub = []
        self.faces = []
        self.materials = []

    def ring(self, outline, z, rub=0.0):
        first = len(self.points)
        self.points += [(x, y, z) for x, y in outline]
        self.rub += [rub] * len(outline)
        return list(range(first, first + len(outline)))

    def skin(self, lower, upper, material=0, flip=False):
        for i in range(len(lower)):
            j = (i + 1) % len(lower)
            face = (lower[i], lower[j], upper[j], upper[i])
            self.faces.append(face[::-1] if flip else face)
            self.materials.append(material)

    def skins(self, rings, material=0, flip=False):
        for lower, upper in zip(rings, rings[1:]):
            self.skin(lower, upper, material, flip)

    def cap(self, ring, material=0, flip=False):
        self.faces.append(tuple(ring[::-1] if flip else ring))
        self.materials.append(material)

    def cap_with_holes(self, loops, material=0, up=True):
        """Adds a flat face with the first loop as its outline and the others as holes."""
        indices = [i for loop in loops for i in loop]
        for triangle in tessellate_polygon([[Vector(self.points[i]) for i in loop] for loop in loops]):
            corners = [indices[i] for i in triangle]
            a, b, c = (Vector(self.points[i]) for i in corners)
            normal = (b - a).cross(c - a).z
            if abs(normal) < 1e-9:
                continue
            self.faces.append(tuple(corners[::-1] if (normal > 0) != up else corners))
            self.materials.append(material)

    def loft(self, sections, material=0, bottom=True, top=True):
        """Connects sections, (outline, z) or (outline, z, rub), from bottom to top."""
        rings = [self.ring(*section) for section in sections]
        self.skins(rings, material)
        if bottom:
            self.cap(rings[0], material, True)
        if top:
            self.cap(rings[-1], material)
        return rings

    def dent(self, centre, radius, depth):
        """Moves the points around `centre` inwards and slightly down."""
        cx, cy, cz = centre
        inward = Vector((-cx, -cy, 0)).normalized()
        for i, (x, y, z) in enumerate(self.points):
            away = math.dist((x, y, z), (cx, cy, cz))
            push = depth * math.exp(-((away / radius) ** 2))
            self.points[i] = (x + inward.x * push, y + inward.y * push, z - push * 0.25)
            self.rub[i] = min(1.6, self.rub[i] + push)

    def build(self, name, materials, parent, uv=None, smooth=35, weighted=True):
        """Returns the object. `uv` is the rectangle (x, y, width, height) that its textures cover."""
        data = bpy.data.meshes.new(name)
        data.from_pydata([(x * SCALE, y * SCALE, z * SCALE) for x, y, z in self.points], [], self.faces)
        for material in materials:
            data.materials.append(material)
        count = len(data.polygons)
        data.polygons.foreach_set("material_index", self.materials[:count])
        data.polygons.foreach_set("use_smooth", [True] * count)
        data.attributes.new("rub", "FLOAT", "POINT").data.foreach_set("value", self.rub)
        if uv:
            x, y, w, h = uv
            corners = np.zeros(len(data.loops), "i4")
            data.loops.foreach_get("vertex_index", corners)
            flat = np.array(self.points)[corners]
            mapped = np.stack([(flat[:, 0] - x) / w, (flat[:, 1] - y) / h], 1).astype("f4")
            data.uv_layers.new(name="UVMap").data.foreach_set("uv", mapped.ravel())
        data.use_auto_smooth = True
        data.auto_smooth_angle = math.radians(smooth)
        thing = bpy.data.objects.new(name, data)
        bpy.context.scene.collection.objects.link(thing)
        thing.parent = parent
        if weighted:
            weigh_normals(thing)
        return thing


def weigh_normals(thing):
    """Adds weighted normals, so that flat faces are shaded flat. Call it last, because it must be the last modifier."""
    modifier = thing.modifiers.new("weighted", "WEIGHTED_NORMAL")
    modifier.keep_sharp = True
    modifier.weight = 100


def place(thing, x, y, z):
    thing.location = (x * SCALE, y * SCALE, z * SCALE)
    return thing


def frame(thing, origin, along, up, outward):
    """Places the object in a wall: x along the wall, y up, z outwards."""
    turn = Matrix((along, up, outward)).transposed().to_4x4()
    thing.matrix_local = Matrix.Translation(Vector(origin) * SCALE) @ turn
    return thing


def block(name, w, d, h, r, bevel, material, parent, steps=6):
    """Returns a bevelled plate whose underside is at z = 0."""
    mesh = Mesh()
    b = bevel
    mesh.loft(
        [
            (rounded(w - 2 * b, d - 2 * b, r - b, steps=steps), 0),
            (rounded(w - 0.6 * b, d - 0.6 * b, r, steps=steps), b * 0.3),
            (rounded(w, d, r, steps=steps), b),
            (rounded(w, d, r, steps=steps), h - b),
            (rounded(w - 0.6 * b, d - 0.6 * b, r, steps=steps), h - 0.3 * b, 1),
            (rounded(w - 2 * b, d - 2 * b, r - b, steps=steps), h),
        ]
    )
    return mesh.build(name, [material], parent)


def empty(name, parent=None):
    thing = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = parent
    return thing


def lettering(text, size, material, parent, at, turn=(0, 0, 0), raised=0.02, spacing=1.1, font="Semibold"):
    """`size` in mm."""
    curve = bpy.data.curves.new(text, "FONT")
    curve.body = text
    curve.font = bpy.data.fonts.load(f"/usr/share/fonts/truetype/open-sans/OpenSans-{font}.ttf", check_existing=True)
    curve.size = size * SCALE
    curve.extrude = raised * SCALE
    curve.align_x = curve.align_y = "CENTER"
    curve.space_character = spacing
    curve.materials.append(material)
    thing = bpy.data.objects.new(text, curve)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = parent
    thing.rotation_euler = turn
    return place(thing, *at)
