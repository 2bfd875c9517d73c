import { signal } from '@preact/signals';

/** The overlays of all pages, opened by keys and by the menu. */
export const isHelpOpen = signal(false);
export const isPaletteOpen = signal(false);

export function showShortcuts(): void {
  isHelpOpen.value = true;
}

export function showPalette(): void {
  isPaletteOpen.value = true;
}
