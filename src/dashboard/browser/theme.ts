import { effect, signal } from '@preact/signals';
import { remember, remembered } from './timers.ts';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The colours: those of the system, or light or dark by choice. */
export const theme = signal(THEMES.find(each => each === remembered('theme')) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  remember('theme', theme.value);
});

/** Goes on to the next choice of colours. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}
