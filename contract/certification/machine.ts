import * as z from 'zod/mini';

/** Where a value was read. A person who controls the laptop can forge any of them. */
export const sources = {
  firmware: 'the firmware',
  battery: 'the battery’s own counter',
  drive: 'the drive itself',
  screen: 'the screen itself',
  system: 'the operating system',
} as const;
export const Source = z.enum(['firmware', 'battery', 'drive', 'screen', 'system']);
export type Source = z.infer<typeof Source>;

/** Two lines of a machine, such as the maker and the model of its mainboard, with a space. */
const MAXIMUM_LINE = 241;
const Line = z.string().check(z.maxLength(MAXIMUM_LINE));

/** The most drives of a machine that are read; a laptop has few. */
export const MAXIMUM_DRIVES = 16;
/** A laptop has at most eight slots. */
export const MAXIMUM_MODULES = 32;
const MAXIMUM_ADAPTERS = 4;

/** A value with its source; null when it could not be read. */
function reading<Value extends z.ZodMiniType>(value: Value) {
  return z.nullable(z.object({ value, source: Source }));
}

/** `unlocked` is missing on purpose: a lock that was not found may still exist. */
export const DeviceLockState = z.enum(['locked', 'not_found', 'unknown']);
export type DeviceLockState = z.infer<typeof DeviceLockState>;

/**
 * `quoted`: a key signed the code of this measurement in the form in which a TPM does. The maker's certificate was not
 * checked, so it may also be a key of software.
 */
export const TpmState = z.enum(['quoted', 'unknown']);
export type TpmState = z.infer<typeof TpmState>;

/** `quoted` in words. */
export const tpmQuoted = 'its key signed the code of this measurement; not checked with the chip’s maker';

export const Drive = z.object({
  model: Line,
  /** Decimal gigabytes, as drives are sold. */
  gigabytes: z.int(),
  kind: z.nullable(z.enum(['SSD', 'HDD', 'eMMC'])),
  /** Hours of operation. */
  hours: z.nullable(z.int()),
  /** Percent of the rated writes; above 100 beyond the rating. */
  wear: z.nullable(z.int()),
  /** The drive's own verdict. */
  healthy: z.nullable(z.boolean()),
});
export type Drive = z.infer<typeof Drive>;

export const MemoryModule = z.object({
  gigabytes: z.int(),
  /** Such as `DDR4`. */
  kind: z.nullable(Line),
  /** Millions of transfers per second, as configured. */
  speed: z.nullable(z.int()),
});
export type MemoryModule = z.infer<typeof MemoryModule>;

export const Battery = z.object({
  /** The present capacity in percent of the one when new; above 100 for a good new battery. */
  health: z.int(),
  /** The capacity when new, in milliwatt-hours; macOS reports none. */
  designMwh: z.nullable(z.int()),
  /** The capacity when fully charged now, in milliwatt-hours. */
  fullMwh: z.nullable(z.int()),
  cycles: z.nullable(z.int()),
});
export type Battery = z.infer<typeof Battery>;

/**
 * The installed memory in whole gigabytes: measured, or only a lower bound. The total that Linux gives is a bound, because
 * firmware and graphics reserve a part that it leaves out.
 */
export const Memory = z.union([
  z.strictObject({ value: z.int(), source: Source }),
  z.strictObject({ atLeast: z.int(), source: Source }),
]);
export type Memory = z.infer<typeof Memory>;

/** What a laptop reports about itself, each part with a bound. Nothing in it identifies the machine or its user. */
export const Machine = z.object({
  maker: reading(Line),
  model: reading(Line),
  /** The first and last characters only, such as `PF3…DE`. */
  serial: reading(Line),
  /** The mainboard's maker and model. */
  board: reading(Line),
  /** ISO 8601 date. */
  firmwareDate: reading(Line),
  processor: reading(Line),
  memory: z.nullable(Memory),
  /** Soldered memory is reported as modules too. */
  memoryModules: reading(z.array(MemoryModule).check(z.maxLength(MAXIMUM_MODULES))),
  drives: z.array(Drive).check(z.maxLength(MAXIMUM_DRIVES)),
  screen: reading(
    z.object({
      /** To a tenth. */
      inches: z.number(),
      /** Pixels. */
      width: z.int(),
      height: z.int(),
    }),
  ),
  graphics: z.array(Line).check(z.maxLength(MAXIMUM_ADAPTERS)),
  system: reading(Line),
  /** Of several batteries, their sum. */
  battery: reading(Battery),
  locks: z.object({
    /** A password that the firmware asks for. */
    firmwarePassword: DeviceLockState,
    /** Absolute Persistence, also called Computrace. */
    absolute: DeviceLockState,
    /** Management by an organization: MDM, Autopilot. */
    management: DeviceLockState,
    /** Apple's Activation Lock. */
    activationLock: DeviceLockState,
  }),
  tpm: TpmState,
});
export type Machine = z.infer<typeof Machine>;

export type DeviceLockName = keyof Machine['locks'];

/** The locks that a buyer has to fear, with the displayed names. */
export const deviceLockLabels = {
  firmwarePassword: 'Firmware (BIOS) password',
  absolute: 'Absolute Persistence (Computrace)',
  management: 'Management by an organization',
  activationLock: 'Activation Lock',
} as const satisfies Record<DeviceLockName, string>;

