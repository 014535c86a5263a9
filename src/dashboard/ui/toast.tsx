import { signal } from '@preact/signals';
import { after } from '../browser.ts';
import { linkTo } from '../route.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Id of the journal entry to link to, or null. */
  readonly journalId: string | null;
  readonly undo: (() => void) | null;
  /** How many times it was shown while it was on the page. */
  readonly times: number;
  readonly cancelTimer: () => void;
}

const SHOWN_MS = { good: 4_000, bad: 9_000 } as const;
const MAX_TOASTS = 3;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/**
 * Shows a toast for a few seconds; an error stays longer. A toast that is already on the page is counted instead, and undoes
 * all that it counts.
 */
export function toast(
  tone: Toast['tone'],
  text: string,
  { journalId = null, undo = null }: Partial<Pick<Toast, 'journalId' | 'undo'>> = {},
): void {
  const same = toasts.value.find(each => each.tone === tone && each.text === text);
  same?.cancelTimer();
  lastId += 1;
  const id = same?.id ?? lastId;
  const shown: Toast = {
    id,
    tone,
    text,
    journalId,
    undo: inTurn(undo, same?.undo ?? null),
    times: (same?.times ?? 0) + 1,
    cancelTimer: after(undo === null ? SHOWN_MS[tone] : SHOWN_MS.bad, () => dismiss(id)),
  };
  const others = toasts.value.filter(each => each !== same);
  toasts.value = [...others.slice(1 - MAX_TOASTS), shown];
}

function inTurn(last: Toast['undo'], first: Toast['undo']): Toast['undo'] {
  if (last === null || first === null) return last ?? first;
  return () => {
    last();
    first();
  };
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter(each => each.id !== id);
}

/** The toasts that are shown now. They have a place of their own below the page and cover nothing. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text, journalId, undo, times }) => (
        <div key={id} class={`toast ${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'fault'} />
          <p>
            {text} {times > 1 && <b class="toast-times">{times} times</b>}{' '}
            {journalId !== null && <a href={linkTo('activity', journalId)}>Why</a>}
          </p>
          {undo !== null && (
            <Button
              kind="small"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <Button icon="close" label={`Dismiss: ${text}`} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
