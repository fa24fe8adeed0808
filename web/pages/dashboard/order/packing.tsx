import type { Order } from '#contract/sales/orders.ts';
import { addPackingPhotos, MAXIMUM_PACKING_PHOTOS } from '#contract/sales/shipping.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { RequestForm, useRequestForm } from '../../../forms/request-form.tsx';
import { AttachedPhotos } from '../../../laptop-form/attached-photos.tsx';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';

/** The seller's form for photos of the laptop before a carrier has it. */
function AddPhotos({ order: { _id, packingPhotos } }: { order: Order }) {
  const { uploads, uploadAll } = usePhotoUploads();
  const { mutateAsync } = useWrite(addPackingPhotos, {
    done: 'The photos are with the order.',
    onError: () => undefined,
  });
  const form = useRequestForm<{ photos: readonly File[] }>(
    // Files with the same content have the same URL.
    async ({ photos }) =>
      mutateAsync({ params: { _id }, body: { photos: [...new Set(await uploadAll(photos))] } }),
    {
      defaultValues: { photos: [] },
      check: ({ photos }) => (photos.length === 0 ? { photos: 'Choose a photo' } : {}),
      onClose: () => {
        form.reset();
      },
    },
  );
  return (
    <RequestForm
      form={form}
      submit="Add the photos"
      busy="Sending"
      variant="secondary"
      buttonClass="self-start"
      className="flex max-w-2xl flex-col gap-4"
    >
      <p className="max-w-prose">
        Photograph the laptop beside a slip with today’s date, how you pack it, and the closed parcel: that
        counts if something goes wrong.
      </p>
      <AttachedPhotos
        label="Photos of what you send"
        hint="The buyer and the shop see them here. They cannot be changed, and are deleted with the address."
        maximum={MAXIMUM_PACKING_PHOTOS - packingPhotos.length}
        photos={form.watch('photos')}
        onChange={(chosen) => form.setValue('photos', chosen)}
        uploads={uploads}
        busy={form.isSubmitting}
        error={form.errors.photos?.message}
      />
    </RequestForm>
  );
}

/** What the seller photographed before a carrier had it; the seller can add to it until then. */
export function Packing({ order }: { order: Order }) {
  const { packingPhotos, role, state, sellerName } = order;
  const latest = packingPhotos.at(-1);
  return (
    <>
      {latest !== undefined && (
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            {role === 'seller' ? 'You' : sellerName} photographed what was sent; the latest photo was added{' '}
            <DateTime at={latest.at} />.
          </p>
          <EnlargeablePhotos title="What was sent" urls={packingPhotos.map(({ photo }) => photo)} />
        </div>
      )}
      {role === 'seller' && state === 'to_ship' && packingPhotos.length < MAXIMUM_PACKING_PHOTOS && (
        <AddPhotos order={order} />
      )}
    </>
  );
}
