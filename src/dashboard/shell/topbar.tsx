import { nextTheme, theme } from '../browser.ts';
import { withToast } from '../data/actions.ts';
import { control } from '../data/http.ts';
import { loadAll, partner, partners, selectPartner } from '../data/store.ts';
import { Button } from '../ui/button.tsx';
import { Options, openForm } from '../ui/form.tsx';
import { openRecordForm } from './open-by-id.ts';
import { openHelp } from './shortcuts.tsx';
import { isMenuOpen } from './sidebar.tsx';
import { WorldSwitch } from './world-switch.tsx';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

export function Topbar() {
  return (
    <header class="topbar">
      <Button
        kind="menu-button"
        icon="menu"
        label="Menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="menu"
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
      />
      <WorldSwitch />
      <label class="partner">
        <span>Partner</span>
        <select value={partner.value?.id ?? ''} onChange={event => selectPartner(event.currentTarget.value)}>
          <Options of={(partners.data.value ?? []).map(({ id, name }) => [id, name])} />
        </select>
      </label>
      <div class="topbar-end">
        <Button icon="again" title="Go back to the seeded state" onClick={openResetForm}>
          Reset
        </Button>
        <Button icon="search" label="Open a record by its id (i)" onClick={openRecordForm} />
        <Button icon={THEME_ICONS[theme.value]} label={`Theme: ${theme.value}`} onClick={nextTheme} />
        <Button icon="help" label="Keyboard shortcuts (?)" onClick={openHelp} />
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
