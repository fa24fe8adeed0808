import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendProblem } from './problems.ts';
import { Refusal } from './refusal.ts';

/** Timeouts since the close began, in milliseconds. */
interface CloseTimeouts {
  /** When calls to other services are aborted. */
  services: number;
  /** When open requests are answered 503. */
  answers: number;
  /** When all connections are closed: one whose request body never ends is never idle. */
  connections: number;
}

/**
 * Limits how long closing the app waits for open requests and connections. Register it before any route.
 * @returns a signal that aborts calls to other services, early enough for their requests to be answered
 */
export function enforceCloseTimeouts(
  app: FastifyInstance,
  limits: CloseTimeouts = { services: 2_000, answers: 4_000, connections: 5_000 },
): AbortSignal {
  const services = new AbortController();
  const open = new Set<FastifyReply>();
  const timers: NodeJS.Timeout[] = [];

  app.addHook('onRequest', (_request, reply, done) => {
    open.add(reply);
    done();
  });
  // Not when the response has ended: a stream whose client goes away has no end.
  app.addHook('onSend', (_request, reply, _payload, done) => {
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
            'The shop is restarting and could not finish this in time. Please check whether it was done before you try again.',
          ),
        );
      }
    };
    timers.push(
      setTimeout(() => services.abort(), limits.services),
      setTimeout(refuse, limits.answers),
      setTimeout(() => app.server.closeAllConnections(), limits.connections),
      // A connection that becomes idle after the close began would otherwise stay open until its keep-alive ends.
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
