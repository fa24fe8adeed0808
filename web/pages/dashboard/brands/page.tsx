import { useState } from 'react';
import { href, Link } from 'react-router';
import {
  changeBrand,
  listShopBrands,
  MAXIMUM_BRANDS,
  MAXIMUM_COUNTED,
  mergeBrand,
  orderBrands,
  type ShopBrand,
} from '#contract/listings/brands.ts';
import { formatCount } from '../../../formats/counts.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { WriteQuestion } from '../../../forms/write-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { isOutdated, useWrite } from '../../../requests/use-write.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { type Column, menuColumn, Table } from '../../../ui/table.tsx';
import { BrandDialog } from './brand-dialog.tsx';

/** The dialog that is open. A brand that is added is null. */
type Open = { kind: 'edit'; brand: ShopBrand | null } | { kind: 'merge' | 'hide'; brand: ShopBrand } | null;

/** The number of laptops for sale, as it is shown. */
const countOf = ({ forSale }: ShopBrand): string =>
  forSale < MAXIMUM_COUNTED ? formatCount(forSale) : `${MAXIMUM_COUNTED} or more`;

const columns: Column<ShopBrand>[] = [
  {
    heading: 'Brand',
    lead: true,
    cell: ({ category_Id: name, image, formerNames }) => (
      <span className="flex min-w-0 items-center gap-4">
        <span className="shrink-0 overflow-hidden rounded-lg bg-tint">
          <Photo
            url={image}
            alt=""
            sizes="80px"
            className="h-[52px] w-[80px] object-cover mix-blend-multiply"
          />
        </span>
        <span className="min-w-20">
          <Link
            to={href('/category/:id', { id: name })}
            className="font-semibold wrap-anywhere hover:underline"
          >
            {name}
          </Link>
          {formerNames.length > 0 && (
            <span className="block text-muted text-sm wrap-anywhere">before: {formerNames.join(', ')}</span>
          )}
        </span>
      </span>
    ),
  },
  { heading: 'For sale', figures: true, cell: countOf },
  {
    heading: 'State',
    cell: ({ hidden }) => (hidden ? <Badge>Hidden</Badge> : <Badge tone="good">Shown</Badge>),
  },
];

interface MergeDialogProps {
  brand: ShopBrand;
  brands: readonly ShopBrand[];
  onClose: () => void;
}

/** Merges a brand into another one. */
function MergeDialog({ brand: { _id, category_Id: name }, brands, onClose }: MergeDialogProps) {
  const form = useWriteForm(mergeBrand, {
    defaultValues: { into: '' },
    input: ({ into }: { into: string }) => ({ params: { _id }, body: { into } }),
    done: `${name} was merged.`,
    failureTitle: name,
    closesOn: isOutdated,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Merge ${name}`}
      description={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>
            All its laptops, sold ones included, and the saved searches for it become the other brand’s.
          </li>
          <li>Its addresses lead to the other brand.</li>
          <li>{name} and its logo are gone. This cannot be undone.</li>
        </ul>
      }
      submit="Merge"
      busy="Merging"
      variant="danger"
      onClose={onClose}
    >
      <Field
        label="Into which brand"
        error={form.errors.into === undefined ? undefined : 'Choose the brand into which it is merged'}
      >
        <Select required {...form.register('into')}>
          <option value="">Choose a brand</option>
          {brands
            .filter((brand) => brand._id !== _id && !brand.hidden)
            .map((brand) => (
              <option key={brand._id} value={brand._id}>
                {brand.category_Id}
              </option>
            ))}
        </Select>
      </Field>
    </FormDialog>
  );
}

function HideDialog({
  brand: { _id, category_Id: name },
  onClose,
}: {
  brand: ShopBrand;
  onClose: () => void;
}) {
  return (
    <WriteQuestion
      endpoint={changeBrand}
      input={{ params: { _id }, body: { name, hidden: true } }}
      done={`${name} is hidden.`}
      onClose={onClose}
      staysAfterFailure
      title={`Hide ${name}?`}
      message={
        <>
          <span className="block">
            It leaves the home page, the lists of brands and Add Product. Sellers can list no new {name}{' '}
            laptops and cannot put deleted ones up for sale again.
          </span>
          <span className="mt-2 block">
            Its laptops for sale stay: in the search, at their addresses, and for their buyers. You can show
            the brand again at any time.
          </span>
        </>
      }
      yes="Hide it"
      busy="Hiding"
      no="Cancel"
    />
  );
}

function BrandList({ brands }: { brands: readonly ShopBrand[] }) {
  const [open, setOpen] = useState<Open>(null);
  const order = useWrite(orderBrands, { scope: 'brands' });
  const change = useWrite(changeBrand);
  const close = () => setOpen(null);

  function move(brand: ShopBrand, by: -1 | 1) {
    const ids = brands.map(({ _id }) => _id);
    const at = ids.indexOf(brand._id);
    const [moved = ''] = ids.splice(at, 1);
    ids.splice(at + by, 0, moved);
    order.mutate({ body: { ids } });
  }

  const itemsOf = (brand: ShopBrand) => {
    const { category_Id: name, hidden } = brand;
    const item = (text: string, onClick: () => void) => ({ text, onClick });
    return [
      item('Edit', () => setOpen({ kind: 'edit', brand })),
      ...(brand === brands[0] ? [] : [item('Move up', () => move(brand, -1))]),
      ...(brand === brands.at(-1) ? [] : [item('Move down', () => move(brand, 1))]),
      hidden
        ? item('Show', () => change.mutate({ params: { _id: brand._id }, body: { name, hidden: false } }))
        : item('Hide', () => setOpen({ kind: 'hide', brand })),
      ...(brands.length > 1 ? [item('Merge', () => setOpen({ kind: 'merge', brand }))] : []),
    ];
  };

  return (
    <>
      <Table
        caption="Table of the brands"
        columns={[
          ...columns,
          menuColumn<ShopBrand>((brand) => <RowMenu name={brand.category_Id} items={itemsOf(brand)} />),
        ]}
        rows={brands}
        rowKey={({ _id }) => _id}
      />
      <div className="mt-6">
        <Button
          onClick={() => setOpen({ kind: 'edit', brand: null })}
          disabled={brands.length >= MAXIMUM_BRANDS}
        >
          Add a brand
        </Button>
      </div>
      {open?.kind === 'edit' && <BrandDialog brand={open.brand} onClose={close} />}
      {open?.kind === 'merge' && <MergeDialog brand={open.brand} brands={brands} onClose={close} />}
      {open?.kind === 'hide' && <HideDialog brand={open.brand} onClose={close} />}
    </>
  );
}

/** The brands of the shop: added, ordered, edited, hidden and merged by admins. */
export default function BrandsPage() {
  const brands = useRead(listShopBrands, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading title="Brands">
        In the order in which the shop shows them; the first is chosen in Add Product. Changes show at once
        everywhere, and are recorded in the audit trail. The laptops of a hidden brand stay for sale, but
        sellers can list no new ones.
      </PageHeading>
      <QueryView query={brands} what="the brands" skeleton={<Skeletons className="h-16" />}>
        {(all) => <BrandList brands={all} />}
      </QueryView>
    </>
  );
}
