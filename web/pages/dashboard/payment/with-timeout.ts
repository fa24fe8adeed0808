/** Thrown when something took longer than it may. */
export class TimeIsUp extends Error {
  constructor() {
    super('This took too long.');
    this.name = 'TimeIsUp';
  }
}

/** The same promise, given up after `limit` milliseconds. @throws TimeIsUp */
export async function within<Answer>(limit: number, work: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeIsUp()), limit);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
