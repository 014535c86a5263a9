import { nextTheme, theme } from '../browser/theme.ts';
import { attempt } from '../data/actions.ts';
import { control } from '../data/http.ts';
import { choosePartner, loadAll, partner, partners } from '../data/store.ts';
import { route } from '../route.ts';
import { Secret } from '../ui/copy.tsx';
import { ask } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/panel.tsx';
import { areKeysShown } from './keys.tsx';
import { isMenuOpen } from './sidebar.tsx';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

/** Above every page: whose records are shown, with which key, and what concerns the sandbox as a whole. */
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
      <label class="partner">
        <span>Partner</span>
        <select value={current?.id ?? ''} onChange={event => choosePartner(event.currentTarget.value)}>
          {(partners.value.value ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {current !== null && route.value.view !== 'overview' && (
        <div class="topbar-key">
          <Secret key={current.apiKey} value={current.apiKey} name="API key" />
        </div>
      )}
      <div class="topbar-end">
        <Button icon="again" title="Back to the seeded world" onClick={askForReset}>
          Reset
        </Button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Colours: ${theme.value}`}
          title={`Colours: ${theme.value}`}
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
            areKeysShown.value = true;
          }}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/** Asks before everything goes back to how it was at the start. */
export function askForReset(): void {
  ask({
    title: 'Reset the sandbox',
    intro:
      'Everything goes back to the seeded world: records, journal, deliveries, faults, timers and the clock.',
    submit: 'Reset',
    isDangerous: true,
    run: () =>
      attempt('The sandbox is back at its start', async () => {
        await control('POST', '/reset');
        await loadAll();
      }),
  });
}
