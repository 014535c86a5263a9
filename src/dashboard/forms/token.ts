import { setToken } from '../data/http.ts';
import { loadAll } from '../data/store.ts';
import { presented } from '../present/address.ts';
import { openForm } from '../ui/form.tsx';

/** Asks for the control token, which the control plane requires beyond loopback, and everywhere if it was set by its flag. */
export function openTokenForm(): void {
  openForm({
    title: 'Control token',
    intro:
      'The control plane of this sandbox requires the token that it was started with, or that it printed at the start. The token is kept until you close this tab.',
    submit: 'Use this token',
    fields: () => [{ name: 'token', label: 'Token' }],
    async run({ token }) {
      await setToken(String(token).trim());
      // The presenter shows nothing of that, and keeps its own address.
      if (presented.value === null) await loadAll();
    },
  });
}
