import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { createClient } from '#contract/platform/client.ts';
import { currencyOf } from '#contract/platform/currencies.ts';
import { setDeadlines } from '#contract/platform/deadlines.ts';
import { setCurrency } from '#contract/platform/money.ts';
import { DeferredBootstrapProvider, deferredBootstrap } from './deferred-hydration.tsx';
import { type ServerContext, serverContext } from './server-context.ts';
import { NonceProvider } from './ui/nonce.tsx';

export { toPublicPath } from './pages/public-path.ts';

/** Milliseconds until a request for data fails. */
export const streamTimeout = 5_000;

/** What the server passes with each page request. */
export interface RequestContext
  extends Pick<ServerContext, 'nonce' | 'origin' | 'shop' | 'report' | 'isBuffered'> {
  callApi: (url: string, init: RequestInit) => Promise<Response>;
}

/** Creates the handler of page requests. It is called through the build, so that there is one copy of React Router. */
export function createPageHandler(build: ServerBuild, mode: 'production' | 'development') {
  const handle = createRequestHandler(build, mode);
  return (request: Request, { callApi, ...rest }: RequestContext): Promise<Response> => {
    setCurrency(currencyOf(rest.shop.currency));
    setDeadlines(rest.shop.deadlines);
    const client = createClient({ base: '/api', fetch: callApi, token: () => null, timeout: streamTimeout });
    const context = new RouterContextProvider();
    context.set(serverContext, { client, ...rest });
    return handle(request, context);
  };
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // The router's own answer to a request that no route has, which is nobody's failure.
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!request.signal.aborted && !isNotFound) context.get(serverContext).report(error);
};

export default function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> | Response {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { nonce, report, isBuffered } = context.get(serverContext);
  const userAgent = request.headers.get('user-agent');
  const start = deferredBootstrap(routerContext);
  // Makes React Router stream its loader data, as <Scripts> does (deferred-hydration.test.tsx).
  if (start !== '' && routerContext.renderMeta) routerContext.renderMeta.didRenderScripts = true;

  return new Promise((resolve, reject) => {
    let isShellReady = false;
    const errorsOfSections: unknown[] = [];
    // A crawler does not run the scripts that insert streamed content.
    const isComplete = isBuffered || (userAgent !== null && isbot(userAgent));
    const send = () => {
      const body = new PassThrough({
        final: (done) => {
          clearTimeout(limit);
          done();
        },
      });
      pipe(body);
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
    };
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <DeferredBootstrapProvider value={start}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </DeferredBootstrapProvider>
      </NonceProvider>,
      {
        nonce,
        onShellReady: () => {
          isShellReady = true;
          for (const error of errorsOfSections) report(error);
          if (!isComplete) send();
        },
        onAllReady: () => {
          if (isComplete) send();
        },
        onShellError: (error: unknown) => {
          clearTimeout(limit);
          reject(error);
        },
        onError: (error: unknown) => {
          if (request.signal.aborted) return;
          // The caller reports an error of the shell itself, and React calls this first.
          if (isShellReady) report(error);
          else errorsOfSections.push(error);
        },
      },
    );
    const limit = setTimeout(abort, streamTimeout + 1_000);
  });
}
