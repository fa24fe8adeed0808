import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import {
  type CarrierAddress,
  type Carriers,
  CarriersRefusal,
  CarriersUnavailable,
  type NewShipment,
} from '#server/sales/shipping/carriers.ts';

/** Carriers whose next purchase can go wrong. */
export interface OpenCarriers {
  carriers: Carriers;
  /** Two addresses to which carriers bring parcels. */
  from: CarrierAddress;
  to: CarrierAddress;
  /** What goes wrong in the next purchase: it is made and its answer lost, it is not made, it is refused, or it takes long. */
  fail(fault: 'lost_answer' | 'unavailable' | 'declined' | 'slow'): Promise<void>;
  /** Lets the carrier see a parcel. @returns the event about it, as it was sent to the shop */
  scan(shipmentId: string): Promise<{ body: Uint8Array; signature: string }>;
}

/** What every aggregator of carriers must do. */
export function testCarriers(open: () => OpenCarriers): void {
  const size = { grams: 3_000, lengthCm: 40, widthCm: 30, heightCm: 10 };
  const parcel = (changes: Partial<NewShipment> = {}): NewShipment => {
    const { from, to } = open();
    return { from, to, size, isReturn: false, reference: 'order', ...changes };
  };
  /** Asks for prices, and takes the first. */
  async function quoted() {
    const { carriers } = open();
    const { shipmentId, rates } = await carriers.quote(parcel());
    return { carriers, shipmentId, choice: { rateId: rates[0]?.rateId ?? '', insuredCents: 54_900 } };
  }

  describe('as an aggregator of carriers', () => {
    test('it answers, and says prices without buying', async () => {
      const { carriers } = open();
      await carriers.verify();
      const { shipmentId, rates, label } = await carriers.quote(parcel());
      expect(label).toBeNull();
      expect(rates.length).toBeGreaterThan(0);
      for (const { amountCents } of rates) expect(amountCents).toBeGreaterThan(0);
      expect(await carriers.read(shipmentId)).toMatchObject({ label: null, refund: 'none', trackedAt: null });
      await expect(carriers.label(shipmentId)).rejects.toThrow(CarriersRefusal);
    });

    test('a label is bought once however often, for its price and premium, and is a PDF', async () => {
      const { carriers, shipmentId, choice } = await quoted();
      const { label, rates } = await carriers.buy(shipmentId, choice);
      expect(label).toMatchObject({
        costCents: rates.find(({ rateId }) => rateId === choice.rateId)?.amountCents,
        premiumCents: carriers.premium(choice.insuredCents),
      });
      expect((await carriers.buy(shipmentId, choice)).label).toEqual(label);
      const pdf = await PDFDocument.load(await carriers.label(shipmentId));
      expect(pdf.getPage(0).getSize()).toEqual({ width: 288, height: 432 });
    });

    test('of two purchases at the same time one buys', async () => {
      const { carriers, shipmentId, choice } = await quoted();
      await open().fail('slow');
      const buy = () => carriers.buy(shipmentId, choice);
      const outcomes = await Promise.allSettled([buy(), buy()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
      const { label } = await buy();
      expect((await carriers.read(shipmentId)).label).toEqual(label);
    });

    test.each([
      ['lost_answer', CarriersUnavailable],
      ['unavailable', CarriersUnavailable],
      ['declined', CarriersRefusal],
    ] as const)(
      'a purchase with the fault %s says whether it can be repeated, and the next buys one label',
      async (fault, error) => {
        const { carriers, shipmentId, choice } = await quoted();
        await open().fail(fault);
        await expect(carriers.buy(shipmentId, choice)).rejects.toThrow(error);
        const { label: before } = await carriers.read(shipmentId);
        expect(before !== null).toBe(fault === 'lost_answer');
        const { label } = await carriers.buy(shipmentId, choice);
        expect(label).toEqual(before ?? expect.objectContaining({ trackingNumber: expect.any(String) }));
      },
    );

    test('an address that carriers do not know is refused with its side, before anything is bought', async () => {
      const { carriers, to } = open();
      const unknown = carriers.quote(parcel({ to: { ...to, line1: '1 Unknown Street' } }));
      await expect(unknown).rejects.toThrow(CarriersRefusal);
      await expect(unknown).rejects.toMatchObject({ address: { side: 'to', field: 'line1' } });
    });

    test('the price of an unused label is asked back once', async () => {
      const { carriers, shipmentId, choice } = await quoted();
      expect((await carriers.void(shipmentId)).refund).toBe('none');
      await carriers.buy(shipmentId, choice);
      expect((await carriers.void(shipmentId)).refund).toBe('submitted');
      expect((await carriers.void(shipmentId)).refund).toBe('submitted');
    });

    test('an event names its parcel, and counts only with its signature', async () => {
      const { carriers, shipmentId, choice } = await quoted();
      await carriers.buy(shipmentId, choice);
      const { body, signature } = await open().scan(shipmentId);
      expect(carriers.readEvent(body, signature)).toMatchObject({ shipmentId });
      expect(carriers.readEvent(body, '')).toBe('unsigned');
      expect(carriers.readEvent(new Uint8Array([...body, 32]), signature)).toBe('unsigned');
      const { tracking, trackedAt } = await carriers.read(shipmentId);
      expect(tracking).toBe('in_transit');
      expect(trackedAt).toBeInstanceOf(Date);
    });
  });
}
