/** A key: its `KeyboardEvent.code`, what is printed on it, and its width in units of a letter key. */
export interface Key {
  code: string;
  label: string;
  width: number;
}
/** Keys of one row, as `code`, `code=label` or `code=label*width`, separated by spaces. */
function row(keys: string): Key[] {
  return keys.split(' ').map((written) => {
    const [code = '', rest = ''] = written.split(/=(.*)/);
    const [label = '', width = '1'] = rest.split('*');
    const printed = label === '' ? code.replace(/^(?:Key|Digit|Numpad)/, '') : label;
    return { code, label: printed, width: Number(width) };
  });
}

const functionRow = row('Escape=Esc F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Insert=Ins Delete=Del');
const numberRow = row(
  'Backquote=` Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus=- Equal== Backspace=Backspace*2',
);
const upperRow = row(
  'Tab=Tab*1.5 KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft=[ BracketRight=] Backslash=\\*1.5',
);
const homeRow = row(
  "CapsLock=Caps*1.75 KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon=; Quote=' Enter=Enter*2.25",
);
const letters = 'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma=, Period=. Slash=/';
const bottomRow = row(
  'ControlLeft=Ctrl*1.5 MetaLeft=Meta AltLeft=Alt Space=Space*5 AltRight=Alt ControlRight=Ctrl ArrowLeft=Left ArrowUp=Up ArrowDown=Down ArrowRight=Right',
);
const numericRows = row(
  'NumLock=Num NumpadDivide=/ NumpadMultiply=× NumpadSubtract=− Numpad7 Numpad8 Numpad9 NumpadAdd=+ Numpad4 Numpad5 Numpad6 Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal=. NumpadEnter=Enter*1.5',
);

const rowsAround = (lowerRow: string): Key[][] => [
  functionRow,
  numberRow,
  upperRow,
  homeRow,
  row(lowerRow),
  bottomRow,
];

/** The physical layouts of laptops. A letter stands where the US layout has it; another print is the same key. */
export const layouts = {
  ansi: {
    name: 'American (ANSI): flat Enter key',
    rows: rowsAround(`ShiftLeft=Shift*2.25 ${letters} ShiftRight=Shift*2.75`),
  },
  iso: {
    name: 'European (ISO): tall Enter key',
    rows: rowsAround(`ShiftLeft=Shift*1.25 IntlBackslash=< ${letters} ShiftRight=Shift*2.75`),
  },
};

export type LayoutName = keyof typeof layouts;

/** The rows of a layout. @param hasNumericKeypad whether the laptop has a block of digits on the right */
export function rowsOf(layout: LayoutName, hasNumericKeypad: boolean): readonly (readonly Key[])[] {
  const { rows } = layouts[layout];
  return hasNumericKeypad ? [...rows, numericRows] : rows;
}
