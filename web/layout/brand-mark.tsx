import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import { useShop } from '../session/session.tsx';

/** An open laptop, the mark of a shop without an icon. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-7 shrink-0 sm:size-8" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--primary)" />
      <path
        d="M8 8h16v11H8zM4.5 23.5h23"
        fill="none"
        stroke="var(--on-primary)"
        strokeWidth="2.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The shop's logo, or its icon and its name set in the display face. */
export function BrandMark() {
  const { name, logo, icon } = useShop();
  if (logo !== null) {
    return (
      <img
        src={shopPicturePath(logo)}
        width={logo.width}
        height={logo.height}
        alt={name}
        className="h-8 w-auto max-w-[min(10rem,40vw)] object-contain object-left sm:h-9 sm:max-w-52"
      />
    );
  }
  return (
    <span className="inline-flex items-center gap-2 font-display font-extrabold text-foreground text-xl tracking-tight sm:gap-2.5 sm:text-2xl">
      {icon === null ? (
        <Mark />
      ) : (
        <img
          src={shopPicturePath(icon)}
          width={32}
          height={32}
          alt=""
          className="size-7 rounded-lg sm:size-8"
        />
      )}
      {name}
    </span>
  );
}
