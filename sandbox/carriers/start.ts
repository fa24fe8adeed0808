import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { refuseOtherHosts } from '../hosts.ts';
import { choicesStyle, pagePolicy, readStyle } from '../html.ts';
import { createEvents } from './events.ts';
import { labelPdf, scanFormPdf } from './label-pdf.ts';
import { renderShipments } from './pages.ts';
import {
  Address,
  addressError,
  isScanned,
  newId,
  openShipments,
  Parcel,
  ratesOf,
  type ScanForm,
  type Shipment,
  type Status,
  scanFormRefusal,
  statuses,
  type Tracker,
  trackingCode,
} from './shipments.ts';

export interface CarriersOptions {
  /** The TCP port; 0 for any free one. */
  port: number;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string;
  /** The folder of the shipments, created if missing. */
  dataFolder: string;
  /** Host names of the control page, besides those of this machine. */
  hostNames?: readonly string[];
  apiKey: string;
  webhookSecret: string;
  /** The URL that events are posted to. */
  webhookUrl: string;
}

/**
 * A fault of the next purchase: `lost_answer` buys and does not say so; `unavailable` and `declined` buy nothing; `slow` takes half a
 * second. Or of the next ScanForm, which a `slow` one answers before it is there.
 */
const faults = ['lost_answer', 'unavailable', 'declined', 'slow'] as const;

/** What a carrier answers when a price is asked back. `not_applicable`: it bills the label when it scans the parcel. */
const refundStatuses = ['refunded', 'rejected', 'not_applicable'] as const;

const NewShipment = z.object({
  shipment: z.object({
    from_address: z.object({ id: z.string() }),
    to_address: z.object({ id: z.string() }),
    parcel: Parcel,
    is_return: z._default(z.boolean(), false),
    reference: z.nullish(z.string()),
    options: z._default(
      z.object({ label_format: z._default(z.string(), 'PNG'), currency: z._default(z.string(), 'USD') }),
      { label_format: 'PNG', currency: 'USD' },
    ),
  }),
});

const NewScanForm = z.object({
  scan_form: z.object({ shipments: z.array(z.object({ id: z.string() })) }),
});

const Purchase = z.object({
  rate: z.object({ id: z.string() }),
  insurance: z.optional(z.union([z.string(), z.number()])),
});

const fee = (type: string, amount: number) => ({
  object: 'Fee' as const,
  type,
  amount: amount.toFixed(5),
  charged: true,
  refunded: false,
});

