import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';
import type { Call } from './endpoint.ts';

export type Keys = { secret: string; publishable: string };

/** Compares two texts in constant time. */
export function equalInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns the key of `Authorization: Bearer KEY`. */
export function keyInHeader(authorization: string | undefined): string | null {
  const [scheme = '', key = ''] = (authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' ? key : null;
}

/**
 * Returns which key a request carries. Browsers send theirs as the parameter `key`.
 * @throws {ApiError} if the key is missing, unknown or not allowed for this endpoint
 */
export function authenticateCaller(
  keys: Keys,
  authorization: string | undefined,
  parameters: Record<string, unknown>,
  allowsPublishableKey: boolean,
): Call['caller'] {
  const formKey = parameters.key;
  const key = keyInHeader(authorization) ?? (typeof formKey === 'string' ? formKey : '');
  if (key === '') {
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using ' +
        "Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (equalInConstantTime(key, keys.secret)) return 'secret';
  if (!equalInConstantTime(key, keys.publishable)) {
    throw unauthorized(`Invalid API Key provided: ${maskKey(key)}`);
  }
  if (allowsPublishableKey) return 'publishable';
  throw unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}

const unauthorized = (message: string, code?: string) =>
  new ApiError(401, 'invalid_request_error', message, { code });

function maskKey(key: string): string {
  return key.length < 16
    ? '*'.repeat(key.length)
    : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
}
