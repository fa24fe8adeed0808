/** A link that searches for a place on OpenStreetMap. The place is sent only when the link is followed. */
export function MapLink({ place }: { place: string }) {
  return (
    <a
      href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Show on a map: ${place}, in a new tab`}
      className="inline-flex min-h-6 items-center text-aubergine text-sm underline underline-offset-4"
    >
      Show on a map
    </a>
  );
}