/** Starts the stand-in for EasyPost. The rules that it keeps are in `carriers.test.ts`. @throws if the port is in use */
export async function startCarriers(options: CarriersOptions) {
  const { addresses, shipments, save } = await openShipments(options.dataFolder);
  const events = createEvents(options);
  const style = await readStyle(choicesStyle, new URL('./carriers.css', import.meta.url));
  const app = fastify({ forceCloseConnections: true });
  refuseOtherHosts(app, options.hostNames ?? []);
  // The forms of the control page have no fields.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
    payload.resume();
    done(null, {});
  });
  let origin = '';
  let fault: (typeof faults)[number] | null = null;
  const buying = new Set<string>();

  /** Takes the planned fault, which is of one request. */
  const takeFault = () => {
    const taken = fault;
    fault = null;
    return taken;
  };

  const refuse = (
    reply: FastifyReply,
    status: number,
    code: string,
    message: string,
    errors: object[] = [],
  ) => reply.code(status).send({ error: { code, message, errors } });
  /** Closes the connection instead of answering. */
  const lose = (request: FastifyRequest, reply: FastifyReply) => {
    request.raw.socket.destroy();
    return reply.hijack();
  };
  const authorization = `Basic ${Buffer.from(`${options.apiKey}:`).toString('base64')}`;

  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/v2/')) {
      reply.headers({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': pagePolicy("form-action 'self'"),
        'X-Content-Type-Options': 'nosniff',
      });
    } else if (request.headers.authorization !== authorization) {
      await refuse(reply, 401, 'APIKEY.INACTIVE', 'This API key is not active.');
    }
  });

  app.post('/v2/addresses', async (request, reply) => {
    const body = z.safeParse(z.object({ address: Address, verify: z.optional(z.boolean()) }), request.body);
    if (!body.success) {
      const field = String(body.error.issues[0]?.path.at(-1) ?? 'address');
      return refuse(
        reply,
        422,
        'ADDRESS.PARAMETERS.INVALID',
        'Unable to create address, one or more parameters were invalid.',
        [{ field, message: `${field} is invalid` }],
      );
    }
    const { address, verify } = body.data;
    const id = newId('adr');
    addresses.set(id, address);
    await save();
    const error = addressError(address);
    const delivery = { success: error === null, errors: error === null ? [] : [error], details: null };
    return reply
      .code(201)
      .send({ id, object: 'Address', mode: 'test', ...address, verifications: verify ? { delivery } : {} });
  });

  app.get('/v2/shipments', async () => ({
    shipments: [...shipments.values()].slice(-1),
    has_more: shipments.size > 1,
  }));

  app.post('/v2/shipments', async (request, reply) => {
    const body = z.safeParse(NewShipment, request.body);
    const [issue] = body.error?.issues ?? [];
    const parts = body.data?.shipment;
    const [from, to] = [
      addresses.get(parts?.from_address.id ?? ''),
      addresses.get(parts?.to_address.id ?? ''),
    ];
    if (parts === undefined || from === undefined || to === undefined) {
      const field = String(issue?.path.at(-1) ?? (from === undefined ? 'from_address' : 'to_address'));
      return refuse(reply, 422, 'PARAMETER.REQUIRED', 'Missing required parameter.', [
        { field, message: issue?.message ?? 'cannot be blank' },
      ]);
    }
    const id = newId('shp');
    const isAbroad = from.country !== to.country;
    const shipment: Shipment = {
      id,
      object: 'Shipment',
      mode: 'test',
      created_at: new Date().toISOString(),
      is_return: parts.is_return,
      reference: parts.reference,
      from_address: from,
      to_address: to,
      parcel: parts.parcel,
      rates: isAbroad ? [] : ratesOf(id, parts.parcel, parts.options.currency),
      messages: isAbroad
        ? [{ carrier: 'USPS', type: 'rate_error', message: 'customs_info is required.' }]
        : [],
      selected_rate: null,
      tracking_code: null,
      postage_label: null,
      refund_status: null,
      tracker: null,
      fees: [],
      scan_form: null,
    };
    shipments.set(id, shipment);
    await save();
    return reply.code(201).send(shipment);
  });

  const Params = z.object({ id: z.string() });
  const find = (params: unknown) => shipments.get(z.parse(Params, params).id);
  const notFound = (reply: FastifyReply) =>
    refuse(reply, 404, 'NOT_FOUND', 'The requested resource could not be found.');

  app.get('/v2/shipments/:id', async (request, reply) => find(request.params) ?? notFound(reply));

  function buy(shipment: Shipment, rate: Shipment['rates'][number], insuredCents: number): void {
    const code = trackingCode(rate.carrier);
    const now = new Date().toISOString();
    const premium = insuredCents === 0 ? 0 : Math.max(100, Math.ceil(insuredCents / 100)) / 100;
    shipment.selected_rate = rate;
    shipment.tracking_code = code;
    shipment.fees = [
      fee('LabelFee', 0),
      fee('PostageFee', Number(rate.rate)),
      ...(premium > 0 ? [fee('InsuranceFee', premium)] : []),
    ];
    shipment.postage_label = {
      id: newId('pl'),
      object: 'PostageLabel',
      label_size: '4x6',
      label_file_type: 'application/pdf',
      label_url: `${origin}/files/${shipment.id}.pdf`,
      label_pdf_url: `${origin}/files/${shipment.id}.pdf`,
      label_date: now,
    };
    shipment.tracker = {
      id: newId('trk'),
      object: 'Tracker',
      tracking_code: code,
      status: 'unknown',
      shipment_id: shipment.id,
      carrier: rate.carrier,
      tracking_details: [],
    };
  }

  app.post('/v2/shipments/:id/buy', async (request, reply) => {
    const shipment = find(request.params);
    if (shipment === undefined) return notFound(reply);
    const body = z.safeParse(Purchase, request.body);
    const rate = shipment.rates.find(({ id }) => id === body.data?.rate.id);
    if (body.data === undefined || rate === undefined) return notFound(reply);
    if (shipment.postage_label !== null) {
      return refuse(reply, 422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.');
    }
    if (buying.has(shipment.id)) {
      return refuse(
        reply,
        422,
        'SHIPMENT.PURCHASE.IN_PROGRESS',
        'A purchase of this shipment is in progress.',
      );
    }
    const present = takeFault();
    if (present === 'unavailable') return refuse(reply, 503, 'SERVICE_UNAVAILABLE', 'Please try again.');
    if (present === 'declined') {
      return refuse(reply, 422, 'SHIPMENT.POSTAGE.FAILURE', 'The carrier does not accept this parcel');
    }
    buying.add(shipment.id);
    if (present === 'slow') await pause(500);
    buy(shipment, rate, Math.round(Number(body.data.insurance ?? 0) * 100));
    buying.delete(shipment.id);
    await save();
    if (present === 'lost_answer') return lose(request, reply);
    void events.send('tracker.created', shipment.tracker ?? {});
    return shipment;
  });

  app.get('/v2/shipments/:id/label', async (request, reply) => {
    const shipment = find(request.params);
    return shipment === undefined || shipment.postage_label === null ? notFound(reply) : shipment;
  });

  app.post('/v2/shipments/:id/refund', async (request, reply) => {
    const shipment = find(request.params);
    if (shipment === undefined) return notFound(reply);
    if (shipment.postage_label === null) {
      return refuse(
        reply,
        422,
        'SHIPMENT.REFUND.UNAVAILABLE',
        'A refund is not available for this shipment.',
      );
    }
    if (shipment.refund_status !== 'refunded') {
      shipment.refund_status = isScanned(shipment) ? 'rejected' : 'submitted';
      await save();
    }
    return shipment;
  });

  const findScanForm = (id: string) =>
    [...shipments.values()].find(({ scan_form }) => scan_form?.id === id)?.scan_form ?? null;

  app.get('/v2/scan_forms/:id', async (request, reply) => {
    const form = findScanForm(z.parse(Params, request.params).id);
    return form ?? notFound(reply);
  });

  app.post('/v2/scan_forms', async (request, reply) => {
    const body = z.safeParse(NewScanForm, request.body);
    const named = body.data?.scan_form.shipments.map(({ id }) => shipments.get(id)) ?? [];
    const chosen = named.filter((shipment) => shipment !== undefined);
    const present = takeFault();
    if (present === 'unavailable') return refuse(reply, 503, 'SERVICE_UNAVAILABLE', 'Please try again.');
    const code = 'SCAN_FORM.CREATE.FAILURE';
    const [first] = chosen;
    if (first === undefined || chosen.length < named.length) {
      return refuse(reply, 422, code, 'Unable to create manifest. Some of the shipments were not found.');
    }
    const refusal =
      present === 'declined' ? 'The carrier makes none' : scanFormRefusal(chosen, first, new Date());
    if (refusal !== null) return refuse(reply, 422, code, refusal);
    const id = newId('sf');
    const now = new Date().toISOString();
    const form: ScanForm = {
      id,
      object: 'ScanForm',
      created_at: now,
      tracking_codes: chosen.map(({ tracking_code }) => tracking_code ?? ''),
      address: first.from_address,
      status: 'created',
      form_url: `${origin}/files/${id}.pdf`,
    };
    for (const shipment of chosen) shipment.scan_form = form;
    await save();
    if (present === 'lost_answer') return lose(request, reply);
    return present === 'slow' ? { ...form, status: 'creating', form_url: null, tracking_codes: [] } : form;
  });

  app.get('/files/:file', async (request, reply) => {
    const { file } = z.parse(z.object({ file: z.string() }), request.params);
    const id = file.replace(/\.pdf$/, '');
    const form = findScanForm(id);
    if (form !== null) return reply.type('application/pdf').send(Buffer.from(await scanFormPdf(form)));
    const shipment = shipments.get(id);
    if (shipment === undefined || shipment.postage_label === null) return reply.code(404).send();
    return reply.type('application/pdf').send(Buffer.from(await labelPdf(shipment)));
  });

  // The control page, and the same by calls.

  /** Lets a carrier report something. @returns the shop's answer to the event */
  async function track(shipment: Shipment, status: Status): Promise<number> {
    const { tracker } = shipment;
    if (tracker === null) return 0;
    const now = new Date().toISOString();
    const next: Tracker = {
      ...tracker,
      status,
      tracking_details: [...tracker.tracking_details, { object: 'TrackingDetail', status, datetime: now }],
    };
    shipment.tracker = next;
    await save();
    return events.send('tracker.updated', next);
  }

  /** Gives the price of a label back that was asked back. */
  async function giveBack(shipment: Shipment, status: (typeof refundStatuses)[number]): Promise<number> {
    if (shipment.refund_status !== 'submitted') return 0;
    shipment.refund_status = status === 'refunded' && isScanned(shipment) ? 'rejected' : status;
    shipment.fees = shipment.fees.map((each) => ({
      ...each,
      refunded: shipment.refund_status === 'refunded',
    }));
    await save();
    const { id, tracking_code } = shipment;
    const refund = {
      id: newId('rfnd'),
      object: 'Refund',
      tracking_code,
      shipment_id: id,
      status: shipment.refund_status,
    };
    return events.send('refund.successful', refund);
  }

  app.get('/carriers.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderShipments([...shipments.values()].reverse())),
  );
  app.get('/shipments.json', async () => [...shipments.values()]);
  app.post('/control/faults', async (request) => {
    fault = z.parse(z.object({ fault: z.enum(faults) }), request.body).fault;
    return {};
  });

  const Reported = z.object({
    id: z.string(),
    status: z.enum([...statuses, ...refundStatuses]),
  });
  app.post('/control/shipments/:id/:status', async (request, reply) => {
    const { id, status } = z.parse(Reported, request.params);
    const shipment = shipments.get(id);
    if (shipment === undefined) return reply.code(404).send();
    const refund = refundStatuses.find((known) => known === status);
    const report = statuses.find((known) => known === status);
    let answer = 0;
    if (refund !== undefined) answer = await giveBack(shipment, refund);
    if (report !== undefined) answer = await track(shipment, report);
    return request.headers.accept?.includes('text/html') ? reply.redirect('/', 303) : { answer };
  });

  app.get('/report.csv', async (_request, reply) => {
    const feeOf = (shipment: Shipment, type: string) =>
      Number(shipment.fees.find((each) => each.type === type)?.amount ?? 0).toFixed(2);
    const lines = [...shipments.values()]
      .filter(({ postage_label }) => postage_label !== null)
      .map((each) =>
        [
          each.id,
          each.tracking_code,
          each.created_at,
          each.selected_rate?.carrier,
          feeOf(each, 'LabelFee'),
          feeOf(each, 'PostageFee'),
          feeOf(each, 'InsuranceFee'),
          each.refund_status ?? '',
        ].join(','),
      );
    const header = 'id,tracking_code,created_at,carrier,label_fee,postage_fee,insurance_fee,refund_status';
    return reply.type('text/csv; charset=utf-8').send([header, ...lines, ''].join('\n'));
  });

  origin = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port });
  return {
    origin,
    /** Sends an event with a valid signature about anything, such as a parcel of others. @returns the shop's answer */
    sendEvent: events.send,
    close: async (): Promise<void> => {
      events.stop();
      await app.close();
    },
  };
}
