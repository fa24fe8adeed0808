import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { createContext, use } from 'react';
import * as z from 'zod/mini';
import { type Callable, type Input, Problem } from '#contract/platform/client.ts';
import { useApi, useSession, useSessionStore } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { errorMessage } from './error-message.ts';
import { idempotencyKeys } from './idempotency-keys.ts';
import { useUserCache } from './query-client.ts';
import { type ResponseOf, refetchChanged } from './reads.ts';

/** Sends a write. Within the dashboard it asks for the password first when the shop wants a more recent sign-in. */
export const SendWrite = createContext(<Result>(write: () => Promise<Result>): Promise<Result> => write());

/** Whether the shop refuses a write because the sign-in is too long ago. */
export const isSignInOld = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'reauthentication_required';

export interface WriteOptions<E extends Callable> {
  /** The toast after success; left out: the message of the response, if it has one. */
  done?: string | ((answer: ResponseOf<E>, input: Input<E>) => string | undefined) | undefined;
  /** Called for each response, also when the component is gone. */
  onSuccess?: ((answer: ResponseOf<E>, input: Input<E>) => unknown) | undefined;
  /** Called instead of showing the failure in a toast. */
  onError?: (error: Error) => unknown;
  /** Whether the write is pending until the changes are read, so that a button is not offered again before it is removed. */
  untilRead?: boolean;
  /** Reads the changes also when no response arrived; the request may have been carried out. */
  readsUnanswered?: boolean;
  /** Reads again what the call has changed; left out: all that the endpoint declares. */
  read?: (() => Promise<unknown>) | undefined;
  /** Writes the time of the first attempt into a request that contains it, so that a retry is the same request. */
  stamp?: (input: Input<E>, startedAt: Date) => Input<E>;
  /** Writes of the same scope are sent one after the other, so that the last choice stays. */
  scope?: string;
}

export type Write<E extends Callable> = UseMutationResult<ResponseOf<E>, Error, Input<E>>;

/** The path and the method of a call, with its path parameters. */
const operationOf = ({ method, path }: Callable, input: unknown): string =>
  JSON.stringify([
    method,
    path,
    typeof input === 'object' && input !== null && 'params' in input && input.params,
  ]);

/** Forgets unanswered attempts of a call without path parameters: the same input is a new operation from now on. */
export const forgetAttempts = (email: string, endpoint: Callable): void =>
  idempotencyKeys.discard(`${email} ${operationOf(endpoint, {})}`);

/** What a response says to people, and whether the shop did what was asked. */
const Told = z.object({ acknowledged: z.optional(z.boolean()), message: z.optional(z.string()) });

/** Whether the shop has answered that it did not do what was asked, for example because it was done before. */
export const wasNotDone = (answer: unknown): boolean =>
  z.safeParse(Told, answer).data?.acknowledged === false;

/**
 * The only way to change something at the shop. It sends the call with an idempotency key if the endpoint takes one, shows the
 * outcome in a toast, and reads again what the endpoint declares as changed, also after a refusal: somebody else may have changed it.
 */
export function useWrite<E extends Callable>(endpoint: E, options: WriteOptions<E> = {}): Write<E> {
  const api = useApi();
  const store = useSessionStore();
  const session = useSession();
  const sendWrite = use(SendWrite);
  const user = session.status === 'signed-in' ? session.person.email : '';
  const queries = useUserCache();
  const { done, onSuccess, onError, untilRead = false, stamp = (input) => input } = options;
  const read = options.read ?? (() => refetchChanged(queries, endpoint));

  function send(input: Input<E>): Promise<ResponseOf<E>> {
    if (endpoint.idempotencyKey !== true) return api.call(endpoint, input);
    return idempotencyKeys.send(
      `${user} ${operationOf(endpoint, input)}`,
      input,
      ({ idempotencyKey, startedAt }) =>
        api.call(endpoint, Object.assign({}, stamp(input, startedAt), { idempotencyKey })),
    );
  }

  const mutation: UseMutationOptions<ResponseOf<E>, Error, Input<E>> = {
    mutationFn: (input) => sendWrite(() => send(input)),
    ...(options.scope !== undefined && { scope: { id: options.scope } }),
    onSuccess: (answer, input) => {
      const { acknowledged, message } = z.safeParse(Told, answer).data ?? {};
      const text = typeof done === 'function' ? done(answer, input) : (done ?? message);
      if (acknowledged === false) toast.error(message ?? 'Nothing was changed.');
      else if (text !== undefined) toast.success(text);
      return onSuccess?.(answer, input);
    },
    onError: (error) => {
      if (onError !== undefined) return onError(error);
      // After the end of a session the login page gives the reason. Who did not enter the password knows it.
      if (!isSignInOld(error) && store.read().status === 'signed-in') toast.error(errorMessage(error));
    },
    onSettled: (_answer, error) => {
      // Without a response nothing is known to have changed, and the same request can be sent again.
      if (error instanceof Problem && error.status === 0 && options.readsUnanswered !== true) return;
      const isRead = read();
      return untilRead ? isRead : undefined;
    },
  };
  return useMutation(mutation, queries);
}

/** Whether somebody else was faster: the object of a request is gone, or has moved on. */
export const isOutdated = (error: unknown): error is Problem =>
  error instanceof Problem && (error.status === 404 || error.status === 409);
