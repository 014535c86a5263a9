import { signal } from '@preact/signals';
import { after } from '../browser/timers.ts';
import { linkTo } from '../route.ts';
import { Icon } from './icons.tsx';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Id of the journal entry to link to, or null. */
  readonly journalId: string | null;
}

const SHOWN_MS = { good: 4_000, bad: 9_000 } as const;
const MAX_TOASTS = 4;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a toast for a few seconds; an error stays longer. */
export function toast(tone: Toast['tone'], text: string, journalId: string | null = null): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value.slice(1 - MAX_TOASTS), { id, tone, text, journalId }];
  after(SHOWN_MS[tone], () => dismiss(id));
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter(each => each.id !== id);
}

/** The toasts that are shown now. */
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
