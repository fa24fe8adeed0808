/** The shop's name set in its display face, with an open laptop for its mark. */
export function BrandMark() {
  return (
    <span className="inline-flex items-center gap-2 font-display font-extrabold text-xl text-foreground tracking-tight sm:gap-2.5 sm:text-2xl">
      <svg viewBox="0 0 32 32" className="size-7 sm:size-8" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--primary)" />
        <path
          d="M8 8h16v11H8z"
          fill="none"
          stroke="var(--on-primary)"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
        <path d="M4.5 23.5h23" stroke="var(--on-primary)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      Coomercio
    </span>
  );
}
