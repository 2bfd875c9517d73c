import { signal } from '@preact/signals';

/** What any page can have over it, opened by keys and by the menu. */
export const isHelpOpen = signal(false);
export const isPaletteOpen = signal(false);

export function showShortcuts(): void {
  isHelpOpen.value = true;
}

export function showPalette(): void {
  isPaletteOpen.value = true;
}
