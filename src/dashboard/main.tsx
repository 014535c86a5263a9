import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/lists.css';
import './styles/pages.css';
import { effect, signal } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { needsToken } from './data/http.ts';
import { startLiveUpdates } from './data/live-updates.ts';
import { info } from './data/store.ts';
import { isMain, world } from './data/world.ts';
import { openTokenForm } from './forms/token.ts';
import { presented } from './present/address.ts';
import { linkTo, route } from './route.ts';
import { ClockBar } from './shell/clock-bar.tsx';
import { onKey } from './shell/shortcuts.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { Topbar } from './shell/topbar.tsx';
import { isWorldMissing, loadWorlds, MissingWorld } from './shell/world-switch.tsx';
import { Button } from './ui/button.tsx';
import { OpenDialog } from './ui/dialog.tsx';
import { Icon } from './ui/icons.tsx';
import { Toasts } from './ui/toast.tsx';
import { VIEWS } from './views.ts';

/** The presenter, once it is loaded: the other pages do without it. */
const presenter = signal<ComponentType<{ readonly story: string | null }> | null>(null);

if (presented.value === null) {
  startLiveUpdates(loadWorlds);
  // Before the page is painted, so that no key is lost.
  document.addEventListener('keydown', onKey);
} else {
  void import('./present/presenter.tsx').then(({ Presenter }) => {
    presenter.value = Presenter;
  });
}
effect(() => {
  if (needsToken.value) openTokenForm();
});
const root = document.getElementById('app');
if (root !== null) {
  // What is painted until now.
  root.replaceChildren();
  render(<App />, root);
}

function App() {
  const { view: name } = route.value;
  const view = VIEWS.find(each => each.name === name);
  const main = useFocusOfRemoved();

  useEffect(() => {
    const title = presented.value === null ? (view?.title ?? 'Not found') : 'Presenter';
    document.title = `${title} · ${isMain ? '' : `${world} · `}Card sandbox`;
    // A page begins at its top, however far the one before was scrolled.
    document.getElementById('main')?.scrollTo(0, 0);
  }, [name, view]);

  return (
    <>
      {presented.value !== null ? (
        presenter.value !== null && <presenter.value story={presented.value.story} />
      ) : (
        <div class="shell">
          <button type="button" class="skip" onClick={focusContent}>
            Skip to content
          </button>
          <Sidebar />
          <div class="stage">
            <Notice />
            <Topbar />
            {!isWorldMissing() && <ClockBar />}
            <main id="main" tabIndex={-1} ref={main}>
              {isWorldMissing() ? (
                <MissingWorld />
              ) : view === undefined ? (
                <UnknownView name={name} />
              ) : (
                <view.Page />
              )}
            </main>
            <Toasts />
          </div>
        </div>
      )}
      <OpenDialog />
      {presented.value !== null && <Toasts />}
    </>
  );
}

/**
 * Returns the ref of an element that hands on the focus of a removed control: a button goes once the state of its record has
 * no use for it. The focus goes to the open record that had the button, else to the page.
 */
function useFocusOfRemoved() {
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = page;
    if (current === null) return;
    let last: Element = current;
    let place: HTMLElement | null = null;
    current.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      last = target;
      place = target.closest<HTMLElement>('.detail, main');
    });
    new MutationObserver(() => {
      if (last.isConnected) return;
      last = current;
      if (!document.activeElement?.matches('body')) return;
      (place?.isConnected ? place : current).focus({ preventScroll: true });
    }).observe(current, { childList: true, subtree: true });
  }, []);
  return page;
}

/** What has to be known before anything on the page is read. */
function Notice() {
  if (needsToken.value)
    return (
      <p class="notice">
        Nothing is shown without the control token. <Button onClick={openTokenForm}>Enter the token</Button>
      </p>
    );
  const recording = info.data.value?.recording;
  if (recording == null) return null;
  const { file, world: recorded, entry } = recording;
  return (
    <p class="notice">
      <Icon name="history" /> A recording of the past: <b>{file}</b>, world <b>{recorded}</b>, opened{' '}
      {entry === null ? 'before its first entry' : `as it was after ${entry}`}. What you do here changes only
      this copy.
    </p>
  );
}

/** Moves the focus to the list of the page, or to its content. A link cannot do it, because the address holds the route. */
function focusContent(): void {
  const list = document.querySelector<HTMLElement>('#main [role=listbox]');
  (list ?? document.getElementById('main'))?.focus();
}

function UnknownView({ name }: { readonly name: string }) {
  return (
    <div class="empty">
      <h1>There is no page called {name}</h1>
      <p>
        Go to <a href={linkTo('home')}>Home</a>.
      </p>
    </div>
  );
}
