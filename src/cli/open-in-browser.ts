/** A browser that stays in the foreground runs. */
const STARTS_WITHIN_MS = 2_000;

/**
 * Opens an address in this user's browser. Other users of the machine can see the address while the program
 * that starts the browser runs.
 * @returns whether one was started
 */
export async function openInBrowser(url: string): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  try {
    const { default: open } = await import('open');
    const child = await open(url);
    return await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
      // `open` does not wait for its child: without the timer this process would end too early.
      late = setTimeout(() => resolve(true), STARTS_WITHIN_MS);
    });
  } catch {
    return false;
  } finally {
    clearTimeout(late);
  }
}
