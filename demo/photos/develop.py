"""Turns two noisy renders into a picture: denoises, adds lens effects, applies the Filmic curve."""

import ctypes
import math
import tempfile
from pathlib import Path

import bpy
import numpy as np

FLOATS = ctypes.POINTER(ctypes.c_float)


def set_render(width: int, height: int, samples: int, threshold: float) -> None:
    scene = bpy.context.scene
    render, cycles = scene.render, scene.cycles
    render.engine = "CYCLES"
    cycles.device = "CPU"
    cycles.samples, cycles.adaptive_threshold, cycles.adaptive_min_samples = samples, threshold, min(16, samples)
    cycles.use_adaptive_sampling, cycles.use_denoising = True, False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 4, 2, 3, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.blur_glossy, cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 1.0, 3, 6
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 1.5
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.use_persistent_data = True
    view = scene.view_settings
    view.view_transform, view.look, view.exposure = "Filmic", "Medium High Contrast", 0.5
    scene.view_layers[0].cycles.denoising_store_passes = True


class Darkroom:
    """Renders, denoises and writes pictures. `library` is the compiled denoise.c."""

    def __init__(self, library: Path, strength: float = 0.55):
        self.nlm = ctypes.CDLL(str(library)).nlm
        self.strength = strength
        self.folder = Path(tempfile.mkdtemp(prefix="darkroom-"))
        self.watch({"colour": "Image", "normal": "Denoising Normal", "albedo": "Denoising Albedo"})

    def watch(self, layers: dict[str, str]) -> None:
        """Selects the render passes to read, by name."""
        scene = bpy.context.scene
        scene.use_nodes = True
        tree = scene.node_tree
        tree.nodes.clear()
        source = tree.nodes.new("CompositorNodeRLayers")
        files = tree.nodes.new("CompositorNodeOutputFile")
        files.base_path = f"{self.folder}/"
        files.format.file_format, files.format.color_depth, files.format.color_mode = "OPEN_EXR", "32", "RGB"
        files.file_slots.clear()
        tree.links.new(source.outputs["Image"], tree.nodes.new("CompositorNodeComposite").inputs[0])
        for slot, layer in layers.items():
            files.file_slots.new(slot)
            tree.links.new(source.outputs[layer], files.inputs[slot])

    def layer(self, slot: str) -> np.ndarray:
        (path,) = self.folder.glob(f"{slot}*.exr")
        picture = bpy.data.images.load(str(path))
        picture.colorspace_settings.name = "Non-Color"
        w, h = picture.size
        pixels = np.empty(w * h * 4, "f4")
        picture.pixels.foreach_get(pixels)
        bpy.data.images.remove(picture)
        path.unlink()
        return np.ascontiguousarray(pixels.reshape(h, w, 4)[..., :3].transpose(2, 0, 1))

    def take(self, path: Path, seed: int, grain: float = 0.011) -> None:
        """Renders twice with different seeds, because the denoiser estimates the noise from the difference."""
        halves, guides = [], []
        for half in (0, 1):
            bpy.context.scene.cycles.seed = seed * 2 + half
            bpy.ops.render.render(write_still=False)
            # logarithmic, so that highlights do not dominate the distances
            halves.append(np.log1p(np.clip(self.layer("colour"), 0, 60) * 4).astype("f4"))
            guides.append(np.concatenate([self.layer("normal"), self.layer("albedo")]))
        _, h, w = halves[0].shape
        out = np.empty_like(halves[0])
        weights = np.array([4, 4, 4, 14, 14, 14], "f4")

        def pointer(field):
            return field.ctypes.data_as(FLOATS)

        self.nlm(
            pointer(halves[0]), pointer(halves[1]), pointer(guides[0]), pointer(guides[1]), 6, pointer(weights),
            pointer(out), w, h, 6, 2, ctypes.c_float(self.strength),
        )  # fmt: skip
        self.print(through_lens(np.expm1(out) / 4, seed, grain), path)

    def print(self, light: np.ndarray, path: Path) -> None:
        """Applies Blender's Filmic curve and writes the file."""
        scene = bpy.context.scene
        _, h, w = light.shape
        pixels = np.ones((h, w, 4), "f4")
        pixels[..., :3] = light.transpose(1, 2, 0)
        picture = bpy.data.images.new("print", w, h, alpha=False, float_buffer=True)
        picture.pixels.foreach_set(pixels.ravel())
        scene.render.image_settings.file_format = "PNG"
        scene.render.image_settings.color_mode = "RGB"
        picture.save_render(str(path), scene=scene)
        bpy.data.images.remove(picture)


def through_lens(light: np.ndarray, seed: int, grain: float) -> np.ndarray:
    """Adds veiling glare, bloom around highlights, vignetting and grain."""
    _, h, w = light.shape
    fy, fx = np.fft.fftfreq(h)[:, None], np.fft.rfftfreq(w)[None]

    def blur(field, sigma):
        gain = np.exp(-2 * (math.pi * sigma) ** 2 * (fx * fx + fy * fy))
        return np.fft.irfft2(np.fft.rfft2(field, axes=(1, 2)) * gain, s=(h, w), axes=(1, 2))

    bright = np.maximum(np.minimum(light, 8) - 1, 0)
    light = light * 0.965 + blur(light, w * 0.03) * 0.035 + blur(bright, w * 0.006) * 0.05
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
    light = light * (1 - 0.05 * (x * x + y * y * 0.8) ** 1.3)
    speckle = np.random.default_rng(seed).standard_normal((h, w))
    return (light * (1 + grain * speckle)).astype("f4")
