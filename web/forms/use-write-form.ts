import type { DefaultValues, FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Callable, Input } from '#contract/platform/client.ts';
import { useWrite, type WriteOptions, wasNotDone } from '../requests/use-write.ts';
import { DRAFTS_KEY } from '../session/forget-private-data.ts';
import { useSession } from '../session/session.tsx';
import type { FieldErrors } from './apply-problem.ts';
import { createDraft, type FormDraft } from './draft.ts';
import { type RequestFormOptions, useRequestForm } from './request-form.tsx';

/** A type with any text in place of certain ones: what a form holds before it is checked. */
type AsText<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsText<Item>[]
    : T extends object
      ? { [Key in keyof T]: AsText<T[Key]> }
      : T;

/** A request as a form builds it. */
export type FormInput<E extends Callable> = Omit<Input<E>, 'body'> & { body: AsText<z.input<E['body']>> };

interface WriteFormOptions<E extends Callable, Values extends FieldValues>
  extends Omit<RequestFormOptions<Values>, 'check'>,
    Pick<WriteOptions<E>, 'done' | 'onSuccess' | 'read'> {
  defaultValues: Values & DefaultValues<Values>;
  /** Builds the request. */
  input: (values: Values) => FormInput<E>;
}

/** The first message per field for which the body of a request breaks the contract, in the order of the contract. */
export function violations(endpoint: Pick<Callable, 'body'>, { body }: { body: unknown }): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of z.safeParse(endpoint.body, body).error?.issues ?? []) {
    errors[path.join('.')] ??= message;
  }
  return errors;
}

/** Whether a request follows the contract. */
const isValid = <E extends Callable>(endpoint: E, input: FormInput<E>): input is FormInput<E> & Input<E> =>
  z.safeParse(endpoint.body, input.body).success;

/**
 * The draft that a form of a call has. Its key contains the request of the untouched form: of another object, or after other values
 * were saved, a form begins with another draft.
 */
function useDraftOf<Values extends FieldValues>(
  { method, path }: Callable,
  untouched: unknown,
  defaultValues: Values,
): FormDraft<Values> | undefined {
  const session = useSession();
  if (session.status !== 'signed-in') return undefined;
  const form = JSON.stringify([method, path, untouched, defaultValues]);
  return createDraft(
    `${DRAFTS_KEY}${session.person.email}:${form}`,
    z.custom<Values & DefaultValues<Values>>(),
  );
}

/**
 * The form of a call: checks its values by the contract and sends them by {@link useWrite}. For a signed-in user it keeps what is
 * typed, unless `dropsTyped` says otherwise, or another draft is given.
 */
export function useWriteForm<E extends Callable, Values extends FieldValues>(
  endpoint: E,
  options: WriteFormOptions<E, Values>,
) {
  const { input, done, onSuccess, read, ...form } = options;
  const { defaultValues, dropsTyped = false } = form;
  const ownDraft = useDraftOf(endpoint, input(defaultValues), defaultValues);
  const draft = form.draft ?? (dropsTyped ? undefined : ownDraft);
  const write = useWrite(endpoint, {
    ...{ done, onSuccess, read },
    // The form shows it.
    onError: () => undefined,
  });
  async function send(values: Values) {
    const request = input(values);
    // `check` has shown what is wrong.
    if (!isValid(endpoint, request)) return false;
    return !wasNotDone(await write.mutateAsync(request));
  }
  const requestForm = useRequestForm<Values>(send, {
    ...form,
    draft,
    check: (values) => violations(endpoint, input(values)),
  });
  return { ...requestForm, draft };
}
