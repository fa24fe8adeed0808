import { useQueryClient } from '@tanstack/react-query';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { type FormValues, toNewLaptop } from '../../../laptop-form/form-values.ts';
import { DRAFT_QUERY } from '../../../laptop-form/use-laptop-draft.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi, usePerson } from '../../../session/session.tsx';

/** Stored beside the draft, because a reload may lose the response. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

/** Adds a laptop whose photos are uploaded. */
export function useAddLaptop() {
  const api = useApi();
  const cache = useQueryClient();
  const { email } = usePerson();
  return {
    /** Discards the idempotency key: the same values are a new laptop from now on. */
    discardKey: () => idempotencyKeys.discard(email),
    /**
     * @param images the URL of each photo, in display order
     * @param draftId the laptop's draft; null without one
     * @throws Problem
     */
    add: async (values: FormValues, images: readonly string[], draftId: string | null) => {
      const { photo: _, ...texts } = values;
      await idempotencyKeys.send(email, { texts, images, draftId }, ({ idempotencyKey, startedAt }) =>
        api.call(listLaptop, { body: toNewLaptop(values, images, startedAt, draftId), idempotencyKey }),
      );
      // Except the draft, which ended with the listing.
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== DRAFT_QUERY });
    },
  };
}
