import type { Facts, GraphicsKind, ProcessorFamily } from '#contract/listings/fact-names.ts';
import { formatGigabytes } from '#contract/listings/sizes.ts';

/** The names of processors in a line of facts. Apple's are named by their generation. */
const processorNames: Record<ProcessorFamily, string> = {
  'intel-core-i3': 'i3',
  'intel-core-i5': 'i5',
  'intel-core-i7': 'i7',
  'intel-core-i9': 'i9',
  'intel-core': 'Intel Core',
  'intel-core-ultra-5': 'Ultra 5',
  'intel-core-ultra-7': 'Ultra 7',
  'intel-core-ultra-9': 'Ultra 9',
  'intel-core-m': 'Core m',
  'intel-core-2': 'Core 2',
  'intel-xeon': 'Xeon',
  'intel-entry': 'Intel',
  'amd-ryzen-3': 'Ryzen 3',
  'amd-ryzen-5': 'Ryzen 5',
  'amd-ryzen-7': 'Ryzen 7',
  'amd-ryzen-9': 'Ryzen 9',
  'amd-ryzen-ai': 'Ryzen AI',
  'amd-entry': 'AMD',
  snapdragon: 'Snapdragon',
  'arm-entry': 'MediaTek',
  apple: 'Apple M',
};

/** The names of dedicated graphics in a line of facts; integrated ones say nothing. */
const graphicsNames: Record<GraphicsKind, string | undefined> = {
  integrated: undefined,
  geforce: 'GeForce',
  'nvidia-workstation': 'NVIDIA RTX',
  radeon: 'Radeon',
  arc: 'Arc',
};

function processorName({ processor, generation }: Facts): string | undefined {
  if (processor === undefined) return undefined;
  return processor === 'apple' && generation !== undefined
    ? generation.replace('apple-', 'M')
    : processorNames[processor];
}

/** The main facts in one line, such as `i7 · 16 GB · 1 TB · 13.5″ · battery 86 %`. Empty when none is known. */
export function factsLine(facts: Facts): string {
  const { memory, storage, graphics, screen, battery } = facts;
  return (
    [
      processorName(facts),
      memory === undefined ? undefined : formatGigabytes(memory),
      storage === undefined ? undefined : formatGigabytes(storage),
      graphics === undefined ? undefined : graphicsNames[graphics],
      screen === undefined ? undefined : `${screen}″`,
      // With no-break spaces.
      battery === undefined ? undefined : `battery\u00a0${battery}\u00a0%`,
    ]
      .filter((fact) => fact !== undefined)
      // A line breaks only after a dot.
      .join('\u00a0· ')
  );
}
