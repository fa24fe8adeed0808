/** Error codes of sockets and of PostgreSQL which mean that the database is unreachable or out of resources. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P04', // database_dropped
  '25006', // read_only_sql_transaction: a failover has made this server a standby
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01', // protocol_violation: PgBouncer has lost the server, or has no connection to give
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '58030', // io_error
]);

const unavailableMessages =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether an error means that the database is unavailable, as opposed to an error in a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // ENOENT is a missing Unix socket of PostgreSQL, unless the error has the path of a file.
  return (
    (code !== null && unavailableCodes.has(code) && !('path' in error && code === 'ENOENT')) ||
    unavailableMessages.test(error.message)
  );
}

/** Whether an error says that a pooler such as PgBouncer refuses the settings of a connection. */
export const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter');
