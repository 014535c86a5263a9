import { effect, signal } from '@preact/signals';
import { loadPreference, savePreference } from './preferences.ts';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The color theme. `auto` follows the system. */
export const theme = signal(THEMES.find(each => each === loadPreference('theme')) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  savePreference('theme', theme.value);
});

/** Switches to the next theme. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}
