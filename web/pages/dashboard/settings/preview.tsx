import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import { type ShopPicture, type ShopSettings, themeOf } from '#contract/platform/shop-settings.ts';
import { toVariables } from '#contract/platform/theme.ts';

interface PreviewProps {
  name: string;
  tagline: string;
  logo: ShopPicture | null;
  icon: ShopPicture | null;
  colors: ShopSettings['colors'];
}

/** A piece of the shop in one theme. Nothing in it can be used. */
function Piece({ mode, name, tagline, logo, icon, colors }: PreviewProps & { mode: 'light' | 'dark' }) {
  return (
    <figure className="min-w-0">
      <div
        style={{ colorScheme: mode, ...toVariables(themeOf({ colors })) }}
        className="overflow-hidden rounded-xl border border-border bg-background text-foreground"
      >
        <p className="flex items-center gap-2 border-border border-b px-[min(1rem,4vw)] py-3 font-display font-extrabold text-[min(1.125rem,7vw)] tracking-tight">
          {logo !== null ? (
            <img
              src={shopPicturePath(logo)}
              width={logo.width}
              height={logo.height}
              alt=""
              className="h-8 w-auto max-w-full object-contain"
            />
          ) : (
            <>
              {icon !== null && (
                <img src={shopPicturePath(icon)} width={28} height={28} alt="" className="rounded-lg" />
              )}
              <span className="wrap-anywhere">{name}</span>
            </>
          )}
        </p>
        <div className="flex flex-col items-start gap-3 bg-background p-4">
          <p className="text-muted">{tagline}</p>
          <div className="w-full rounded-lg border border-border bg-surface p-3">
            <p className="font-semibold">A laptop</p>
            <p className="text-muted text-sm">16 GB memory, 512 GB storage</p>
            <p className="text-link underline underline-offset-4">See the seller</p>
          </div>
          <p className="rounded-lg bg-accent-soft px-3 py-1.5 font-semibold text-accent">Verified seller</p>
          <p className="rounded-lg bg-primary px-4 py-2.5 font-semibold text-on-primary">Book now</p>
        </div>
      </div>
      <figcaption className="mt-1.5 text-muted text-sm">
        {mode === 'light' ? 'Light' : 'Dark'} theme
      </figcaption>
    </figure>
  );
}

/** Shows name, pictures and colours in both themes while they are chosen. */
export function Preview(props: PreviewProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Piece mode="light" {...props} />
      <Piece mode="dark" {...props} />
    </div>
  );
}
