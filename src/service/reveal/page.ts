import { partners } from '../../core/access/partners.ts';
import { html, ownMarkup } from '../../core/page/html.ts';
import type { Document, Page } from '../../core/page/page.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { CardRow, VaultRow } from '../cards/records.ts';
import { type LinkProblem, openLink } from './links.ts';
import type { RevealLinkRow } from './records.ts';
import { COPY_SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { STYLE_SCRIPT } from './style-report.ts';

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
  isFenced: false,
  show({ state, id, query, isPreview }) {
    const reveal = openLink(state, id, query, isPreview);
    const { link } = reveal;
    return reveal.problem === null
      ? cardView(state, reveal.link, reveal.card, reveal.printed)
      : problemView(state, reveal.problem, link);
  },
};

function cardView(state: WorldState, link: RevealLinkRow, card: CardRow, printed: VaultRow): Document {
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
    script: scriptOf(link.stylesheetUrl, link.copyPan),
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
    script: scriptOf(stylesheetUrl, false),
    frameAncestors: frameAncestorsFor(state, link),
  };
}

/** Returns the script of the view, or null when it needs none. */
function scriptOf(stylesheetUrl: string | null, hasCopyButton: boolean): string | null {
  const scripts = [
    ...(stylesheetUrl === null ? [] : [STYLE_SCRIPT]),
    ...(hasCopyButton ? [COPY_SCRIPT] : []),
  ];
  return scripts.length === 0 ? null : scripts.join('');
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
