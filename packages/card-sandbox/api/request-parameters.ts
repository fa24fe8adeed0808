import { z } from 'zod';
import { ApiError, invalidParameter } from './api-error.ts';
import { parseForm } from './form-encoding.ts';

/**
 * Parses the parameters of a request: in version 2 of the API, bodies are JSON; all others are form-encoded.
 * @throws {ApiError} if they cannot be parsed
 */
export function parseParameters(method: string, path: string, encoded: string): Record<string, unknown> {
  if (method === 'POST' && path.startsWith('/v2/')) return parseJson(encoded);
  try {
    return parseForm(encoded);
  } catch (error) {
    if (error instanceof RangeError) throw invalidParameter('', error.message);
    throw error;
  }
}

function parseJson(body: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(body === '' ? {} : JSON.parse(body));
  } catch {
    throw new ApiError(400, 'invalid_request_error', 'The body is not a JSON object.', {
      code: 'invalid_fields',
    });
  }
}
