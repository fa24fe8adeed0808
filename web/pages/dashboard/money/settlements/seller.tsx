import { EmailAddress } from '../../../../formats/email-address.tsx';

/** The column with a seller's name and email address. */
export const sellerColumn = {
  heading: 'Seller',
  lead: true,
  cell: ({ sellerName, sellerEmail }: { sellerName: string; sellerEmail: string }) => (
    <span className="block min-w-36 wrap-anywhere">
      <span className="font-semibold">{sellerName}</span>{' '}
      <span className="block text-muted text-sm">
        <EmailAddress>{sellerEmail}</EmailAddress>
      </span>
    </span>
  ),
};
