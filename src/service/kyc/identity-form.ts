import { describeIssue } from '../../core/values/schemas/validation-messages.ts';
import { Identity, personFor } from './identity.ts';
import { FORM_FIELDS } from './page-fields.ts';

/** The form of the hosted page: its values, its problems, and the identity if there are none. */
export interface IdentityForm {
  /** Values as typed, by field. */
  readonly values: ReadonlyMap<string, string>;
  /** Problems, by field. */
  readonly problems: ReadonlyMap<string, string>;
  readonly identity: Identity | null;
}

/** Returns the form as first shown: filled in with the generated person of the session. */
export function initialForm(sessionId: string): IdentityForm {
  const identity = personFor(sessionId);
  return { values: new Map(Object.entries(identity)), problems: new Map(), identity };
}

/** Parses a submitted form. Empty fields are not part of the identity; a country code may be in lower case. */
export function parseForm(form: URLSearchParams): IdentityForm {
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
