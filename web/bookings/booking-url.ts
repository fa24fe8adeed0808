import { href } from 'react-router';

/** The URL of a brand's page that opens the booking dialog of one laptop. */
export function bookingUrl(laptop: { category_Id: string; _id: string }): string {
  return `${href('/category/:id', { id: laptop.category_Id })}?book=${encodeURIComponent(laptop._id)}`;
}
