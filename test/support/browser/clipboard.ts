import type { Page } from 'playwright-core';

/** Presses the button that copies it. @returns what is in the clipboard then */
export async function copied(page: Page, what: string): Promise<string> {
  const button = page.getByRole('button', { name: `Copy ${what}`, exact: true });
  await button.click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  const text = await clipboard(page);
  await button.waitFor();
  return text;
}

export async function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
