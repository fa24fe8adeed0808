export type { CallFault, FaultPlanInput } from './control/faults.ts';
export { type CardSandbox, type CardSandboxOptions, startCardSandbox } from './start.ts';
