import { createContext, use, useState } from 'react';
import { type EntryContext, Scripts, useMatches } from 'react-router';
import { useNonce } from './ui/nonce.tsx';

/**
 * The `handle` of a page that is there to be read: its scripts are fetched once its first paint is done, so that
 * words, fonts and the first photo have the line, and the processor, to themselves. Links work meanwhile.
 */
export const readFirst = { readFirst: true } as const;

/** What starts the application on such a page; made on the server, nothing in browsers. */
const LateStart = createContext('');

export const LateStartProvider = LateStart.Provider;

/** Where the application's scripts are, for {@link lateStart}. */
interface Start {
  manifest: string;
  entry: string;
  routes: readonly { id: string; module: string }[];
  /** What those import, so that nothing is found late. */
  imports: readonly string[];
}

/** Milliseconds after which neither the first paint nor the first photo is waited for any longer. */
const PAINT_LIMIT = 3_000;

/**
 * The inline script that does what `<Scripts>` does, once the browser says that words have been painted, and the first
 * photo, which is asked for with high priority, is there too. A page in a background tab is painted only when somebody looks, so there it does not wait.
 */
const code = ({ manifest, entry, routes, imports }: Start) => `(()=>{
let begun=false;
const start=async()=>{
if(begun)return;begun=true;
for(const href of ${JSON.stringify([...new Set([entry, ...routes.map(({ module }) => module), ...imports])])}){
const link=document.createElement('link');
link.rel='modulepreload';link.href=href;link.fetchPriority='low';document.head.append(link)}
await import(${JSON.stringify(manifest)});
window.__reactRouterRouteModules={${routes.map(({ id, module }) => `${JSON.stringify(id)}:await import(${JSON.stringify(module)})`).join(',')}};
await import(${JSON.stringify(entry)})};
if(document.hidden||!PerformanceObserver.supportedEntryTypes?.includes('paint'))start();
else{
new PerformanceObserver((list,observer)=>{
if(list.getEntriesByName('first-contentful-paint').length===0)return;
observer.disconnect();
const photo=document.querySelector('img[fetchpriority=high]');
photo?photo.decode().then(start,start):start();
}).observe({type:'paint',buffered:true});
setTimeout(start,${PAINT_LIMIT})}})()`;

/** The script for a page of the server's; empty for pages whose scripts are fetched at once. */
export function lateStart({
  manifest,
  routeModules,
  serverHandoffString,
  staticHandlerContext,
}: EntryContext): string {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  if (!ids.some((id) => routeModules[id]?.handle === readFirst)) return '';
  const routes = ids.flatMap((id) => manifest.routes[id] ?? []);
  const handoff = `window.__reactRouterContext=${serverHandoffString};
window.__reactRouterContext.stream=new ReadableStream({start(controller){window.__reactRouterContext.streamController=controller}}).pipeThrough(new TextEncoderStream());`;
  const start = code({
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes,
    imports: [...manifest.entry.imports, ...routes.flatMap(({ imports }) => imports ?? [])],
  });
  return handoff + start;
}

/** The application's scripts: at once, or on a page with {@link readFirst} after its first paint. */
export function PageScripts() {
  const matches = useMatches();
  // As the document came: going to another page of it fetches what that page needs by itself.
  const [late] = useState(() => import.meta.env.PROD && matches.some(({ handle }) => handle === readFirst));
  const nonce = useNonce();
  const start = use(LateStart);
  if (!late) return <Scripts />;
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made of the build's own file names
      dangerouslySetInnerHTML={{ __html: start }}
    />
  );
}
