// ACPI devices for the virtual laptop of inspect-vm.ts, because QEMU has no battery.

/** Encodes a length that counts its own bytes (ACPI 6.5, 20.2.4). */
function withLength(content: Uint8Array): number[] {
  if (content.length + 1 < 0x40) return [content.length + 1, ...content];
  const length = content.length + 2;
  return [0x40 | (length & 0x0f), length >> 4, ...content];
}

const dword = (value: number) => [0x0c, ...new Uint8Array(Uint32Array.of(value).buffer)];
const text = (value: string) => [0x0d, ...Buffer.from(value, 'latin1'), 0];
const name = (value: string) => [...Buffer.from(value, 'latin1')];
const named = (path: string, value: readonly number[]) => [0x08, ...name(path), ...value];
const packageOf = (items: readonly (readonly number[])[]) => [
  0x12,
  ...withLength(Uint8Array.from([items.length, ...items.flat()])),
];
const device = (path: string, content: readonly number[]) => [
  ...[0x5b, 0x82],
  ...withLength(Uint8Array.from([...name(path), ...content])),
];

export interface AcpiBattery {
  /** Four characters. The kernel lists the battery by it. */
  name: string;
  /** Of the capacities. */
  unit: 'mWh' | 'mAh';
  design: number;
  full: number;
  cycles: number;
  /** Millivolts. */
  voltage: number;
}

/** "PNP0C0A", the control method battery, as a compressed id. */
const CONTROL_METHOD_BATTERY = 0x0a0cd041;
/** Present, enabled, shown and working; the last bit says that the battery is there. */
const PRESENT = 0x1f;

/** A battery with its information (_BIX) and status (_BST), ACPI 6.5, 10.2.2. */
function batteryDevice(battery: AcpiBattery, at: number): number[] {
  const { design, full, cycles, voltage } = battery;
  const unit = battery.unit === 'mWh' ? 0 : 1;
  const rechargeable = 1;
  const information = [
    ...[0, unit, design, full, rechargeable, voltage, 0, 0, cycles],
    // Accuracy, sampling and averaging times, and granularities.
    ...[95_000, 0, 0, 0, 0, 1, 1],
  ].map(dword);
  return device(battery.name, [
    ...named('_HID', dword(CONTROL_METHOD_BATTERY)),
    ...named('_UID', dword(at)),
    ...named('_STA', dword(PRESENT)),
    ...named(
      '_BIX',
      packageOf([...information, text('Model'), text('1'), text('LION'), text('Maker'), dword(0)]),
    ),
    ...named('_BST', packageOf([0, 0, full, voltage].map(dword))),
  ]);
}

/** The body of a secondary table (SSDT) with batteries and a power supply unit. */
export function batteryTable(batteries: readonly AcpiBattery[]): Uint8Array {
  const supply = device('ADP1', [...named('_HID', text('ACPI0003')), ...named('_PSR', dword(1))]);
  const devices = [...batteries.flatMap((battery, at) => batteryDevice(battery, at + 1)), ...supply];
  // Scope (\_SB) { … }
  return Uint8Array.from([0x10, ...withLength(Uint8Array.from([...name('\\_SB_'), ...devices]))]);
}
