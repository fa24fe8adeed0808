import type { HealthState } from '#contract/operations/health.ts';

/** How the states of a part of the shop are shown. */
export const healthStateBadges: Readonly<
  Record<HealthState, { word: string; tone: 'good' | 'warm' | 'bad'; summary: string }>
> = {
  fine: { word: 'Fine', tone: 'good', summary: 'Everything works' },
  look: { word: 'Look at it', tone: 'warm', summary: 'Something needs a look' },
  broken: { word: 'Broken', tone: 'bad', summary: 'Something does not work' },
};
