import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { callApi, withToast } from '../../data/actions.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/panel.tsx';

/** Shows a card's details as a partner's app does: through a single-use link in an iframe. */
export function Reveal({ cardId }: { readonly cardId: string }) {
  const frameUrl = useSignal<string | null>(null);
  async function open() {
    const { accessUrl } = await callApi<{ accessUrl: string }>(
      'POST',
      `/partner/cards/${cardId}/reveal-html`,
      { copyPan: true },
    );
    const { pathname, search } = new URL(accessUrl);
    // Relative to this page, which may have been opened under another host name than the one in the link.
    frameUrl.value = pathname + search;
  }
  return (
    <>
      <Button icon="eye" onClick={() => void withToast('Single-use link opened', open)}>
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
      <p class="note">The link works once, within 60 seconds. It is used up now.</p>
    </dialog>
  );
}
