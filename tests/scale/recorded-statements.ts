import pg from 'pg';
import * as z from 'zod/mini';

/** The parts of a plan node of `EXPLAIN (ANALYZE, FORMAT JSON)` from which rows are counted. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Actual Rows'?: number | undefined;
  'Actual Loops'?: number | undefined;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  Plans?: Node[] | undefined;
}
const Count = z.optional(z.number());
const Node: z.ZodMiniType<Node> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.optional(z.string()),
    'Actual Rows': Count,
    'Actual Loops': Count,
    'Rows Removed by Filter': Count,
    'Rows Removed by Index Recheck': Count,
    Plans: z.optional(z.array(Node)),
  }),
);
const Explained = z.object({ 'Query Text': z.string(), Plan: Node });

/** An executed statement. */
export interface Statement {
  /** The call during which it was executed. */
  during: string;
  text: string;
  /** Rows read by its table scans. */
  read: number;
  /** Rows returned or written. */
  answered: number;
  plan: string;
}

/** Sums a value over a node and its descendants. */
function sumOverTree(node: Node, readValue: (node: Node) => number): number {
  return (node.Plans ?? []).reduce((sum, below) => sum + sumOverTree(below, readValue), readValue(node));
}

const rowsOf = (node: Node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1);

function readBy(node: Node): number {
  if (node['Relation Name'] === undefined || node['Node Type'] === 'ModifyTable') return 0;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return rowsOf(node) + removed * (node['Actual Loops'] ?? 1);
}

const writtenBy = (node: Node) =>
  node['Node Type'] === 'ModifyTable' ? (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0) : 0;

/** Makes PostgreSQL send the plan of every statement as a notice, including statements of triggers and foreign keys. */
export async function enableAutoExplain(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_parameter_max_length': '0',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} set ${name} = '${value}'`);
  }
  await client.end();
}

/** Sets the plan cache mode of new connections. */
export async function setPlanCacheMode(databaseUrl: string, mode: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `alter database ${new URL(databaseUrl).pathname.slice(1)} set plan_cache_mode = '${mode}'`,
  );
  await client.end();
}

/** Records every statement that a pool's connections execute. @param during returns the name of the current call */
export function recordStatements(pool: pg.Pool, during: () => string): Statement[] {
  const statements: Statement[] = [];
  const observed = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (observed.has(client)) return;
    observed.add(client);
    client.on('notice', ({ message }) => {
      const json = /^duration: .*? plan:\n(.*)$/s.exec(message ?? '')?.[1];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = Explained.parse(JSON.parse(json));
      statements.push({
        during: during(),
        text,
        read: sumOverTree(plan, readBy),
        answered: Math.max(rowsOf(plan), sumOverTree(plan, writtenBy)),
        plan: json,
      });
    });
  });
  return statements;
}
