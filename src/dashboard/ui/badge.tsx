import type {
  Card,
  Cardholder,
  Delivery,
  KycSession,
  ShareToken,
  Transaction,
} from '../data/response-types.ts';
import { readable } from './format.ts';

type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet';
type State =
  | Card['status']
  | Cardholder['status']
  | Cardholder['kyc']['state']
  | Delivery['status']
  | KycSession['status']
  | ShareToken['outcome']
  | Transaction['status'];

const TONES: Readonly<Record<State, Tone>> = {
  active: 'good',
  approved: 'good',
  delivered: 'good',
  settled: 'good',
  authorized: 'info',
  created: 'info',
  in_flight: 'info',
  frozen: 'info',
  pending: 'warn',
  suspended: 'warn',
  manual: 'warn',
  rejected: 'bad',
  reject: 'bad',
  failed: 'bad',
  declined: 'bad',
  approve: 'quiet',
  cancelled: 'quiet',
  closed: 'quiet',
  reversed: 'quiet',
  expired: 'quiet',
  not_submitted: 'quiet',
};

export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return <span class={`badge ${tone}`}>{text}</span>;
}

export function StateBadge({ state, label }: { readonly state: State; readonly label?: string }) {
  return <Badge tone={TONES[state]} text={label ?? readable(state)} />;
}

/** An HTTP status in the color of its class. Null means that there was no response. */
export function StatusCode({ status }: { readonly status: number | null }) {
  if (status === null) return <span class="code bad">none</span>;
  const tone = status < 300 ? 'good' : status < 400 ? 'info' : status < 500 ? 'warn' : 'bad';
  return <span class={`code ${tone}`}>{status}</span>;
}

/** Returns a path that may be broken behind its slashes. */
export function breakable(path: string) {
  return path.split(/(?<=\/)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));
}

interface CallProps {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
}

export function Call({ method, path, query = '' }: CallProps) {
  return (
    <>
      <span class="method">{method}</span>{' '}
      <code>
        {breakable(path)}
        {query !== '' && `?${query}`}
      </code>
    </>
  );
}
