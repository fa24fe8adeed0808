import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';

interface DefinitionChipProps {
  definitionId: string;
  className: string;
  children: ReactNode;
}

/** A chip that opens its definition ({@link Definitions}). Works without scripts, and above a link that covers its card. */
export function DefinitionChip({ definitionId, className, children }: DefinitionChipProps) {
  return (
    <button
      type="button"
      popoverTarget={definitionId}
      className={`relative z-1 inline-flex min-h-7 items-center gap-1 rounded-full py-0.5 pr-2 pl-3 text-left font-semibold text-sm hover:brightness-95 ${className}`}
    >
      {children}
      <Icon name="chevronDown" className="size-4 text-muted" />
    </button>
  );
}

/** The definitions that the chips of a page open; once on each page with chips. @param props.html from its loader */
export function Definitions({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes all values
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
