import { nextTheme, theme } from '../browser.ts';
import { withToast } from '../data/actions.ts';
import { control } from '../data/http.ts';
import { loadAll, partner, partners, selectPartner } from '../data/store.ts';
import { route } from '../route.ts';
import { Secret } from '../ui/copy.tsx';
import { Options, openForm } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/panel.tsx';
import { openRecordForm } from './open-by-id.ts';
import { isShortcutHelpOpen } from './shortcuts.tsx';
import { isMenuOpen } from './sidebar.tsx';
import { WorldSwitch } from './world-switch.tsx';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

/** The views that show the API key themselves. */
const WITH_KEY = ['home', 'settings'];

/** Whether the bar above a view shows the API key. */
export function isKeyInTopbar(view: string): boolean {
  return !WITH_KEY.includes(view);
}

export function Topbar() {
  const current = partner.value;
  return (
    <header class="topbar">
      <button
        type="button"
        class="icon-button menu-button"
        aria-label="Menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="menu"
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
      >
        <Icon name="menu" />
      </button>
      <WorldSwitch />
      <label class="partner">
        <span>Partner</span>
        <select value={current?.id ?? ''} onChange={event => selectPartner(event.currentTarget.value)}>
          <Options of={(partners.data.value ?? []).map(({ id, name }) => [id, name])} />
        </select>
      </label>
      {current !== null && isKeyInTopbar(route.value.view) && (
        <div class="topbar-key">
          <Secret key={current.apiKey} value={current.apiKey} name="API key" />
        </div>
      )}
      <div class="topbar-end">
        <Button icon="again" title="Go back to the seeded state" onClick={openResetForm}>
          Reset
        </Button>
        <button
          type="button"
          class="icon-button"
          aria-label="Open a record"
          title="Open a record by its id (i)"
          onClick={openRecordForm}
        >
          <Icon name="search" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value}`}
          onClick={nextTheme}
        >
          <Icon name={THEME_ICONS[theme.value]} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => {
            isShortcutHelpOpen.value = true;
          }}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function openResetForm(): void {
  openForm({
    title: 'Reset the sandbox',
    intro: 'Restores the seeded state: records, journal, deliveries, faults, timers and the clock.',
    submit: 'Reset',
    isDangerous: true,
    run: () =>
      withToast('Sandbox reset', async () => {
        await control('POST', '/reset');
        await loadAll();
      }),
  });
}
