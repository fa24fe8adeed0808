/** A rule of EasyPost's that the stand-in keeps. */
type Rule = {
  rule: string;
  /** EasyPost's page about it, or a recorded answer in its official client. */
  source: string;
  /** Where the source says nothing, so that the stand-in may differ from EasyPost. None of it was tried at EasyPost. */
  untried?: string;
};

const docs = 'https://docs.easypost.com';
const recorded = 'https://github.com/EasyPost/easypost-node/tree/master/test/cassettes';

/** The rules behind the objects, in one list. */
export const rules = {
  authentication: {
    rule: 'The key is the user name of Basic authentication, with an empty password; another one is answered with 401.',
    source: `${docs}/docs/authentication`,
  },
  shipment: {
    rule: 'A shipment needs both addresses and a parcel, else 422 PARAMETER.REQUIRED. It is answered with 201 and its rates. Nothing is bought.',
    source: `${docs}/docs/shipments`,
  },
  units: {
    rule: 'Weights are ounces and sizes inches, each with one decimal. The weight is required.',
    source: `${docs}/docs/parcels`,
    untried: 'A second decimal is refused here. EasyPost may round it.',
  },
  verification: {
    rule: 'An address that is created with verify is answered with verifications.delivery: success, or errors with code, field and message.',
    source: `${docs}/guides/address-verification-guide`,
    untried:
      'Which addresses exist. Here a street needs a number, and in the US a ZIP code and a state are checked by their form.',
  },
  returns: {
    rule: 'With is_return the addresses stay those of the first shipment, and EasyPost switches them.',
    source: `${docs}/docs/shipments/returns`,
  },
  international: {
    rule: 'A parcel to another country needs customs information; without it no carrier offers a rate, and messages say why.',
    source: `${docs}/guides/customs-guide`,
  },
  buying: {
    rule: 'A shipment is bought once, at one of its rates. Another purchase is answered with 422 SHIPMENT.POSTAGE.EXISTS, one meanwhile with SHIPMENT.PURCHASE.IN_PROGRESS.',
    source: `${docs}/docs/errors`,
    untried: 'The status of SHIPMENT.PURCHASE.IN_PROGRESS. Here it is 422.',
  },
  fees: {
    rule: 'A bought shipment has fees: LabelFee, PostageFee and, when insured, InsuranceFee, as decimals with five places.',
    source: `${recorded}/Shipment-Service_2987889512/buys-a-shipment-with-insuranceAmount_1751540137`,
  },
  insurance: {
    rule: 'Insurance is a part of the purchase. It costs 1 % of the value and at least 1.00.',
    source: `${docs}/docs/shipments/shipping-insurance`,
    untried: 'How a fraction of a cent is rounded. Here it is rounded up.',
  },
  label: {
    rule: 'postage_label.label_url leads to the label in options.label_format; /label?file_format=PDF converts it. The URL needs no key.',
    source: `${docs}/docs/shipments#converting-the-label-format-of-a-shipment`,
  },
  refund: {
    rule: 'The price of a label is asked back by /refund. refund_status is then submitted, and later refunded or rejected; a parcel that was scanned is rejected. not_applicable: the carrier bills a label when it scans the parcel.',
    source: `${docs}/docs/shipments/shipping-refund`,
    untried: 'Whether fees of the insurance are refunded with it. Here they are.',
  },
  manifest: {
    rule: 'Labels of one origin address, one carrier account and the day are put on a ScanForm by /scan_forms, each once and not when refunded. It has their tracking_codes and the form_url of one document, and each shipment has it as scan_form.',
    source: `${docs}/docs/scan-form`,
    untried:
      'How a breach is answered: here with 422 SCAN_FORM.CREATE.FAILURE, a code from https://github.com/EasyPost/easypost-csharp/issues/76. Whether addresses are compared by their content, as here, or by id. In which time zone the day begins: here in UTC. Which carriers have ScanForms: here USPS. Whether a parcel that was scanned is refused, as here, and whether a label on a ScanForm can still be refunded, as here.',
  },
  tracker: {
    rule: 'A bought shipment has a tracker with a status and its details. Each change sends the event tracker.updated.',
    source: `${docs}/docs/trackers`,
  },
  signature: {
    rule: 'Events bear X-Hmac-Signature: hmac-sha256-hex= and the HMAC of the body with the webhook’s secret in NFKD. An answer outside 2xx is repeated.',
    source: `${docs}/guides/webhooks-guide`,
    untried: 'How often and when an event is repeated. Here five times, after 1, 2, 4, 8 and 16 s.',
  },
  report: {
    rule: 'A shipment report is a CSV file with id, tracking_code, label_fee, postage_fee, insurance_fee and refund_status, among others.',
    source: `${docs}/docs/reports`,
    untried: 'The format of amounts. Here they are decimals with two places.',
  },
} as const satisfies Record<string, Rule>;
