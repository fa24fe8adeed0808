"""A small wrapper around Blender's shader nodes."""

import bpy

from mesh import SCALE


class Shader:
    """A material. Each method adds a node; an input is a socket or a number."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        self.output = self.tree.nodes["Material Output"]

    def node(self, kind, **properties):
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in properties.items():
            setattr(node, name, value)
        return node

    def link(self, source, target):
        self.tree.links.new(source, target)

    def feed(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self.link(value, socket)
        elif isinstance(value, tuple) and len(value) == 3 and socket.type == "RGBA":
            socket.default_value = (*value, 1)
        else:
            socket.default_value = value

    def set(self, **inputs):
        """Sets inputs of the Principled BSDF; the keyword Base_Color sets 'Base Color'."""
        for name, value in inputs.items():
            self.feed(self.surface.inputs[name.replace("_", " ")], value)

    def math(self, operation, *values, clamp=False):
        node = self.node("Math", operation=operation, use_clamp=clamp)
        for socket, value in zip(node.inputs, values):
            self.feed(socket, value)
        return node.outputs[0]

    def fade(self, base, factor, amount):
        """Returns base + factor * amount."""
        return self.math("MULTIPLY_ADD", factor, amount, base)

    def mix(self, factor, first, second):
        node = self.node("MixRGB")
        for socket, value in zip(node.inputs, (factor, first, second)):
            self.feed(socket, value)
        return node.outputs[0]

    def channels(self, colour):
        node = self.node("SeparateColor")
        self.link(colour, node.inputs[0])
        return node.outputs

    def coordinates(self, kind="Object"):
        return self.node("TexCoord").outputs[kind]

    def picture(self, path, extent=None, turn=0.0, shift=(0, 0, 0), space="Non-Color"):
        """Samples a picture by the object's UV map, or by box projection that repeats every `extent` mm."""
        picture = bpy.data.images.load(str(path), check_existing=True)
        picture.colorspace_settings.name = space
        node = self.node("TexImage", image=picture)
        if extent is None:
            self.link(self.coordinates("UV"), node.inputs[0])
            return node.outputs[0]
        mapping = self.node("Mapping")
        self.link(self.coordinates(), mapping.inputs[0])
        mapping.inputs["Scale"].default_value = (1 / (extent * SCALE),) * 3
        mapping.inputs["Rotation"].default_value[2] = turn
        mapping.inputs["Location"].default_value = shift
        self.link(mapping.outputs[0], node.inputs[0])
        node.projection = "BOX"
        node.projection_blend = 0.15
        return node.outputs[0]

    def noise(self, scale, detail=2):
        node = self.node("TexNoise")
        node.inputs["Scale"].default_value = scale
        node.inputs["Detail"].default_value = detail
        self.link(self.coordinates(), node.inputs[0])
        return node.outputs[0]

    def bump(self, height, strength, distance):
        node = self.node("Bump")
        self.feed(node.inputs["Strength"], strength)
        node.inputs["Distance"].default_value = distance
        self.link(height, node.inputs["Height"])
        self.link(node.outputs[0], self.surface.inputs["Normal"])
