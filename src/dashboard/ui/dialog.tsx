import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  /** Its class, for its size. */
  readonly kind?: string;
  /** Closes the dialog. One without it stays open until its work is done. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Its first field takes the focus, and its opener gets it back. */
export function Dialog({ title, kind = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.field input, .field select')?.focus();
    // What was created takes the focus from here, if the dialog created something.
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onCancel={event => onClose === undefined && event.preventDefault()}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
