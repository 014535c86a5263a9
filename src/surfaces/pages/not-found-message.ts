import { API_PREFIX, CONTROL_PREFIX } from '../../kernel/operation/plane.ts';

/** What whoever asks for a path that nothing is served at is told, with where they may have wanted to go. */
export function notFoundMessage(path: string): string {
  return `nothing is served at ${path}: the API is below ${API_PREFIX}, the control plane below ${CONTROL_PREFIX}${hintFor(path)}`;
}

function hintFor(path: string): string {
  if (path.startsWith('/partner')) return `; did you mean ${API_PREFIX}${path}?`;
  if (/^\/reveal(?:\/|$)/.test(path)) {
    return `; a card is shown at the accessUrl that POST ${API_PREFIX}/partner/cards/{id}/reveal-html answers`;
  }
  if (/^\/kyc(?:\/|$)/.test(path)) {
    return `; a person is identified at the url that POST ${API_PREFIX}/partner/kyc-sessions answers`;
  }
  return '';
}
