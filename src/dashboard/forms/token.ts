import { setToken } from '../data/http.ts';
import { loadAll } from '../data/store.ts';
import { openForm } from '../ui/form.tsx';

/** Asks for the control token, which the control plane requires when the sandbox listens beyond loopback. */
export function openTokenForm(): void {
  openForm({
    title: 'Control token',
    intro:
      'This sandbox is reachable from other machines, so its control plane requires the token that was printed at the start. The token is kept until you close this tab.',
    submit: 'Open the dashboard',
    fields: () => [{ name: 'token', label: 'Token' }],
    async run({ token }) {
      await setToken(String(token).trim());
      await loadAll();
    },
  });
}
