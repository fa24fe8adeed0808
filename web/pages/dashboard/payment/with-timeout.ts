/** The error of {@link withTimeout}. */
export class TimeoutError extends Error {
  constructor() {
    super('This took too long.');
    this.name = 'TimeoutError';
  }
}

/** Rejects when a promise takes longer than `limit` milliseconds. @throws TimeoutError */
export async function withTimeout<Answer>(limit: number, work: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), limit);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
