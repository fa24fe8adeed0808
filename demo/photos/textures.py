"""Writes the textures of one laptop: textures.py SLUG FOLDER"""

import sys
from pathlib import Path

import keycaps
import wallpaper
import wear
from machine import Machine, load_machines, screen_of


def make_textures(slug: str, folder: Path) -> None:
    """Writes shared textures to FOLDER and those of this laptop to FOLDER/SLUG. Skips existing files."""
    machine = load_machines()[slug]
    own = folder / slug
    own.mkdir(parents=True, exist_ok=True)
    for name, make in (("wear", wear.everywhere), ("dust", wear.dust), ("carbon", wear.carbon)):
        if not (folder / f"{name}.png").exists():
            make(folder / f"{name}.png")
    makers = (("lid", wear.lid), ("marks", wear.marks), ("deck", wear.deck), ("keys", keycaps.keycaps), ("screen", wallpaper.screen))
    shown = {screen_of(view) for view in machine.views}
    makers += tuple((name, make) for name, make in wallpaper.OTHER_SCREENS.items() if name in shown)
    for name, make in makers:
        if not (own / f"{name}.png").exists():
            make(own / f"{name}.png", machine)


if __name__ == "__main__":
    make_textures(sys.argv[1], Path(sys.argv[2]))
