import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { attempt, callApi } from '../../data/actions.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/panel.tsx';

/** Shows a card's details as a partner's app would: by a link that is good once, in an iframe. */
export function Reveal({ cardId }: { readonly cardId: string }) {
  const frameUrl = useSignal<string | null>(null);
  async function open() {
    const { accessUrl } = await callApi<{ accessUrl: string }>(
      'POST',
      `/partner/cards/${cardId}/reveal-html`,
      {
        copyPan: true,
      },
    );
    const { pathname, search } = new URL(accessUrl);
    // Under the name by which this page was called, which may not be the one in the link.
    frameUrl.value = pathname + search;
  }
  return (
    <>
      <Button icon="eye" onClick={() => void attempt('The link is used up by this one look', open)}>
        Reveal
      </Button>
      {frameUrl.value !== null && (
        <RevealDialog
          url={frameUrl.value}
          onClose={() => {
            frameUrl.value = null;
          }}
        />
      )}
    </>
  );
}

function RevealDialog({ url, onClose }: { readonly url: string; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog reveal" aria-labelledby="reveal-title" onClose={onClose}>
      <header>
        <h2 id="reveal-title">Card details</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <iframe title="Card details" src={url} allow="clipboard-write" />
      <p class="note">The link was good for this one look, within 60 seconds.</p>
    </dialog>
  );
}
