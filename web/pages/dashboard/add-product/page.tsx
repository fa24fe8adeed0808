import { listBrands, listLaptop } from '#contract/listings/catalogue.ts';
import { sellerStatus } from '#contract/people/accounts.ts';
import { formatPostedTime } from '../../../formats/posted-time.ts';
import { brandChoices, emptyValues, type FormValues, toNewLaptop } from '../../../laptop-form/form-values.ts';
import { LaptopForm, type LaptopFormTexts } from '../../../laptop-form/laptop-form.tsx';
import { useLaptopDraft } from '../../../laptop-form/use-laptop-draft.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { SellerTerms } from '../../../money/seller-terms.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { forgetAttempts, useWrite } from '../../../requests/use-write.ts';
import { DRAFTS_KEY } from '../../../session/forget-private-data.ts';
import { usePerson } from '../../../session/session.tsx';
import { DraftMeasuring } from './draft-measuring.tsx';

/** Adds a laptop whose photos are uploaded. */
function useAddLaptop() {
  const { email } = usePerson();
  const { mutateAsync } = useWrite(listLaptop, {
    done: () => undefined,
    onError: () => undefined,
    stamp: (input, startedAt) => ({
      ...input,
      body: { ...input.body, posted_time: formatPostedTime(startedAt) },
    }),
  });
  return {
    /** Discards the idempotency key: the same values are a new laptop from now on. */
    discardKey: () => forgetAttempts(email, listLaptop),
    /**
     * @param images the URL of each photo, in display order
     * @param draftId the laptop's draft; null without one
     * @throws Problem
     */
    add: async (values: FormValues, images: readonly string[], draftId: string | null) => {
      await mutateAsync({ body: toNewLaptop(values, images, new Date(0), draftId) });
    },
  };
}

const texts: LaptopFormTexts = {
  submit: 'Add Product',
  busy: 'Adding....',
  clear: 'Clear the form',
  participle: 'added',
  page: 'Add Product',
  success: (name) => `${name} is added successfully`,
};

export default function AddProduct() {
  const { email } = usePerson();
  const { add, discardKey } = useAddLaptop();
  const draftKey = `${DRAFTS_KEY}${email}:new-laptop`;
  const draft = useLaptopDraft(draftKey);
  const status = useRead(sellerStatus, { params: { email } });
  const query = useRead(listBrands, {});
  return (
    <>
      <PageHeading title="Add Product">
        Photograph the actual laptop. That’s what sells. <SellerTerms />
      </PageHeading>
      <QueryView query={query} what="the brands" skeleton="h-144 max-w-3xl">
        {(brands) => (
          <LaptopForm
            brands={brandChoices(brands)}
            initialValues={{ ...emptyValues, category_Id: brandChoices(brands)[0] ?? '' }}
            draftKey={draftKey}
            texts={texts}
            sellerVerified={status.data?.status === true}
            onSubmit={async (values, images) => {
              try {
                await add(values, images, draft.draftId);
              } catch (error) {
                // The draft may be gone, which the page then says.
                if (draft.draftId !== null) draft.refetch();
                throw error;
              }
              draft.forget();
            }}
            onClear={() => {
              discardKey();
              draft.discard();
            }}
            slip={draft.slip}
            measurement={draft.measurement}
            measuring={<DraftMeasuring draft={draft} />}
          />
        )}
      </QueryView>
    </>
  );
}