export const deviceLockNames = [
  'firmwarePassword',
  'absolute',
  'management',
  'activationLock',
] as const satisfies readonly DeviceLockName[];

/** The name of a machine, such as `LENOVO ThinkPad T14`; null when unknown. Some makers repeat theirs in the model. */
export function machineName({ maker, model }: Pick<Machine, 'maker' | 'model'>): string | null {
  if (maker === null || model === null) return model?.value ?? maker?.value ?? null;
  const isRepeated = model.value.toLowerCase().startsWith(`${maker.value.toLowerCase()} `);
  return isRepeated ? model.value : `${maker.value} ${model.value}`;
}

/** The installed memory in gigabytes; null when it is unknown or only a lower bound is known. */
export const measuredMemory = ({ memory }: Pick<Machine, 'memory'>): number | null =>
  memory !== null && 'value' in memory ? memory.value : null;

/** The installed memory, such as `16 GB` or `at least 12 GB`. */
export const memoryText = (memory: Memory): string =>
  'value' in memory ? `${memory.value} GB` : `at least ${memory.atLeast} GB`;

/** A drive's decimal gigabytes, such as `512 GB` and `1.9 TB`. */
export const driveSize = (gigabytes: number): string =>
  gigabytes >= 1000 ? `${Math.round(gigabytes / 100) / 10} TB` : `${gigabytes} GB`;

/** A drive in words, such as `512 GB SSD, SAMSUNG MZVLB512, 2,110 hours`. */
export function driveWords({ gigabytes, kind, model, hours, wear, healthy }: Drive): string {
  const parts = [
    `${driveSize(gigabytes)} ${kind ?? 'drive'}`,
    model,
    hours === null ? null : `${hours.toLocaleString('en-US')} hours`,
    wear === null ? null : `${wear} % worn`,
    healthy === false ? 'reports a fault' : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** A battery in words, such as `89 % of its capacity when new (44.9 of 50.5 Wh), 211 cycles`. */
export function batteryWords({ health, designMwh, fullMwh, cycles }: Battery): string {
  const wattHours = (value: number) => (value / 1000).toFixed(1);
  const capacity =
    designMwh === null || fullMwh === null ? '' : ` (${wattHours(fullMwh)} of ${wattHours(designMwh)} Wh)`;
  return `${health} % of its capacity when new${capacity}${cycles === null ? '' : `, ${cycles} cycles`}`;
}

function moduleText({ gigabytes, kind, speed }: MemoryModule): string {
  const size = kind === null ? `${gigabytes} GB` : `${gigabytes} GB ${kind}`;
  return speed === null ? size : `${size} at ${speed} MT/s`;
}

/** The memory modules of a machine, such as `2 × 8 GB DDR4 at 2667 MT/s`; null when unknown. */
export function memoryModulesText({ memoryModules }: Pick<Machine, 'memoryModules'>): string | null {
  if (memoryModules === null) return null;
  const counts = new Map<string, number>();
  for (const text of memoryModules.value.map(moduleText)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} × ${text}`)).join(', ');
}

/** One value that a machine reported. */
export interface MeasuredValue {
  label: string;
  /** In words; null when it is unknown. */
  value: string | null;
  /** Where it was read, in words; null when it is unknown. */
  source: string | null;
}

const measuredValue = (label: string, value: string | null, source: Source): MeasuredValue => ({
  label,
  value,
  source: value === null ? null : sources[source],
});

/** What a laptop reported, value by value; unknown values are listed too. Its locks are apart. */
export function measuredValues(machine: Machine): MeasuredValue[] {
  const { processor, memory, drives, screen, graphics, battery } = machine;
  const { board, firmwareDate, serial, system, tpm } = machine;
  return [
    measuredValue('Model', machineName(machine), 'firmware'),
    measuredValue('Processor', processor?.value ?? null, processor?.source ?? 'system'),
    measuredValue('Memory', memory === null ? null : memoryText(memory), memory?.source ?? 'firmware'),
    measuredValue('Memory modules', memoryModulesText(machine), machine.memoryModules?.source ?? 'firmware'),
    measuredValue('Storage', drives[0] === undefined ? null : driveWords(drives[0]), 'drive'),
    ...drives.slice(1).map((drive, at) => measuredValue(`Storage ${at + 2}`, driveWords(drive), 'drive')),
    measuredValue(
      'Display',
      screen === null
        ? null
        : `${screen.value.inches}″, ${screen.value.width} × ${screen.value.height} pixels`,
      'screen',
    ),
    measuredValue('Graphics', graphics.length === 0 ? null : graphics.join(', '), 'system'),
    measuredValue('Battery', battery === null ? null : batteryWords(battery.value), 'battery'),
    measuredValue('Mainboard', board?.value ?? null, 'firmware'),
    measuredValue('Firmware date', firmwareDate?.value ?? null, 'firmware'),
    measuredValue('Serial number', serial?.value ?? null, 'firmware'),
    measuredValue('Security chip (TPM)', tpm === 'quoted' ? tpmQuoted : null, 'system'),
    measuredValue('Ran during the measurement', system?.value ?? null, 'system'),
  ];
}
