import { useSignal } from '@preact/signals';
import { after, copyText } from '../browser/timers.ts';
import { Icon } from './icons.tsx';
import { toast } from './toast.tsx';

const SHOWN_MS = 1_500;

/** A button that puts a text on the clipboard, and says so. */
export function Copy({
  text,
  label,
  title,
}: {
  readonly text: string;
  readonly label?: string;
  readonly title: string;
}) {
  const done = useSignal(false);
  async function copy() {
    if (!(await copyText(text))) {
      toast('bad', 'The browser does not allow copying here');
      return;
    }
    done.value = true;
    after(SHOWN_MS, () => {
      done.value = false;
    });
  }
  const name = label === undefined ? { 'aria-label': title } : {};
  return (
    <button
      type="button"
      class={label === undefined ? 'icon-button' : 'button small'}
      onClick={copy}
      title={title}
      {...name}
    >
      <Icon name={done.value ? 'check' : 'copy'} />
      {label !== undefined && <span>{done.value ? 'Copied' : label}</span>}
    </button>
  );
}

/** An id in type that tells 0 from O, with its copy button. */
export function Id({ value }: { readonly value: string }) {
  return (
    <span class="id">
      <code>{value}</code>
      <Copy text={value} title={`Copy ${value}`} />
    </span>
  );
}

/** A secret: masked until it is asked for, and copyable without showing it. */
export function Secret({ value, name }: { readonly value: string; readonly name: string }) {
  const isShown = useSignal(false);
  return (
    <span class="id secret">
      <code>{isShown.value ? value : `${value.slice(0, 8)}${'•'.repeat(12)}`}</code>
      <button
        type="button"
        class="icon-button"
        aria-label={`${isShown.value ? 'Hide' : 'Show'} ${name}`}
        aria-pressed={isShown.value}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        <Icon name="eye" />
      </button>
      <Copy text={value} title={`Copy ${name}`} />
    </span>
  );
}
