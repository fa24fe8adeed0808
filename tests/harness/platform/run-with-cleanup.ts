/**
 * Runs a command's work, disposes its resources, and exits the process: with code 0, with 1 after an error or a timeout,
 * and with 130 or 143 after SIGINT or SIGTERM.
 * @param options.name names the work in the message of a timeout, such as 'The bench'
 */
export async function runWithCleanup(
  options: { timeoutMs: number; name: string },
  work: (cleanup: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  const cleanup = new AsyncDisposableStack();
  let isStopping = false;
  const stop = (code: number, reason?: unknown) => {
    if (isStopping) return;
    isStopping = true;
    if (reason !== undefined) console.error(reason);
    cleanup.disposeAsync().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop(130));
  process.on('SIGTERM', () => stop(143));
  setTimeout(() => stop(1, `${options.name} took too long.`), options.timeoutMs).unref();
  try {
    await work(cleanup);
    stop(0);
  } catch (error) {
    stop(1, error);
  }
}
