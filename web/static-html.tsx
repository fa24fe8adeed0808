import { createContext, use, useState } from 'react';

/** HTML by element id. Loaders fill it on the server; in browsers it is empty. */
const StaticHtmlContext = createContext<ReadonlyMap<string, string>>(new Map());

export const StaticHtmlProvider = StaticHtmlContext.Provider;

interface StaticHtmlProps {
  /** The id of the element, and the key under which the loader stored its HTML. */
  id: string;
  /** The HTML from the loader data; null when the document contains it. */
  html: string | null;
  className?: string;
}

/**
 * Renders HTML that is sent once: in the document, and not again in its loader data. During hydration it is read back
 * from the DOM. The HTML must be trusted.
 */
export function StaticHtml({ id, html, className }: StaticHtmlProps) {
  const onServer = use(StaticHtmlContext).get(id);
  const [fromDocument] = useState(
    () => onServer ?? (typeof document === 'undefined' ? '' : (document.getElementById(id)?.innerHTML ?? '')),
  );
  return (
    <div
      id={id}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server itself
      dangerouslySetInnerHTML={{ __html: html ?? fromDocument }}
    />
  );
}
