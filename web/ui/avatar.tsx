/** A user's picture, or a generic icon. @param props.name the accessible name */
export function Avatar({ name, photoUrl }: { name: string; photoUrl: string | null }) {
  if (photoUrl !== null) {
    return (
      <img
        src={photoUrl}
        alt={name}
        width={36}
        height={36}
        referrerPolicy="no-referrer"
        className="size-[36px] rounded-full bg-sunken object-cover"
      />
    );
  }
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className="grid size-[36px] place-items-center rounded-full bg-aubergine-soft text-aubergine"
    >
      <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
        <circle cx="12" cy="8.5" r="4" fill="none" stroke="currentColor" strokeWidth="1.75" />
        <path d="M4.5 20a7.5 7.5 0 0 1 15 0" fill="none" stroke="currentColor" strokeWidth="1.75" />
      </svg>
    </span>
  );
}
