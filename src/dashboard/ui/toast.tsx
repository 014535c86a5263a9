import { signal } from '@preact/signals';
import { after } from '../browser/timers.ts';
import { linkTo } from '../route.ts';
import { Icon } from './icons.tsx';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** The journal's entry behind it. */
  readonly journalId: string | null;
}

const SHOWN_MS = { good: 4_000, bad: 9_000 } as const;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says something in passing, for a few seconds; a refusal longer than a success. */
export function toast(tone: Toast['tone'], text: string, journalId: string | null = null): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-3), { id, tone, text, journalId }];
  after(SHOWN_MS[tone], () => dismiss(id));
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter(each => each.id !== id);
}

/** Where things are said in passing. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text, journalId }) => (
        <div key={id} class={`toast ${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'fault'} />
          <p>
            {text} {journalId !== null && <a href={linkTo('requests', journalId)}>Why</a>}
          </p>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
