import { Icon } from './icon.tsx';
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
        className="size-[36px] rounded-full bg-subtle object-cover"
      />
    );
  }
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className="grid size-[36px] place-items-center rounded-full bg-accent-soft text-link"
    >
      <Icon name="person" />
    </span>
  );
}
