import { listLaptop } from '#contract/listings/catalogue.ts';
import { formatPostedTime } from '../../../formats/posted-time.ts';
import { type FormValues, toNewLaptop } from '../../../laptop-form/form-values.ts';
import { forgetAttempts, useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';

/** Adds a laptop whose photos are uploaded. */
export function useAddLaptop() {
  const { email } = usePerson();
  const { mutateAsync } = useWrite(listLaptop, {
    done: () => undefined,
    onError: () => undefined,
    stamp: (input, startedAt) => ({
      ...input,
      body: { ...input.body, posted_time: formatPostedTime(startedAt) },
    }),
  });
  return {
    /** Discards the idempotency key: the same values are a new laptop from now on. */
    discardKey: () => forgetAttempts(email, listLaptop),
    /**
     * @param images the URL of each photo, in display order
     * @param draftId the laptop's draft; null without one
     * @throws Problem
     */
    add: async (values: FormValues, images: readonly string[], draftId: string | null) => {
      await mutateAsync({ body: toNewLaptop(values, images, new Date(0), draftId) });
    },
  };
}
