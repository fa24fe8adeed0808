import { createContext, use, useState } from 'react';

/** HTML by the name of its place; filled by loaders, on the server alone. */
const InDocument = createContext<ReadonlyMap<string, string>>(new Map());

export const InDocumentProvider = InDocument.Provider;

interface WrittenOnceProps {
  /** The id of the element, and the name under which a loader has left its HTML with the document. */
  id: string;
  /** The HTML as the loader's data; null when the document has brought it. */
  html: string | null;
  className?: string;
}

/** HTML that comes with the document, and not a second time as the data of the page. It must be the shop's own. */
export function WrittenOnce({ id, html, className }: WrittenOnceProps) {
  const written = use(InDocument).get(id);
  const [kept] = useState(
    () => written ?? (typeof document === 'undefined' ? '' : (document.getElementById(id)?.innerHTML ?? '')),
  );
  return (
    <div
      id={id}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: what the server itself has written
      dangerouslySetInnerHTML={{ __html: html ?? kept }}
    />
  );
}
