"""The keyboard layout: legend, position and size of each key, in key units. Used for the caps and for their legends."""

from machine import Machine

Key = tuple[str, str, float, float, float, float]  # legend, shifted legend, x, y (down), width, height

FUNCTION_ROW = 0.62


def key_layout(machine: Machine) -> list[Key]:
    """Returns a US layout 15 units wide, with a narrow number pad at its right if the laptop has one."""
    keys: list[Key] = []
    function = ["Esc", *(f"F{i}" for i in range(1, 13)), "PrtSc", "Ins", "Del"]
    unit = 15 / 16
    for i, legend in enumerate(function):
        keys.append((legend, "", i * unit, 0, unit, FUNCTION_ROW))

    def row(y, items):
        x = 0.0
        for legend, shifted, width in items:
            keys.append((legend, shifted, x, y, width, 1))
            x += width

    y = FUNCTION_ROW
    digits = [(a, b, 1) for a, b in zip("`1234567890-=", "~!@#$%^&*()_+")]
    row(y, [*digits, ("⟵ Backspace", "", 2)])
    upper, home, lower = ([(c, "", 1) for c in letters] for letters in ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"))
    row(y + 1, [("Tab", "", 1.5), *upper, ("[", "{", 1), ("]", "}", 1), ("\\", "|", 1.5)])
    row(y + 2, [("Caps Lock", "", 1.75), *home, (";", ":", 1), ("'", '"', 1), ("Enter", "", 2.25)])
    row(y + 3, [("Shift", "", 2.25), *lower, (",", "<", 1), (".", ">", 1), ("/", "?", 1), ("Shift", "", 2.75)])
    thumbs = [("Fn", "", 1), ("❖", "", 1), ("Alt", "", 1), ("", "", 5.25), ("Alt", "", 1), ("Ctrl", "", 1)]
    row(y + 4, [("Ctrl", "", 1.25), *thumbs])
    x, third = 11.5, 3.5 / 3
    for i, (above, below) in enumerate((("PgUp", "◀"), ("▲", "▼"), ("PgDn", "▶"))):
        keys.append((above, "", x + i * third, y + 4, third, 0.5))
        keys.append((below, "", x + i * third, y + 4.5, third, 0.5))
    if machine.numpad:
        keys.extend(number_pad(15.2, y))
    return keys


def number_pad(left: float, top: float) -> list[Key]:
    narrow = 0.85
    keys: list[Key] = [
        (legend, "", left + i * narrow, 0, narrow, FUNCTION_ROW) for i, legend in enumerate(("Home", "End", "Calc", "⏻"))
    ]
    for j, legends in enumerate((("Num", "/", "*", "-"), "789", "456", "123")):
        for i, legend in enumerate(legends):
            keys.append((legend, "", left + i * narrow, top + j, narrow, 1))
    keys.append(("0", "", left, top + 4, 2 * narrow, 1))
    keys.append((".", "", left + 2 * narrow, top + 4, narrow, 1))
    keys.append(("+", "", left + 3 * narrow, top + 1, narrow, 2))
    keys.append(("↵", "", left + 3 * narrow, top + 3, narrow, 2))
    return keys
