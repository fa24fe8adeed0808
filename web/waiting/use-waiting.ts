import type { UseQueryResult } from '@tanstack/react-query';
import { listWaiting, type Waiting } from '#contract/operations/waiting.ts';
import { useRead } from '../requests/reads.ts';

/** What waits for the signed-in person. The drawer keeps it up to date. */
export const useWaiting = (): UseQueryResult<Waiting[]> => useRead(listWaiting, {});
