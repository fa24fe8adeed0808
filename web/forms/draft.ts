import { useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { announceDrafts } from '../session/forget-private-data.ts';
import { tryStorage } from '../ui/browser-storage.ts';

type DraftStorage = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface FormDraft<Values extends FieldValues> {
  /** The stored values; null without any. */
  read(): DefaultValues<Values> | null;
  save(values: Values): void;
  /** @param values discards only this draft, not one that was typed since; left out: any draft */
  discard(values?: Values): void;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Controls whose values are stored nowhere. */
const secrets = ['[type="password"]', '[autocomplete$="-password"]', '[autocomplete$="one-time-code"]'];

/** Whether a form asks for a password or a code. */
export const asksForSecret = (form: ParentNode): boolean => form.querySelector(secrets.join()) !== null;

/**
 * Keeps what is typed in a form, in sessionStorage unless said otherwise, so that it outlives a sign-out, a reload and a navigation.
 * @param key names the draft; contains its user
 * @param schema the values that are kept
 * @param storage may throw when storage is forbidden; then nothing is stored
 */
export function createDraft<Kept extends FieldValues>(
  key: string,
  schema: z.ZodMiniType<Kept>,
  storage: DraftStorage = () => sessionStorage,
) {
  const textOf = (values: unknown) => JSON.stringify(z.parse(schema, values));
  return {
    read: () =>
      tryStorage(() => {
        const stored: unknown = JSON.parse(storage().getItem(key) ?? '');
        const values = z.parse(schema, stored);
        // Another version of this page stored it: a default in place of a missing field would replace what is saved.
        return Object.keys(values).every((field) => isObject(stored) && field in stored) ? values : null;
      }),
    save: (values: Kept): void => {
      tryStorage(() => storage().setItem(key, textOf(values)));
      announceDrafts();
    },
    discard: (values?: Kept): void => {
      tryStorage(() => {
        if (values === undefined || storage().getItem(key) === textOf(values)) storage().removeItem(key);
      });
      announceDrafts();
    },
  };
}

/** The draft of a form. See {@link createDraft}. */
export function useDraft<Kept extends FieldValues>(
  key: string,
  schema: z.ZodMiniType<Kept>,
  storage?: DraftStorage,
) {
  const [draft] = useState(() => createDraft(key, schema, storage));
  return draft;
}
