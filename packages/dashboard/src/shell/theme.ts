import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark' | 'system';
const PLACE = 'docent-theme';

/** As `assets/theme.js` set it before anything was painted. */
export const theme = signal<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? 'system');

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'system') localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, next);
  } catch {
    // Storage may be disabled: then it lasts as long as the page.
  }
}
