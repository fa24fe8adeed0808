import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#contract/client.ts';
import {
  createDraftCode,
  createLaptopDraft,
  deleteLaptopDraft,
  type MeasurementCode,
  readDraftMeasurement,
  submitDraftReport,
} from '#contract/inspections.ts';
import { pollWhileCode } from '../inspections/poll-while-code.ts';
import { useApi } from '../session/session.tsx';
import { tryStorage } from '../ui/browser-storage.ts';

const isUnknown = (error: unknown) => error instanceof Problem && error.code === 'not_found';

/**
 * The measurement of a laptop that is not listed yet. Its draft is created on the server with the first code, and its id is
 * stored beside the form's texts.
 * @param draftKey names the form's draft in sessionStorage
 */
export function useDraftMeasurement(draftKey: string) {
  const api = useApi();
  const cache = useQueryClient();
  const storageKey = `${draftKey}:measured`;
  const [draftId, setDraftId] = useState(() => tryStorage(() => sessionStorage.getItem(storageKey)));
  const [codeExpiresAt, setCodeExpiresAt] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['draftMeasurement', draftId],
    queryFn: ({ signal }) => api.call(readDraftMeasurement, { params: { _id: draftId ?? '' }, signal }),
    enabled: draftId !== null,
    refetchInterval: () => pollWhileCode(codeExpiresAt),
  });

  function remember(id: string | null) {
    setDraftId(id);
    if (id === null) setCodeExpiresAt(null);
    tryStorage(() =>
      id === null ? sessionStorage.removeItem(storageKey) : sessionStorage.setItem(storageKey, id),
    );
  }

  async function createCodeOfNewDraft(): Promise<MeasurementCode> {
    const { insertedId } = await api.call(createLaptopDraft, {});
    remember(insertedId);
    return api.call(createDraftCode, { params: { _id: insertedId } });
  }

  const isGone = draftId !== null && isUnknown(query.error);
  return {
    draftId,
    /** Null without one. */
    measurement: draftId === null || isGone ? null : (query.data?.measurement ?? null),
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
    /** Forgets the draft, after it was listed. */
    forget: () => remember(null),
    /** Forgets the draft and deletes it on the server, which otherwise deletes it when it expires. */
    discard: () => {
      if (draftId === null) return;
      remember(null);
      cache.removeQueries({ queryKey: ['draftMeasurement', draftId] });
      void api.call(deleteLaptopDraft, { params: { _id: draftId } }).catch(() => undefined);
    },
  };
}

export type UsedDraftMeasurement = ReturnType<typeof useDraftMeasurement>;
