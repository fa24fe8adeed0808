import * as z from 'zod/mini';
import { conditions } from '#contract/catalogue.ts';
import type { FormValues } from './form-values.ts';

/** The stored values. Photos are files on the seller's device and cannot be stored. */
type Draft = Omit<FormValues, 'photo'>;

const StoredDraft: z.ZodMiniType<Draft> = z.object({
  name: z.string(),
  category_Id: z.string(),
  original_price: z.string(),
  resale_price: z.string(),
  condition: z.enum(conditions),
  useTime: z.string(),
  location: z.string(),
  number: z.string(),
  description: z.string(),
  Processor: z.string(),
  Graphics: z.string(),
  Display: z.string(),
  Memory: z.string(),
  Storage: z.string(),
  Battery: z.string(),
  Operating: z.string(),
});

type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface DraftStorage {
  /** The stored draft, or null. */
  read(): Draft | null;
  save(draft: Draft): void;
  /** @param draft discards only this draft, not one that was typed since; left out: any draft */
  discard(draft?: Draft): void;
}

/**
 * Stores the form's draft of one user in sessionStorage, so that it outlives a sign-out, a reload and a navigation.
 * @param storage may throw when storage is forbidden; then nothing is stored
 */
export function createDraftStorage(email: string, storage: () => DraftStore): DraftStorage {
  const key = `coomercioNewProduct:${email}`;
  const attempt = <Result>(action: (storage: DraftStore) => Result): Result | null => {
    try {
      return action(storage());
    } catch {
      // Storage is forbidden or full, or the draft is invalid: the form works without it.
      return null;
    }
  };
  const textOf = (draft: Draft) => JSON.stringify(StoredDraft.parse(draft));
  return {
    read: () => attempt((storage) => StoredDraft.parse(JSON.parse(storage.getItem(key) ?? ''))),
    save: (draft) => void attempt((storage) => storage.setItem(key, textOf(draft))),
    discard: (draft) =>
      void attempt((storage) => {
        if (draft === undefined || storage.getItem(key) === textOf(draft)) storage.removeItem(key);
      }),
  };
}
