// The parts of EasyPost's objects that the shop reads (https://docs.easypost.com/docs/shipments).

import * as z from 'zod/mini';
import { trackingStates } from '#contract/sales/labels.ts';

const Rate = z.object({
  id: z.string(),
  carrier: z.string(),
  service: z.string(),
  /** A decimal, such as `5.93`. */
  rate: z.string(),
  currency: z.string(),
  delivery_days: z.nullish(z.number()),
  est_delivery_days: z.nullish(z.number()),
});

/** https://docs.easypost.com/docs/trackers */
const Tracker = z.object({
  /** Statuses that are added later count as unknown. */
  status: z.catch(z.enum(trackingStates), 'unknown'),
  tracking_details: z.nullish(
    z.array(z.object({ status: z.nullish(z.string()), datetime: z.nullish(z.string()) })),
  ),
});

export const Shipment = z.object({
  id: z.string(),
  tracking_code: z.nullish(z.string()),
  rates: z.catch(z.array(Rate), []),
  selected_rate: z.nullish(Rate),
  postage_label: z.nullish(
    z.object({
      label_url: z.string(),
      label_pdf_url: z.nullish(z.string()),
      label_file_type: z.nullish(z.string()),
    }),
  ),
  /** https://docs.easypost.com/docs/shipments/shipping-refund */
  refund_status: z.nullish(z.string()),
  tracker: z.nullish(Tracker),
  fees: z.catch(z.array(z.object({ type: z.string(), amount: z.string() })), []),
  scan_form: z.nullish(z.object({ id: z.string() })),
});
export type Shipment = z.infer<typeof Shipment>;

/** https://docs.easypost.com/docs/scan-form */
export const ScanForm = z.object({
  status: z.enum(['creating', 'created', 'failed']),
  message: z.nullish(z.string()),
  tracking_codes: z.array(z.string()),
  form_url: z.nullish(z.string()),
});

/** https://docs.easypost.com/docs/errors. `errors` can be texts. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.catch(z.string(), ''),
    errors: z.catch(
      z.array(z.union([z.string(), z.object({ field: z.nullish(z.string()), message: z.string() })])),
      [],
    ),
  }),
});

/** https://docs.easypost.com/guides/address-verification-guide */
export const VerifiedAddress = z.object({
  id: z.string(),
  verifications: z.catch(
    z.object({
      delivery: z.optional(
        z.object({
          success: z.boolean(),
          errors: z.array(z.object({ code: z.string(), field: z.nullish(z.string()), message: z.string() })),
        }),
      ),
    }),
    {},
  ),
});

/** https://docs.easypost.com/docs/events */
export const Event = z.object({
  id: z.string(),
  description: z.string(),
  result: z.catch(z.object({ shipment_id: z.nullish(z.string()) }), {}),
});
