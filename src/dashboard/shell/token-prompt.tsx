import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { needsToken, setToken } from '../data/http.ts';
import { loadAll } from '../data/store.ts';
import { Input } from '../ui/input.tsx';

/** Asks for the control token when the control plane requires one: the sandbox listens beyond loopback. */
export function TokenPrompt() {
  return needsToken.value ? <OpenPrompt /> : null;
}

function OpenPrompt() {
  const dialog = useRef<HTMLDialogElement>(null);
  const token = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);
  function submit(event: Event) {
    event.preventDefault();
    setToken(token.value.trim());
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
          This sandbox is reachable from other machines, so its control plane requires the token that was
          printed at the start. The token is kept until you close this tab.
        </p>
        <div class="fields">
          <Input
            field={{ name: 'token', label: 'Token' }}
            value={token.value}
            onInput={value => {
              token.value = value;
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
