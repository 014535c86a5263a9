import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** What is shown above the page. Its title tells it from others. */
interface Dialog {
  readonly title: string;
  /** Its class, for its size. */
  readonly kind?: string;
  readonly Content: (props: ContentProps) => VNode;
}

interface ContentProps {
  /** Closes this dialog, but not one that was opened after it. */
  readonly close: () => void;
}

const current = signal<Dialog | null>(null);

export function openDialog(dialog: Dialog): void {
  current.value = dialog;
}

/** The modal dialog that is open, if one is. */
export function OpenDialog() {
  const dialog = current.value;
  return dialog && <Modal key={dialog.title} dialog={dialog} />;
}

/** The first field or the current entry takes the focus, and the opener gets it back. */
function Modal({ dialog }: { readonly dialog: Dialog }) {
  const { title, kind = '', Content } = dialog;
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>('.field input, .field select, [aria-current]')?.focus();
    // What was created takes the focus from here, if the dialog created something.
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const close = () => {
    if (current.value === dialog) current.value = null;
  };
  return (
    <dialog ref={box} class={`dialog ${kind}`} aria-labelledby="dialog-title" onClose={close}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        <Button icon="close" label="Close" onClick={close} />
      </header>
      <Content close={close} />
    </dialog>
  );
}
