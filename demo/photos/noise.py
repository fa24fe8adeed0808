"""Generates random fields for the textures."""

import numpy as np
from PIL import Image


def cloud(size: int, slope: float, low: int = 0, seed: int = 0) -> np.ndarray:
    """Returns square, tileable noise with a 1/f^slope spectrum, mean 0 and standard deviation 1."""
    random = np.random.default_rng(seed)
    spectrum = np.fft.fft2(random.standard_normal((size, size)))
    fy = np.fft.fftfreq(size)[:, None] * size
    fx = np.fft.fftfreq(size)[None] * size
    radius = np.sqrt(fx * fx + fy * fy)
    radius[0, 0] = 1
    gain = radius ** (-slope / 2)
    gain[radius < low] = 0
    gain[0, 0] = 0
    field = np.fft.ifft2(spectrum * gain).real
    return ((field - field.mean()) / field.std()).astype("f4")


def stretch(field: np.ndarray, width: int, height: int) -> np.ndarray:
    return np.array(Image.fromarray(field.astype("f4")).resize((width, height), Image.BICUBIC))


def smoothstep(start: float, end: float, x: np.ndarray) -> np.ndarray:
    t = np.clip((x - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def save_channels(path, *channels: np.ndarray) -> None:
    """Writes up to three fields of 0..1 as the red, green and blue channels of one picture."""
    blank = np.zeros_like(channels[0])
    planes = [*channels, blank, blank][:3]
    Image.fromarray((np.clip(np.dstack(planes), 0, 1) * 255).astype("u1")).save(path)
