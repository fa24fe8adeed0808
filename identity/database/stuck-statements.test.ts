import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { identityPlugin } from '../plugin.ts';
import { PASSWORD, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

it('cancels a slow statement, but not a slow migration', async () => {
  const provider = await startProvider();
  const app = Fastify();
  try {
    await provider.sql(`
      create table limits (during text, statement text, idle text);
      create function note_limits() returns trigger language plpgsql as $$ begin
        insert into identity.limits values ('sign-up', current_setting('statement_timeout'),
          current_setting('idle_in_transaction_session_timeout'));
        return null;
      end $$;
      create trigger noting after insert on "user" execute function note_limits();
      create function note_change() returns event_trigger language plpgsql as $$ begin
        insert into identity.limits values ('change', current_setting('statement_timeout'), '0');
      end $$;
      create event trigger noting_changes on ddl_command_end execute function note_change()`);
    await provider.call('POST', '/sign-up/email', {
      body: { email: 'ann@mail.example', password: PASSWORD },
    });
    await app.register(
      identityPlugin({
        databaseUrl: provider.databaseUrl,
        origin: provider.origin,
        trustedOrigins: [],
        secret: 'a secret for tests that is long enough',
        serviceSecret: SERVICE_SECRET,
      }),
    );
    expect(await provider.sql('select distinct * from limits order by during')).toEqual([
      { during: 'change', statement: '0', idle: '0' },
      { during: 'sign-up', statement: '15s', idle: '15s' },
    ]);
  } finally {
    await app.close();
    await provider.stop();
  }
});
