import { useQueryClient } from '@tanstack/react-query';
import { changeLaptop } from '#contract/listings/catalogue.ts';
import { type FormValues, toListing } from '../../../laptop-form/form-values.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi, usePerson } from '../../../session/session.tsx';

/** Stored beside the draft, because a reload may lose the response. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

/** Changes a laptop whose photos are uploaded. */
export function useChangeLaptop(_id: string) {
  const api = useApi();
  const cache = useQueryClient();
  const { email } = usePerson();
  /** @param images the URL of each photo, in display order @param version the one that the form was filled with @throws Problem */
  return async (values: FormValues, images: readonly string[], version: number) => {
    const body = { ...toListing(values, images), version };
    try {
      await idempotencyKeys.send(`${email} ${_id}`, body, ({ idempotencyKey }) =>
        api.call(changeLaptop, { params: { _id }, body, idempotencyKey }),
      );
    } finally {
      // Also after a refusal: the laptop was changed elsewhere, is sold, or is being paid for.
      void cache.invalidateQueries();
    }
  };
}
