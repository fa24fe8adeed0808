import { emptyHtml, type Html, html, renderPage } from '../html.ts';
import type { Shipment, Status } from './shipments.ts';

/** What a carrier can report, as the buttons say it. */
const reports: readonly [status: Status, label: string][] = [
  ['pre_transit', 'Label created'],
  ['in_transit', 'In transit'],
  ['out_for_delivery', 'Out for delivery'],
  ['available_for_pickup', 'At a pickup point'],
  ['delivered', 'Delivered'],
  ['return_to_sender', 'Returned to sender'],
  ['failure', 'Lost'],
];

const button = (id: string, status: string, label: string): Html =>
  html`<form method="post" action="/control/shipments/${id}/${status}"><button>${label}</button></form>
`;

function renderShipment(shipment: Shipment): Html {
  const { id, tracker, selected_rate, tracking_code, refund_status, to_address, is_return } = shipment;
  const buttons =
    refund_status === 'submitted'
      ? [
          button(id, 'refunded', 'Give the price back'),
          button(id, 'rejected', 'Refuse the refund'),
          button(id, 'not_applicable', 'Bill it when it is scanned'),
        ]
      : [];
  return html`<li>
<h2>${selected_rate?.carrier ?? ''} ${selected_rate?.service ?? ''} to ${to_address.city ?? ''}${is_return ? ' (return)' : ''}</h2>
<p>${tracking_code ?? ''}: <strong>${tracker?.status ?? ''}</strong>${refund_status === null ? '' : `, refund ${refund_status}`}. <a href="/files/${id}.pdf">Label</a></p>
<div class="buttons">${reports.map(([status, label]) => button(id, status, label))}${buttons}</div>
</li>
`;
}

/** Renders the bought labels, newest first, with what their carriers can report. */
export function renderShipments(shipments: readonly Shipment[]): string {
  const bought = shipments.filter(({ postage_label }) => postage_label !== null);
  return renderPage(
    'Carriers',
    '/carriers.css',
    html`<h1>Carriers</h1>
<p>Stands for EasyPost. Choose what happens to each parcel; the shop is told at once. The labels are also a <a href="/report.csv">report</a>, as an invoice.</p>
${bought.length === 0 ? html`<p>No label yet. Sell a laptop that is sent, and buy its label on the order.</p>` : emptyHtml}
<ul>${bought.map(renderShipment)}</ul>`,
  );
}
