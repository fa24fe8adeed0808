/** The message of a failed request. Problems and errors of the identity provider carry a sentence for people. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}
