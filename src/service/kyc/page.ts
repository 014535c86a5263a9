import { URL, URLSearchParams } from 'node:url';
import { partners } from '../../core/access/partners.ts';
import { type Document, type Html, html, type Page, pagePath, type Redirect } from '../../core/page/page.ts';
import { describeIssue } from '../../core/values/schemas/validation-messages.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { Identity, personFor } from './identity.ts';
import { STYLE } from './page-style.ts';
import { type KycSessionRow, kycSessions, sessionStatus } from './records.ts';
import { REJECTION_REASONS, reasonsAmong } from './rejection-reasons.ts';
import { decideKycSession } from './rules.ts';

/**
 * The hosted page of a KYC session: a form with a generated person, which can be edited, and the two decisions. It
 * works without JavaScript, and accepts its form only from itself.
 */
export const kycPage: Page = {
  prefix: '/kyc',
  acceptsOwnFormsOnly: true,
  show({ state, id }) {
    const row = state.table(kycSessions).get(id);
    if (row === undefined) return notFoundView();
    return sessionStatus(state, row) === 'pending'
      ? formView(state, row, initialForm(state, row), 200)
      : resultView(state, row, false);
  },
  submit({ state, id }, form) {
    const row = state.table(kycSessions).get(id);
    if (row === undefined) return notFoundView();
    if (sessionStatus(state, row) !== 'pending') return resultView(state, row, true);
    const decision = form.get('decision');
    const parsed = parseForm(form);
    if (decision === 'reject')
      return redirectAfter(
        state,
        decideKycSession(state, row, 'rejected', { reasons: reasonsAmong(form.getAll('reason')) }),
      );
    if (decision !== 'approve') return formView(state, row, parsed, 400, 'Press Approve or Reject.');
    if (parsed.identity === null) return formView(state, row, parsed, 400);
    return redirectAfter(state, decideKycSession(state, row, 'approved', { identity: parsed.identity }));
  },
};

/** Redirects after a decision: back to the app, or to this page, which then shows the result. */
function redirectAfter(state: WorldState, row: KycSessionRow): Redirect {
  return { location: returnUrl(row) ?? pagePath(state, `/kyc/${row.id}`) };
}

/**
 * Returns the app's URL with the session's id and status added to its query, or null when the session has no
 * redirect URL. The URL's own query and fragment stay.
 */
function returnUrl({ redirectUrl, id, status }: KycSessionRow): string | null {
  if (redirectUrl === null) return null;
  const url = new URL(redirectUrl);
  // Not with `URLSearchParams`, which would encode the other parameters again.
  const own = url.search
    .slice(1)
    .split('&')
    .filter(pair => !/^(?:kycSessionId|status)(?:=|$)/.test(pair));
  url.search = [...own.filter(pair => pair !== ''), new URLSearchParams({ kycSessionId: id, status })].join(
    '&',
  );
  return url.href;
}

/** The form of the hosted page: its values, its problems, and the identity if there are none. */
interface IdentityForm {
  /** Values as typed, by field. */
  readonly values: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
  readonly identity: Identity | null;
}

/** Returns the form as first shown: filled in with the generated person of the session. */
function initialForm(state: WorldState, { id }: KycSessionRow): IdentityForm {
  const identity = personFor(id, state.setup.people);
  return { values: new Map(Object.entries(identity)), problems: new Map(), identity };
}

/** Parses a submitted form. Empty fields are not part of the identity; a country code may be in lower case. */
function parseForm(form: URLSearchParams): IdentityForm {
  const values = new Map(FORM_FIELDS.map(({ name }) => [name, form.get(name) ?? '']));
  const entries = [...values].map(([name, value]) => {
    const text = value.trim();
    return [name, name === 'residenceCountryCode' ? text.toUpperCase() : text] as const;
  });
  const members = Object.fromEntries(entries.filter(([, text]) => text !== ''));
  const result = Identity.safeParse(members, { error: describeIssue });
  if (result.success) return { values, problems: new Map(), identity: result.data };
  const problems = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]));
  return { values, problems, identity: null };
}

interface FormField {
  readonly name: keyof Identity;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Whether two such fields share a line on a wide screen. */
  readonly isHalfWidth?: boolean;
}

export const FORM_FIELDS: readonly FormField[] = [
  { name: 'firstName', label: 'First name', autocomplete: 'given-name', isRequired: true, isHalfWidth: true },
  { name: 'lastName', label: 'Last name', autocomplete: 'family-name', isRequired: true, isHalfWidth: true },
  { name: 'residenceAddressDetail', label: 'Street and number', autocomplete: 'street-address' },
  { name: 'postalCode', label: 'Postal code', autocomplete: 'postal-code', isHalfWidth: true },
  { name: 'residenceCity', label: 'City', autocomplete: 'address-level2', isHalfWidth: true },
  {
    name: 'residenceStateProvince',
    label: 'State or province',
    autocomplete: 'address-level1',
    isHalfWidth: true,
  },
  {
    name: 'residenceCountryCode',
    label: 'Country code',
    autocomplete: 'country',
    hint: 'Two letters, such as DE or US',
    isHalfWidth: true,
  },
];

