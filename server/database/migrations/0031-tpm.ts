import { type Kysely, sql } from 'kysely';

/** Measurements say whether the laptop's TPM signed their code. That of earlier ones is unknown. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    update measurements set machine = machine || '{"tpm": "unknown"}' where not machine ? 'tpm';
    update laptop_drafts set machine = machine || '{"tpm": "unknown"}' where not machine ? 'tpm';
  `.execute(database);
}
