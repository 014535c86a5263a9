import { words } from './format.ts';

const TONES: Readonly<Record<string, string>> = {
  active: 'good',
  approved: 'good',
  delivered: 'good',
  settled: 'good',
  authorized: 'info',
  created: 'info',
  in_flight: 'info',
  pending: 'warn',
  frozen: 'info',
  suspended: 'warn',
  manual: 'warn',
  rejected: 'bad',
  reject: 'bad',
  failed: 'bad',
  declined: 'bad',
  cancelled: 'quiet',
  closed: 'quiet',
  reversed: 'quiet',
  expired: 'quiet',
  not_submitted: 'quiet',
};

/** A state in its colour, always with its word. */
export function Badge({ state, label }: { readonly state: string; readonly label?: string }) {
  return <span class={`badge ${TONES[state] ?? 'quiet'}`}>{label ?? words(state)}</span>;
}

/** An HTTP status in the colour of its class. */
export function StatusCode({ status }: { readonly status: number | null }) {
  if (status === null) return <span class="code bad">none</span>;
  const tone = status < 300 ? 'good' : status < 400 ? 'info' : status < 500 ? 'warn' : 'bad';
  return <span class={`code ${tone}`}>{status}</span>;
}

/** An HTTP method, in a column of even width. */
export function Method({ name }: { readonly name: string }) {
  return <span class="method">{name}</span>;
}
