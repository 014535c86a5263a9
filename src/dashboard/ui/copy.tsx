import { useSignal } from '@preact/signals';
import { after, copyText } from '../browser.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

const SHOWN_MS = 1_500;
const KEY_PREFIX = 'sk_test_';

interface CopyProps {
  /** The text, or what makes it when it is copied. */
  readonly text: string | (() => string);
  readonly title: string;
  /** Without a label the button is an icon. */
  readonly label?: string;
}

export function Copy({ text, title, label }: CopyProps) {
  const isCopied = useSignal(false);
  async function copy() {
    if (!(await copyText(typeof text === 'string' ? text : text()))) {
      toast('bad', 'The browser does not allow this page to copy');
      return;
    }
    isCopied.value = true;
    after(SHOWN_MS, () => {
      isCopied.value = false;
    });
  }
  const icon = isCopied.value ? 'check' : 'copy';
  if (label === undefined) return <Button icon={icon} label={title} onClick={copy} />;
  return (
    <Button icon={icon} title={title} onClick={copy}>
      {isCopied.value ? 'Copied' : label}
    </Button>
  );
}

export function Id({ value }: { readonly value: string }) {
  return (
    <span class="id">
      <code>{value}</code>
      <Copy text={value} title={`Copy ${value}`} />
    </span>
  );
}

/** A secret, masked until the user shows it. It can be copied while it is masked. */
export function Secret({ value, name }: { readonly value: string; readonly name: string }) {
  const isShown = useSignal(false);
  // Every key of a sandbox begins so.
  const known = value.startsWith(KEY_PREFIX) ? KEY_PREFIX : '';
  return (
    <span class="id secret">
      <code>{isShown.value ? value : `${known}${'•'.repeat(12)}`}</code>
      <Button
        icon="eye"
        label={`${isShown.value ? 'Hide' : 'Show'} ${name}`}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      />
      <Copy text={value} title={`Copy ${name}`} />
    </span>
  );
}
