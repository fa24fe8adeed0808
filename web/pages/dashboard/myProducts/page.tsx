import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { advertiseLaptop, deleteOwnLaptop, listOwnLaptops, type OwnLaptop } from '#contract/catalogue.ts';
import { linkTo } from '../../../links.ts';
import { useApi, usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toast.tsx';
import { DeleteButton } from '../delete-button.tsx';
import { Heading } from '../heading.tsx';
import { laptopColumns } from '../laptop-cells.tsx';
import { ListTable } from '../list-table.tsx';
import { dashboardMeta } from '../meta.ts';
import { useList } from '../use-list.ts';

export const meta = () => dashboardMeta('My Products');

const tones = { Available: 'warm', Sold: 'good', 'Taken down': 'bad' } as const;

function Advertising({
  laptop,
  onAdvertised,
}: {
  laptop: OwnLaptop;
  onAdvertised: (name: string) => Promise<void>;
}) {
  const api = useApi();
  const advertise = useMutation({
    mutationFn: () => api.call(advertiseLaptop, { params: { _id: laptop._id } }),
    onSuccess: () => onAdvertised(laptop.name),
    onError: (error) => toast.error(error.message),
  });
  if (laptop.state === 'Available' && laptop.advertisement) return <Badge tone="trust">On Advertise</Badge>;
  if (!laptop.actions.includes('advertise')) return null;
  return (
    <Button
      look="secondary"
      size="small"
      aria-label={`Advertise ${laptop.name}`}
      busy={advertise.isPending && 'Advertising'}
      onClick={() => advertise.mutate()}
    >
      Advertise
    </Button>
  );
}

export default function MyProducts() {
  const api = useApi();
  const cache = useQueryClient();
  const { email } = usePerson();
  const [advertised, setAdvertised] = useState<string | null>(null);
  const products = useList(['myProducts'], (wanted, signal) =>
    api.page(listOwnLaptops, { query: { ...wanted, email }, signal }),
  );
  const refresh = () => cache.invalidateQueries({ queryKey: ['myProducts'] });

  const columns: Column<OwnLaptop>[] = [
    ...laptopColumns<OwnLaptop>((laptop) => ({
      image: laptop.image,
      name: laptop.name,
      price: laptop.resale_price,
    })),
    { heading: 'State', cell: (laptop) => <Badge tone={tones[laptop.state]}>{laptop.state}</Badge> },
    {
      heading: 'Advertisement',
      cell: (laptop) => (
        <Advertising
          laptop={laptop}
          onAdvertised={async (name) => {
            setAdvertised(name);
            await refresh();
          }}
        />
      ),
    },
    {
      heading: 'Delete',
      hiddenHeading: true,
      cell: (laptop) =>
        laptop.actions.includes('delete') && (
          <DeleteButton
            name={laptop.name}
            consequence="Unpaid bookings of it are cancelled."
            remove={() => api.call(deleteOwnLaptop, { params: { _id: laptop._id } })}
            refresh={refresh}
          />
        ),
    },
  ];

  return (
    <>
      <Heading title="My Products" action={<LinkButton to={linkTo('addProduct')}>Add Product</LinkButton>}>
        Your laptops, sold and unsold.
      </Heading>
      <ListTable
        list={products}
        what="your products"
        columns={columns}
        empty={
          <EmptyState
            title="Nothing listed yet"
            action={<LinkButton to={linkTo('addProduct')}>Add your first laptop</LinkButton>}
          >
            A laptop needs a name, a photo, two prices and a description. It stands in the shop as soon as you
            have added it.
          </EmptyState>
        }
      />
      <AlertDialog
        open={advertised !== null}
        onClose={() => setAdvertised(null)}
        title="Advertisement Successful!"
        message={`The advertisement of ${advertised ?? ''} will show in Homepage`}
      />
    </>
  );
}
