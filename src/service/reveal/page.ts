import { partners } from '../../core/access/partners.ts';
import type { Document, Page } from '../../core/page/page.ts';
import { html, ownMarkup } from '../../core/page/page.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { CardRow } from '../cards/records.ts';
import type { RevealLinkRow } from './records.ts';
import { type LinkProblem, openLink, type Reveal } from './rules.ts';

/** The response for each reason why a link shows no card. */
export const PROBLEM_PAGES: Readonly<Record<LinkProblem, { status: number; heading: string; text: string }>> =
  {
    altered: {
      status: 403,
      heading: 'This link was changed',
      text: 'The signature does not match. Use the link exactly as the app received it.',
    },
    gone: {
      status: 410,
      heading: 'This link is no longer valid',
      text: 'The sandbox no longer has it. Ask the app for a new one.',
    },
    used: {
      status: 410,
      heading: 'This link was already used',
      text: 'A link shows the card only once. Ask the app for a new one.',
    },
    expired: {
      status: 410,
      heading: 'This link has expired',
      text: 'It was valid for 60 seconds. Ask the app for a new one.',
    },
    cancelled: {
      status: 410,
      heading: 'This card was cancelled',
      text: 'A cancelled card cannot be shown.',
    },
  };
const BRANDS: Readonly<Record<CardRow['brand'], string>> = { visa: 'Visa', mastercard: 'Mastercard' };

/**
 * The card view behind a reveal link (interface section 4.3). The signature authorizes the request, so the page is
 * served under any host name. Class names that start with `reveal-` are public: partners' style sheets use them.
 */
export const revealPage: Page = {
  prefix: '/reveal',
  acceptsOwnFormsOnly: false,
  show({ state, id, query, isPreview }) {
    const reveal = openLink(state, id, query, isPreview);
    return reveal.problem === null
      ? cardView(state, reveal)
      : problemView(state, reveal.problem, reveal.link);
  },
};

function cardView(
  state: WorldState,
  { link, card, printed }: Extract<Reveal, { readonly problem: null }>,
): Document {
  const [year = '', month = ''] = printed.expiry.split('-');
  const button = html`
<div class="reveal-actions">
<button class="reveal-copy" type="button">${COPY_ICON}<span>Copy number</span></button>
<span class="reveal-copy-status" role="status"></span>
</div>`;
  const body = html`<main class="reveal-page">
<h1 class="reveal-title">Card details</h1>
<div class="reveal-card reveal-card-${card.brand}">
<div class="reveal-head"><span class="reveal-brand">${BRANDS[card.brand]}</span><span class="reveal-badge">Test card</span></div>
<dl class="reveal-fields">
<div class="reveal-field reveal-field-number"><dt class="reveal-label">Card number</dt><dd class="reveal-value reveal-number">${groupDigits(printed.number)}</dd></div>
<div class="reveal-field reveal-field-name"><dt class="reveal-label">Name</dt><dd class="reveal-value reveal-name">${card.nameOnCard}</dd></div>
<div class="reveal-field reveal-field-expiry"><dt class="reveal-label">Expires</dt><dd class="reveal-value reveal-expiry">${month}/${year.slice(-2)}</dd></div>
<div class="reveal-field reveal-field-cvv"><dt class="reveal-label">CVV</dt><dd class="reveal-value reveal-cvv">${printed.cvv}</dd></div>
</dl>${link.copyPan ? button : null}
</div>
</main>`;
  return {
    status: 200,
    title: 'Card details',
    body,
    style: STYLE,
    stylesheetUrl: link.stylesheetUrl,
    script: link.copyPan ? COPY_SCRIPT : null,
    frameAncestors: frameAncestorsFor(state, link),
  };
}

function problemView(state: WorldState, problem: LinkProblem, link: RevealLinkRow | null): Document {
  const { status, heading, text } = PROBLEM_PAGES[problem];
  const stylesheetUrl = problem === 'altered' ? null : (link?.stylesheetUrl ?? null);
  return {
    status,
    title: heading,
    body: html`<main class="reveal-page">
<div class="reveal-message reveal-message-${problem}">
<h1 class="reveal-message-title">${heading}</h1>
<p class="reveal-message-text">${text}</p>
</div>
</main>`,
    style: STYLE,
    stylesheetUrl,
    frameAncestors: frameAncestorsFor(state, link),
  };
}

