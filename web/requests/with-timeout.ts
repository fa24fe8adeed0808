/** Resolves with the result of `work`, or rejects after the given milliseconds. */
export function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('This took too long.')), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
