import { hash } from 'node:crypto';

/** A document without a nonce, and the sources that allow its inline scripts. */
export interface HashedDocument {
  html: string;
  /** CSP sources such as `'sha256-…'`. */
  sources: string[];
}

const END = '</script>';

/**
 * Replaces the nonce of a document by the hashes of its inline scripts, so that every visitor can get the same bytes. Only
 * scripts that bear the nonce are hashed: a script that was injected into the document cannot know it, and stays forbidden.
 * @param nonce as the document was rendered with; it must be new
 */
export function hashScripts(html: string, nonce: string): HashedDocument {
  const attribute = ` nonce="${nonce}"`;
  const sources = new Set<string>();
  const parts: string[] = [];
  let copied = 0;
  for (let at = html.indexOf(attribute); at >= 0; at = html.indexOf(attribute, copied)) {
    const tagStart = html.lastIndexOf('<', at);
    const tagEnd = html.indexOf('>', at) + 1;
    const isInline = html.startsWith('<script', tagStart) && !/\ssrc=/.test(html.slice(tagStart, tagEnd));
    if (isInline) {
      const text = html.slice(tagEnd, html.indexOf(END, tagEnd));
      sources.add(`'sha256-${hash('sha256', text, 'base64')}'`);
    }
    parts.push(html.slice(copied, at));
    copied = at + attribute.length;
  }
  return { html: parts.join('') + html.slice(copied), sources: [...sources] };
}
