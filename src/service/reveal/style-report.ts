import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import type { Page } from '../../core/page/page.ts';
import { html } from '../../core/page/page.ts';
import { findLink } from './rules.ts';

const RULE = assumed('reveal');
const PREFIX = '/reveal-report';
/** Cap on the length of a reported URL. */
const MAX_URL_LENGTH = 300;

/**
 * What can go wrong with the style sheet of a card view. Those with `-src` are directives of the page's policy, as the
 * browser names them.
 */
const STYLE_PROBLEMS: Readonly<Record<string, string>> = {
  stylesheet:
    'the style sheet was not applied; its server must answer with status 200 and Content-Type: text/css',
  'style-src-elem':
    'an @import of the style sheet was blocked; only the style sheet itself is loaded, so it must contain all rules',
  'font-src':
    "a font of the style sheet was blocked; fonts load from the style sheet's own origin and from data: URLs",
  'img-src':
    "an image of the style sheet was blocked; images load from the style sheet's own origin and from data: URLs",
  font: "a font of the style sheet did not load; it must come from the style sheet's own origin, with status 200 and Access-Control-Allow-Origin: *",
};

/**
 * The script of a card view with a style sheet. Says in the console what was not loaded, and reports it to the sandbox.
 */
export const STYLE_SCRIPT = `
(() => {
  const texts = ${JSON.stringify(STYLE_PROBLEMS)};
  const reported = new Set();
  let hasBlockedImport = false;

  function report(problem, url) {
    const text = 'card-sandbox: ' + texts[problem] + ': ' + url;
    if (!(problem in texts) || reported.has(text)) return;
    reported.add(text);
    console.error(text);
    const path = location.pathname.replace('/reveal/', '${PREFIX}/');
    navigator.sendBeacon(path + location.search, new URLSearchParams({ problem, url }));
  }

  document.addEventListener('error', ({ target }) => {
    // A blocked @import raises the event too, although the style sheet itself is applied.
    if (target instanceof HTMLLinkElement && !hasBlockedImport) report('stylesheet', target.href);
  }, true);
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    hasBlockedImport ||= effectiveDirective === 'style-src-elem';
    report(effectiveDirective, blockedURI);
  });
  document.fonts.addEventListener('loadingerror', event => {
    for (const { family } of event.fontfaces) report('font', family);
  });
})();
`;

/**
 * Takes the reports of card views about their style sheets. A report becomes a hint at the journal entry of the request
 * for the link, because the pages themselves are not in the journal. The signature of the link authorizes it.
 */
export const styleReportPage: Page = {
  prefix: PREFIX,
  isFenced: false,
  show() {
    throw new ApiError(405, RULE, 'reports about a style sheet are sent with POST', {
      headers: { Allow: 'POST, OPTIONS' },
    });
  },
  submit({ state, id, query }, form) {
    if (findLink(state, id, query) === null) throw new ApiError(403, RULE, 'this link was changed');
    const problem = form.get('problem') ?? '';
    const text = Object.hasOwn(STYLE_PROBLEMS, problem) ? STYLE_PROBLEMS[problem] : undefined;
    if (text === undefined) {
      throw badRequest(RULE, `problem: must be one of ${Object.keys(STYLE_PROBLEMS).join(', ')}`);
    }
    const url = (form.get('url') ?? '').slice(0, MAX_URL_LENGTH);
    state.journal.addHint(
      ({ operation, responseBody }) =>
        operation === 'cards.reveal' && responseBody.includes(`/reveal/${id}?`),
      `The browser reports: ${text}: ${url}`,
    );
    return {
      status: 200,
      title: 'Thank you',
      body: html`<main><h1>Thank you</h1></main>`,
      style: '',
      frameAncestors: [],
    };
  },
};
