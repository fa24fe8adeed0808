import { mergeBrand, type ShopBrand } from '#contract/listings/brands.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { isOutdated } from '../../../requests/use-write.ts';
import { Field, Select } from '../../../ui/field.tsx';

interface MergeDialogProps {
  brand: ShopBrand;
  open: boolean;
  brands: readonly ShopBrand[];
  onClose: () => void;
}

/** Merges a brand into another one. */
export function MergeDialog({ brand: { _id, category_Id: name }, open, brands, onClose }: MergeDialogProps) {
  const close = () => {
    form.reset();
    onClose();
  };
  const form = useWriteForm(mergeBrand, {
    defaultValues: { into: '' },
    input: ({ into }: { into: string }) => ({ params: { _id }, body: { into } }),
    done: `${name} was merged.`,
    failed: name,
    closesOn: isOutdated,
    onClose: close,
  });
  return (
    <FormDialog
      form={form}
      open={open}
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
      onClose={close}
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