function formView(
  state: WorldState,
  row: KycSessionRow,
  { values, problems }: IdentityForm,
  status: number,
  problem: string | null = null,
): Document {
  const partner = state.table(partners).existing(row.partnerId);
  const invalid = FORM_FIELDS.filter(({ name }) => problems.has(name));
  const list = invalid.map(
    ({ name, label }) => html`<li><a href="#${name}">${label} ${problems.get(name) ?? ''}</a></li>`,
  );
  const summary =
    problem !== null
      ? html`<div class="kyc-problem" role="alert"><p>${problem}</p></div>`
      : invalid.length > 0
        ? html`<div class="kyc-problem" role="alert"><h2>Please correct</h2><ul>${list}</ul></div>`
        : null;
  const body = html`
<h1>Confirm your identity</h1>
<p class="kyc-lead">${partner.name} asks you to confirm your identity. These details are made up; you can change them.</p>
${summary}
<form method="post" action="${pagePath(state, `/kyc/${row.id}`)}" novalidate>
<div class="kyc-fields">${FORM_FIELDS.map(field => fieldView(field, values.get(field.name) ?? '', problems.get(field.name)))}</div>
<section class="kyc-sandbox" aria-labelledby="kyc-sandbox">
<h2 id="kyc-sandbox">Only in the sandbox: decide the result</h2>
<p>A real provider checks a document and a selfie here, and shows no such buttons.</p>
<div class="kyc-actions">
<button class="kyc-approve" name="decision" value="approve">Approve</button>
<button class="kyc-reject" name="decision" value="reject">Reject</button>
</div>
<details class="kyc-reasons"><summary>Reason for rejection</summary>${Object.entries(REJECTION_REASONS).map(([reason, text]) => html`<label><input type="checkbox" name="reason" value="${reason}"> ${text}</label>`)}</details>
</section>
</form>`;
  const title = summary === null ? 'Confirm your identity' : 'Please correct: Confirm your identity';
  return sessionView(state, row, { status, title, body });
}

function fieldView(
  { name, label, autocomplete, hint, isRequired, isHalfWidth }: FormField,
  value: string,
  problem?: string,
) {
  const notes = new Map<string, Html>();
  if (hint !== undefined) notes.set(`${name}-hint`, html`<p class="kyc-hint" id="${name}-hint">${hint}</p>`);
  if (problem !== undefined) {
    notes.set(`${name}-error`, html`<p class="kyc-error" id="${name}-error">${label} ${problem}</p>`);
  }
  const attributes = [
    ...(isRequired ? [html` required`] : []),
    ...(problem === undefined ? [] : [html` aria-invalid="true"`]),
    ...(notes.size === 0 ? [] : [html` aria-describedby="${[...notes.keys()].join(' ')}"`]),
  ];
  return html`
<div class="kyc-field${isHalfWidth ? ' kyc-half' : ''}">
<label for="${name}">${label}${isRequired ? null : html` <span class="kyc-optional">(optional)</span>`}</label>
<input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"${attributes}>
${[...notes.values()]}
</div>`;
}

const RESULTS = {
  approved: {
    code: 200,
    heading: 'Identity confirmed',
    text: 'Thank you. There is nothing else to do here.',
    mark: 'M15 25l6 6 12-13',
  },
  rejected: {
    code: 200,
    heading: 'We could not confirm your identity',
    text: 'This happens, for example when a photo is blurred or a document has expired. Go back to the app: it can start a new check, and its support can help you.',
    mark: 'M17 17l14 14M31 17L17 31',
  },
  expired: {
    code: 410,
    heading: 'This session has expired',
    text: 'It was open for 24 hours. Ask the app for a new one.',
    mark: 'M24 13v12l7 5',
  },
} as const;

/** Shows the result of a session. `isLate` is for a form that arrives after the decision. */
function resultView(state: WorldState, row: KycSessionRow, isLate: boolean): Document {
  const status = sessionStatus(state, row);
  const { code, heading, text, mark } = RESULTS[status === 'pending' ? 'expired' : status];
  const continueUrl = status === 'expired' ? null : returnUrl(row);
  const continueLink =
    continueUrl === null
      ? html`<p>You can close this page.</p>`
      : html`<p><a class="kyc-continue" href="${continueUrl}">Continue to ${new URL(continueUrl).host}</a></p>`;
  const body = html`
<svg class="kyc-mark kyc-mark-${status}" viewBox="0 0 48 48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><circle cx="24" cy="24" r="21"/><path d="${mark}"/></svg>
<h1>${heading}</h1>
<div role="status"><p class="kyc-lead">${text}${isLate && code === 200 ? ' It was already decided, so nothing changed.' : ''}</p></div>
${status === 'expired' ? null : continueLink}`;
  return sessionView(state, row, { status: isLate && code === 200 ? 409 : code, title: heading, body });
}

function notFoundView(): Document {
  const body = html`
<h1>Session not found</h1>
<p class="kyc-lead">The link may be misspelt, or from before a reset of the sandbox. Ask the app for a new one.</p>`;
  return {
    status: 404,
    title: 'Session not found',
    body: layout(body, null),
    style: STYLE,
    frameAncestors: [`'self'`],
  };
}

function sessionView(
  state: WorldState,
  row: KycSessionRow,
  { status, title, body }: Pick<Document, 'status' | 'title' | 'body'>,
): Document {
  // The page decides something, so only allowed origins may show it in a frame.
  const { allowedOrigins } = state.table(partners).existing(row.partnerId).settings;
  const { id, externalUserId: user } = row;
  const details = html`<p>Session ${id}${user === null ? null : html`, user ${user}`}, ${sessionStatus(state, row)}</p>`;
  return {
    status,
    title,
    body: layout(body, details),
    style: STYLE,
    frameAncestors: [`'self'`, ...allowedOrigins],
    hasForm: true,
  };
}

/** `details` is what the footer says about a session, for who builds the app. */
function layout(body: Html, details: Html | null): Html {
  return html`<main class="kyc-page">${body}</main>
<footer class="kyc-footer"><p>This is a sandbox. No documents are checked.</p>${details}</footer>`;
}
