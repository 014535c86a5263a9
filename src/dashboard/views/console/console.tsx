import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { route } from '../../route.ts';
import type { View } from '../../ui/view.ts';

/** Calls any operation of the API or of the control plane. */
export const consoleView: View = {
  name: 'console',
  title: 'Console',
  icon: 'send',
  group: 'Traffic',
  key: 'x',
  Page: Console,
};

/** Loads the editor when the console is opened first, so that no other page waits for it. */
function Console() {
  const Page = useSignal<ComponentType<{ readonly id: string }> | null>(null);
  useEffect(() => {
    void import('./console-page.tsx').then(({ ConsolePage }) => {
      Page.value = ConsolePage;
    });
  }, [Page]);
  const { id } = route.value;
  return (
    <div class="page wide console">
      <header class="view-head">
        <h1>Console</h1>
      </header>
      {Page.value !== null && <Page.value id={id ?? ''} />}
    </div>
  );
}
