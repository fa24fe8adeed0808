import type { HealthCheck, HealthState } from '#contract/operations/health.ts';

/** A check before its subject is known. */
export type Judgement = Omit<HealthCheck, 'subject'>;

export const judge = (
  state: HealthState,
  finding: string,
  advice: string | null = null,
  figures: Readonly<Record<string, string>> = {},
): Judgement => ({
  state,
  finding,
  advice,
  figures: Object.entries(figures).map(([name, value]) => ({ name, value })),
});

/** What a check says that failed or did not answer in time. */
export interface Unanswered {
  /** Why, as a sentence. */
  problem: string;
}

export const isUnanswered = (measured: object): measured is Unanswered => 'problem' in measured;
