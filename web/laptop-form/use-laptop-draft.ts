import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { MeasurementCode } from '#contract/certification/inspections.ts';
import {
  createDraftCode,
  createLaptopDraft,
  type DraftMeasurement,
  deleteDraftMeasurement,
  deleteLaptopDraft,
  readDraftMeasurement,
  submitDraftReport,
} from '#contract/certification/laptop-drafts.ts';
import { Problem } from '#contract/platform/client.ts';
import { pollWhileCode } from '../inspections/poll-while-code.ts';
import { queryKeyOf, useRead } from '../requests/reads.ts';
import { useApi } from '../session/session.tsx';
import { tryStorage } from '../ui/browser-storage.ts';
import type { SlipCode } from './slip-code.tsx';

const isUnknown = (error: unknown) => error instanceof Problem && error.code === 'not_found';

const draftKeyOf = (draftId: string | null) =>
  queryKeyOf(readDraftMeasurement, { params: { _id: draftId ?? '' } });

/**
 * The server's draft of a laptop that is not listed yet, with its measurement and its code for the slip. It is created when
 * the first of them is asked for, and its id is stored beside the form's texts.
 * @param draftKey names the form's draft in sessionStorage
 */
export function useLaptopDraft(draftKey: string) {
  const api = useApi();
  const cache = useQueryClient();
  const storageKey = `coomercioMeasured:${draftKey}`;
  const [storedId, setStoredId] = useState(() => tryStorage(() => sessionStorage.getItem(storageKey)));
  const [codeExpiresAt, setCodeExpiresAt] = useState<string | null>(null);
  /** The pending creation, which a second request shares. */
  const creation = useRef<Promise<string> | null>(null);
  const query = useRead(
    readDraftMeasurement,
    { params: { _id: storedId ?? '' } },
    { enabled: storedId !== null, refetchInterval: () => pollWhileCode(codeExpiresAt) },
  );
  const isGone = storedId !== null && isUnknown(query.error);
  const draftId = isGone ? null : storedId;
  const data = draftId === null ? undefined : query.data;

  function remember(id: string | null) {
    setStoredId(id);
    if (id === null) setCodeExpiresAt(null);
    tryStorage(() =>
      id === null ? sessionStorage.removeItem(storageKey) : sessionStorage.setItem(storageKey, id),
    );
  }

  async function create(): Promise<string> {
    const { insertedId, slipCode } = await api.call(createLaptopDraft, {});
    cache.setQueryData<DraftMeasurement>(draftKeyOf(insertedId), {
      slipCode,
      measurement: null,
      check: null,
    });
    remember(insertedId);
    return insertedId;
  }

  function createOnce(): Promise<string> {
    creation.current ??= create().finally(() => {
      creation.current = null;
    });
    return creation.current;
  }

  async function createCodeOfNewDraft(): Promise<MeasurementCode> {
    return api.call(createDraftCode, { params: { _id: await createOnce() } });
  }

  const slip: SlipCode =
    data === undefined
      ? {
          code: null,
          isLoading: draftId !== null && query.isFetching,
          /** @throws Problem */
          request: async () => {
            if (draftId === null) await createOnce();
            else await query.refetch({ throwOnError: true });
          },
        }
      : { code: data.slipCode };

  return {
    draftId,
    slip,
    /** Null without one. */
    measurement: data?.measurement ?? null,
    /** The tests in its browser; null without any. */
    check: data?.check ?? null,
    /** Whether the stored draft is no longer on the server. */
    isGone,
    setCodeExpiresAt,
    refetch: () => void query.refetch(),
    /** @throws Problem */
    createCode: async (): Promise<MeasurementCode> => {
      if (draftId === null) return createCodeOfNewDraft();
      try {
        return await api.call(createDraftCode, { params: { _id: draftId } });
      } catch (error) {
        if (isUnknown(error)) return createCodeOfNewDraft();
        throw error;
      }
    },
    /** @throws Problem */
    sendReport: async (report: string) => {
      await api.call(submitDraftReport, { params: { _id: draftId ?? '' }, body: { report } });
    },
    /** Deletes the measurement and the tests; the draft keeps its code for the slip. @throws Problem */
    deleteMeasurement: async () => {
      await api.call(deleteDraftMeasurement, { params: { _id: draftId ?? '' } });
      setCodeExpiresAt(null);
      cache.setQueryData<DraftMeasurement>(
        draftKeyOf(draftId),
        (known) => known && { ...known, measurement: null, check: null },
      );
    },
    /** Forgets the draft, after it was listed. */
    forget: () => remember(null),
    /** Forgets the draft and deletes it on the server, which otherwise deletes it when it expires. */
    discard: () => {
      if (storedId === null) return;
      remember(null);
      cache.removeQueries({ queryKey: draftKeyOf(storedId) });
      void api.call(deleteLaptopDraft, { params: { _id: storedId } }).catch(() => undefined);
    },
  };
}

export type LaptopDraft = ReturnType<typeof useLaptopDraft>;
