import * as z from 'zod/mini';
import { conditions } from '#contract/catalogue.ts';
import type { Answers } from './form-values.ts';

/** What is kept of the form: its text. Photos are files on the seller's device and have to be chosen again. */
type Draft = Omit<Answers, 'photo'>;

const Kept: z.ZodMiniType<Draft> = z.object({
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

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Drafts {
  /** What this person typed and has neither added nor cleared, or null. */
  read(): Draft | null;
  keep(draft: Draft): void;
  /** @param draft the one to forget: another that was typed since stays. Left out: whatever there is */
  forget(draft?: Draft): void;
}

/**
 * The half-filled form of one person, kept for as long as the tab is open: it outlives a session that ends, a reload
 * and a look at another page.
 * @param storage may throw, as where storage is forbidden: then nothing is kept
 */
export function draftsOf(email: string, storage: () => Place): Drafts {
  const key = `coomercioNewProduct:${email}`;
  const attempt = <Result>(action: (place: Place) => Result): Result | null => {
    try {
      return action(storage());
    } catch {
      // Forbidden or full storage, or a draft that is none: the form works all the same.
      return null;
    }
  };
  const textOf = (draft: Draft) => JSON.stringify(Kept.parse(draft));
  return {
    read: () => attempt((place) => Kept.parse(JSON.parse(place.getItem(key) ?? ''))),
    keep: (draft) => void attempt((place) => place.setItem(key, textOf(draft))),
    forget: (draft) =>
      void attempt((place) => {
        if (draft === undefined || place.getItem(key) === textOf(draft)) place.removeItem(key);
      }),
  };
}
