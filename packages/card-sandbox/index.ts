export type { CallFault, FaultPlanInput } from './control/faults.ts';
export { type CardSandbox, type CardSandboxOptions, DEFAULT_DELAY_MS, startCardSandbox } from './start.ts';
export { type Fees, type PlatformTerms, STANDARD_FEES } from './storage/store.ts';
export { apiVersion } from './webhooks/events.ts';
