/** Resolves with the result of `work`, or rejects with `failure()` after the given milliseconds. */
export function withTimeout<Result>(
  milliseconds: number,
  work: Promise<Result>,
  failure: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure()), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
