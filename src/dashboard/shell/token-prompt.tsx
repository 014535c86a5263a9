import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { needsToken, useToken } from '../data/http.ts';
import { loadAll } from '../data/store.ts';
import { Input } from '../ui/form.tsx';

/** Asks for the control token, once, when the sandbox listens beyond loopback. */
export function TokenPrompt() {
  return needsToken.value ? <OpenPrompt /> : null;
}

function OpenPrompt() {
  const dialog = useRef<HTMLDialogElement>(null);
  const given = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);
  function submit(event: Event) {
    event.preventDefault();
    useToken(given.value.trim());
    void loadAll();
  }
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="token-title"
      onCancel={event => event.preventDefault()}
    >
      <form onSubmit={submit}>
        <header>
          <h2 id="token-title">Control token</h2>
        </header>
        <p class="note">
          This sandbox listens beyond this machine, so its control plane asks for the token that was printed
          when it started. It is kept until you close this tab.
        </p>
        <div class="fields">
          <Input
            field={{ name: 'token', label: 'Token' }}
            value={given.value}
            onInput={value => {
              given.value = value;
            }}
          />
        </div>
        <footer>
          <button type="submit" class="button primary">
            Open the dashboard
          </button>
        </footer>
      </form>
    </dialog>
  );
}
