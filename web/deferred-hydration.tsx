import { createContext, use, useState } from 'react';
import { type EntryContext, Scripts, ScrollRestoration, useMatches } from 'react-router';
import { useNonce } from './ui/nonce.tsx';

/**
 * The `handle` of a page whose scripts are fetched after its first paint, so that they do not compete with HTML, fonts
 * and the first photo for bandwidth and CPU. Links work without scripts.
 */
export const deferHydration = { deferHydration: true } as const;

/** The inline script that starts hydration. It is built on the server; in browsers the context is empty. */
const DeferredBootstrap = createContext('');

export const DeferredBootstrapProvider = DeferredBootstrap.Provider;

/** The `handle` of a document that works without scripts: none are sent with it. */
export const withoutScripts = { withoutScripts: true } as const;

type EntryRoute = NonNullable<EntryContext['manifest']['routes'][string]>;

/** Milliseconds after which hydration starts without the first paint or the first photo. */
const PAINT_TIMEOUT = 3_000;

/**
 * Builds the script that does what React Router's `<Scripts>` does, but after the first contentful paint and after the
 * first high-priority photo is decoded. A hidden tab is not painted, so there it starts at once.
 */
function bootstrapScript({ url, entry }: EntryContext['manifest'], routes: readonly EntryRoute[]): string {
  // Preloaded together with their imports, which avoids a request chain.
  const parts = [entry, ...routes];
  const modules = [...parts.map(({ module }) => module), ...parts.flatMap(({ imports }) => imports ?? [])];
  return `(()=>{
let started=false;
const start=async()=>{
if(started)return;started=true;
for(const href of ${JSON.stringify([...new Set(modules)])}){
const link=document.createElement('link');
link.rel='modulepreload';link.href=href;link.fetchPriority='low';document.head.append(link)}
await import(${JSON.stringify(url)});
window.__reactRouterRouteModules={${routes.map(({ id, module }) => `${JSON.stringify(id)}:await import(${JSON.stringify(module)})`).join(',')}};
await import(${JSON.stringify(entry.module)})};
if(document.hidden||!PerformanceObserver.supportedEntryTypes?.includes('paint'))start();
else{
new PerformanceObserver((list,observer)=>{
if(list.getEntriesByName('first-contentful-paint').length===0)return;
observer.disconnect();
const photo=document.querySelector('img[fetchpriority=high]');
photo?photo.decode().then(start,start):start();
}).observe({type:'paint',buffered:true});
setTimeout(start,${PAINT_TIMEOUT})}})()`;
}

/**
 * Builds the inline script of a page with {@link deferHydration}. It repeats what `<Scripts>` renders, which
 * `deferred-hydration.test.tsx` compares with React Router's own output.
 * @returns an empty string for other pages
 */
export function deferredBootstrap(context: EntryContext): string {
  const { manifest, routeModules, serverHandoffString, staticHandlerContext } = context;
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  if (!ids.some((id) => routeModules[id]?.handle === deferHydration)) return '';
  const routes = ids.flatMap((id) => manifest.routes[id] ?? []);
  const handoff = `window.__reactRouterContext = ${serverHandoffString};window.__reactRouterContext.stream = new ReadableStream({start(controller){window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());`;
  return handoff + bootstrapScript(manifest, routes);
}

/**
 * The scripts of the application: React Router's `<Scripts>`, or the bootstrap script of {@link deferHydration}. None for a
 * page {@link withoutScripts}.
 */
export function PageScripts() {
  const matches = useMatches();
  // Decided for the document: a later navigation fetches its modules through React Router.
  const [isDeferred] = useState(
    () => import.meta.env.PROD && matches.some(({ handle }) => handle === deferHydration),
  );
  const [isStatic] = useState(() => matches.some(({ handle }) => handle === withoutScripts));
  const nonce = useNonce();
  const script = use(DeferredBootstrap);
  if (isStatic) return null;
  return (
    <>
      <ScrollRestoration />
      {isDeferred ? (
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: built from the file names of the build
          dangerouslySetInnerHTML={{ __html: script }}
        />
      ) : (
        <Scripts />
      )}
    </>
  );
}
