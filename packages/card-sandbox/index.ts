export type { CallFault, FaultPlanInput } from './control/faults.ts';
export { type CardSandbox, type CardSandboxOptions, startCardSandbox } from './start.ts';
export { apiVersion } from './webhooks/events.ts';
