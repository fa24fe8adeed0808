import { emptyHtml, type Html, html, renderPage } from '../html.ts';
import type { Message } from './mailbox.ts';

function renderTime(iso: string): Html {
  const date = new Date(iso);
  const text = date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
  return html`<time datetime="${iso}">${text}</time>`;
}

const subjectOf = ({ subject }: Message) => (subject === '' ? '(no subject)' : subject);

const renderMailPage = (title: string, content: Html) => renderPage(title, '/mail.css', content);

/** Renders the list of emails, newest first. @param to the address that it is filtered by, if any */
export function renderInbox(messages: readonly Message[], to: string | undefined): string {
  const rows = messages.map(
    (message) => html`<li><a href="/messages/${message.id}">
<span class="to">${message.to.join(', ')}</span>
<span class="subject">${subjectOf(message)}</span>
<span class="when">${renderTime(message.receivedAt)}</span>
</a></li>
`,
  );
  const list =
    messages.length === 0
      ? html`<p class="empty">${to === undefined ? 'No mail yet. What the shop sends appears here.' : `No mail to ${to}.`}</p>`
      : html`<ol class="messages">${rows}</ol>`;
  return renderMailPage(
    'Mail catcher',
    html`<h1>Mail catcher</h1>
<p>Receives every email and SMS of the shop. None leaves this machine.</p>
<form method="get" action="/" role="search">
<label for="to">Mail to</label>
<input id="to" name="to" type="text" value="${to ?? ''}" placeholder="buyer@coomercio.example">
<button>Show</button>
${to === undefined ? emptyHtml : html`<a href="/">All mail</a>`}
</form>
${list}`,
  );
}

/** Renders one message: its headers, its HTML in a sandboxed frame, and its text. */
export function renderMessage(message: Message): string {
  return renderMailPage(
    subjectOf(message),
    html`<p><a href="/">All mail</a></p>
<h1>${subjectOf(message)}</h1>
<dl>
<div><dt>From</dt><dd>${message.from}</dd></div>
<div><dt>To</dt><dd>${message.to.join(', ')}</dd></div>
<div><dt>Received</dt><dd>${renderTime(message.receivedAt)}</dd></div>
</dl>
${
  message.html === null
    ? emptyHtml
    : html`<h2>As HTML</h2>
<iframe src="/messages/${message.id}/html" title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}
${message.text === null ? emptyHtml : html`<h2>As text</h2><pre>${message.text}</pre>`}
${message.html === null && message.text === null ? html`<p class="empty">This mail is empty.</p>` : emptyHtml}
${message.kind === 'sms' ? emptyHtml : html`<p><a href="/messages/${message.id}/source">Source</a></p>`}`,
  );
}

/** Renders the page for an email that does not exist. */
export function renderNotFound(): string {
  return renderMailPage(
    'No such mail',
    html`<h1>No such mail</h1><p>It may have been deleted. <a href="/">All mail</a></p>`,
  );
}

/** Renders the HTML of an email. Its links open in a new tab, because their pages refuse to be framed. */
export function renderHtmlBody(messageHtml: string): string {
  return `<base target="_blank">${messageHtml}`;
}
