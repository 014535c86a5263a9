import { API_PREFIX, CONTROL_PREFIX } from '../../core/values/plane.ts';

/** The message for a path at which nothing is served, with a hint at the path that was probably meant. */
export function notFoundMessage(path: string): string {
  return `nothing is served at ${path}: the API is below ${API_PREFIX}, the control plane below ${CONTROL_PREFIX}${hintFor(path)}`;
}

function hintFor(path: string): string {
  if (path.startsWith(`/${API_PREFIX}/`)) return `; did you mean ${path.slice(1)}?`;
  if (path.startsWith('/partner')) return `; did you mean ${API_PREFIX}${path}?`;
  if (/^\/reveal(?:\/|$)/.test(path)) {
    return `; a card is shown at the accessUrl that POST ${API_PREFIX}/partner/cards/{id}/reveal-html returns`;
  }
  if (/^\/kyc(?:\/|$)/.test(path)) {
    return `; a person is identified at the url that POST ${API_PREFIX}/partner/kyc-sessions returns`;
  }
  return '';
}
