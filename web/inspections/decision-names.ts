import type { Decision } from '#contract/certification/inspection-queue.ts';

/** The displayed names of decisions. */
export const decisionNames: Readonly<Record<Decision, string>> = {
  approved: 'Approved',
  sent_back: 'Sent back',
  refused: 'Refused',
};
