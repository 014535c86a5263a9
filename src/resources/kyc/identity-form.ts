import { describeIssue } from '../../kernel/request/validation-messages.ts';
import { Identity, personFor } from './identity.ts';
import { FORM_FIELDS } from './page-fields.ts';

/** What stands in the form of the hosted page, what is wrong with it, and who it describes if nothing is. */
export interface IdentityForm {
  /** What was typed, by field. */
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong, by field. */
  readonly problems: ReadonlyMap<string, string>;
  readonly identity: Identity | null;
}

/** The form as it is first shown: filled in with the person that the session's id always stands for. */
export function initialForm(sessionId: string): IdentityForm {
  const identity = personFor(sessionId);
  return { values: new Map(Object.entries(identity)), problems: new Map(), identity };
}

/** Reads a form that was sent. What was left empty is not part of the identity; a country code may be in small letters. */
export function parseForm(form: URLSearchParams): IdentityForm {
  const values = new Map(FORM_FIELDS.map(({ name }) => [name, form.get(name) ?? '']));
  const typed = [...values].map(([name, value]) => {
    const text = value.trim();
    return [name, name === 'residenceCountryCode' ? text.toUpperCase() : text] as const;
  });
  const given = Object.fromEntries(typed.filter(([, text]) => text !== ''));
  const result = Identity.safeParse(given, { error: describeIssue });
  if (result.success) return { values, problems: new Map(), identity: result.data };
  const problems = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]));
  return { values, problems, identity: null };
}