/** Returns the origins that may show the view in a frame: the partner's allowed origins. If empty, every page may. */
function frameAncestorsFor(state: WorldState, link: RevealLinkRow | null): readonly string[] {
  return link === null ? [] : state.table(partners).existing(link.partnerId).settings.allowedOrigins;
}

function groupDigits(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}

const COPY_ICON = ownMarkup(
  '<svg class="reveal-copy-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 3.5v-.25c0-.7-.55-1.25-1.25-1.25h-6c-.7 0-1.25.55-1.25 1.25v6c0 .7.55 1.25 1.25 1.25h.25"/></svg>',
);

/**
 * The script of the copy button. A cross-site frame may write to the clipboard only if its parent page allows it;
 * otherwise the older `copy` command still works on a click. If both fail, the script selects the number.
 */
const COPY_SCRIPT = `
addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('.reveal-copy');
  const number = document.querySelector('.reveal-number');
  const status = document.querySelector('.reveal-copy-status');
  const digits = number.textContent.replace(/\\D/g, '');

  function copyByCommand() {
    const selection = getSelection();
    let copied = false;
    const take = event => {
      event.clipboardData.setData('text/plain', digits);
      event.preventDefault();
      copied = true;
    };
    selection.selectAllChildren(number);
    document.addEventListener('copy', take);
    const done = document.execCommand('copy');
    document.removeEventListener('copy', take);
    if (done && copied) selection.removeAllRanges();
    return done && copied;
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(digits);
      return true;
    } catch {
      return copyByCommand();
    }
  }

  button.addEventListener('click', async () => {
    // Cleared first, so that a screen reader announces the same text again.
    status.textContent = '';
    status.textContent = await copy() ? 'Copied' : 'Selected: press Ctrl+C to copy';
  });
});
`;

/**
 * The style of the card view. Each rule has one class, so that a rule with one class in a partner's style sheet wins.
 * There is no colour scheme, because a frame with another scheme than its parent page is not transparent.
 */
const STYLE = `
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; line-height: 1.4; }
.reveal-page { display: grid; place-content: center; grid-template-columns: minmax(0, 24rem); min-height: 100vh; min-height: 100dvh; padding: 0.75rem; }
.reveal-title { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.reveal-card { display: flex; flex-direction: column; justify-content: space-between; gap: 1rem; min-height: 13.5rem; padding: 1.25rem 1.375rem; border-radius: 1rem; color: #f8fafc; background-color: #1b2438; background-image: radial-gradient(120% 140% at 100% 0%, #3b4a78 0%, rgb(59 74 120 / 0) 60%); box-shadow: 0 1px 2px rgb(15 23 42 / 0.25), 0 8px 20px -8px rgb(15 23 42 / 0.45); }
.reveal-head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.reveal-brand { font-size: 1.0625rem; font-weight: 700; letter-spacing: 0.01em; }
.reveal-badge { padding: 0.125rem 0.5rem; border: 1px solid #7f8db0; border-radius: 1rem; color: #e2e8f0; font-size: 0.75rem; }
.reveal-fields { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 0.875rem 1.25rem; margin: 0; }
.reveal-field { min-width: 0; }
.reveal-field-number { grid-column: 1 / -1; }
.reveal-label { color: #c3cce0; font-size: 0.75rem; }
.reveal-value { margin: 0.125rem 0 0; font-size: 1rem; font-weight: 500; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.reveal-number { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: clamp(1rem, 6vw, 1.375rem); letter-spacing: 0.02em; white-space: nowrap; }
.reveal-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; }
.reveal-copy { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; padding: 0.5rem 0.875rem; border: 1px solid #7f8db0; border-radius: 0.5rem; color: #f8fafc; background: #2c3858; font: inherit; font-size: 0.9375rem; font-weight: 500; cursor: pointer; }
.reveal-copy:hover { background: #3a486e; }
.reveal-copy:focus-visible { outline: 3px solid #fff; outline-offset: 2px; }
.reveal-copy-status { font-size: 0.875rem; }
.reveal-message { padding: 1.25rem 1.375rem; border-radius: 1rem; color: #f8fafc; background: #1b2438; overflow-wrap: anywhere; }
.reveal-message-title { margin: 0; font-size: 1.0625rem; font-weight: 650; }
.reveal-message-text { margin: 0.375rem 0 0; color: #c3cce0; font-size: 0.9375rem; }
`;
