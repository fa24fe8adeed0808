import { type Kysely, sql } from 'kysely';

/** Notifies every process of ended sessions and accounts, whose streams of changes it closes. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create function tell_session_ended() returns trigger language plpgsql as $function$
    begin
      perform pg_notify('live', json_build_object('endedSession', new.id)::text);
      return null;
    end
    $function$;
    create trigger tell_session_ended after insert on ended_sessions
      for each row execute function tell_session_ended();

    create function tell_account_ended() returns trigger language plpgsql as $function$
    begin
      perform pg_notify('live', json_build_object('endedAccount', new.id)::text);
      return null;
    end
    $function$;
    create trigger tell_account_ended after update of ended_at on users
      for each row when (old.ended_at is null and new.ended_at is not null)
      execute function tell_account_ended();
  `.execute(database);
}
