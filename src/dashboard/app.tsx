import { useEffect } from 'preact/hooks';
import { Presenter } from './present/presenter.tsx';
import { route } from './route.ts';
import { ClockBar } from './shell/clock-bar.tsx';
import { Keys, onKey } from './shell/keys.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { TokenPrompt } from './shell/token-prompt.tsx';
import { Topbar } from './shell/topbar.tsx';
import { FormDialog } from './ui/form.tsx';
import { Toasts } from './ui/toast.tsx';
import { VIEWS } from './views.tsx';

/** The page. */
export function App() {
  const { view, id } = route.value;
  const shown = VIEWS.find(each => each.name === view);

  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    document.title = `${view === 'present' ? 'Presenter' : (shown?.title ?? 'Not found')} · Card sandbox`;
  }, [view, shown]);

  return (
    <>
      {view === 'present' ? (
        <Presenter scenarioId={id} />
      ) : (
        <div class="shell">
          <button type="button" class="skip" onClick={skip}>
            Skip to content
          </button>
          <Sidebar />
          <div class="stage">
            <Topbar />
            <ClockBar />
            <main id="main" tabIndex={-1}>
              {shown === undefined ? <NotFound view={view} /> : <shown.Page />}
            </main>
          </div>
        </div>
      )}
      <FormDialog />
      <Keys />
      <TokenPrompt />
      <Toasts />
    </>
  );
}

/** Moves on to the content; not by a link, because the address says what is open. */
function skip(): void {
  document.getElementById('main')?.focus();
}

function NotFound({ view }: { readonly view: string }) {
  return (
    <div class="empty">
      <h1>There is no page called {view}</h1>
      <p>
        Go to the <a href="#/overview">overview</a>.
      </p>
    </div>
  );
}
