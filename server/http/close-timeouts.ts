import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendProblem } from './problems.ts';
import { Refusal } from './refusal.ts';

/** Milliseconds since the close began. */
interface ClosingLimits {
  /** How long calls of other services under way may still take. */
  services: number;
  /** How long a request under way may take to be answered. */
  answers: number;
}

/**
 * Bounds how long closing the app waits for requests under way and for idle connections. Register it before any route.
 * @returns a signal that is aborted when calls of other services should be given up, early enough for whoever waits
 * for one to be told so; a request that is still open after that is answered 503
 */
export function enforceCloseTimeouts(
  app: FastifyInstance,
  limits: ClosingLimits = { services: 2_000, answers: 4_000 },
): AbortSignal {
  const services = new AbortController();
  const open = new Set<FastifyReply>();
  const timers: NodeJS.Timeout[] = [];

  app.addHook('onRequest', (_request, reply, done) => {
    open.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    open.delete(reply);
    done();
  });
  app.addHook('preClose', (done) => {
    const refuse = () => {
      for (const reply of open) {
        if (reply.sent) continue;
        sendProblem(
          reply,
          new Refusal(
            'not_ready',
            'The shop restarts and could not finish this in time. Please look whether it was done before you try again.',
          ),
        );
      }
    };
    timers.push(
      setTimeout(() => services.abort(), limits.services),
      setTimeout(refuse, limits.answers),
      // A connection that falls idle only after the close began would be held open until its keep-alive ends.
      setInterval(() => app.server.closeIdleConnections(), 50),
    );
    done();
  });
  app.addHook('onClose', (_app, done) => {
    for (const timer of timers) clearInterval(timer);
    services.abort();
    done();
  });
  return services.signal;
}
