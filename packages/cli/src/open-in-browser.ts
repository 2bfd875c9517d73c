/** A browser that stays in the foreground runs. */
const STARTS_WITHIN_MS = 2_000;

/**
 * Opens an address in this machine's browser. Other users can see it while the starting program runs.
 * @returns whether that worked
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
