import { useSignal } from '@preact/signals';
import { needsToken, setToken } from '../data/http.ts';
import { loadAll } from '../data/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/form.tsx';

/** Asks for the control token when the control plane requires one: the sandbox listens beyond loopback. */
export function TokenPrompt() {
  const token = useSignal('');
  function submit(event: Event) {
    event.preventDefault();
    setToken(token.value.trim());
    void loadAll();
  }
  if (!needsToken.value) return null;
  return (
    <Dialog title="Control token">
      <form onSubmit={submit}>
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
    </Dialog>
  );
}
