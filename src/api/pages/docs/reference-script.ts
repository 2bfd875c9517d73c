/** Starts the reference, from the contract that this very server serves. Self-contained as well. */
function referenceInBrowser(): void {
  interface SwaggerWindow extends Window {
    SwaggerUIBundle: ((options: object) => unknown) & { presets: { apis: unknown } };
  }
  const start = async (): Promise<void> => {
    const target = document.getElementById('reference');
    if (!target) return;
    const home = target.dataset.home ?? '/';
    try {
      const answer = await fetch(`${home}openapi.json`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const spec = (await answer.json()) as { servers: unknown };
      // What is tried is tried here: the session of this browser is sent along, and nothing leaves this server.
      spec.servers = [{ url: location.origin + home.replace(/\/$/, ''), description: 'This server' }];
      const { SwaggerUIBundle } = globalThis as unknown as SwaggerWindow;
      SwaggerUIBundle({
        spec,
        domNode: target,
        presets: [SwaggerUIBundle.presets.apis],
        deepLinking: true,
        docExpansion: 'list',
        defaultModelsExpandDepth: 0,
        displayRequestDuration: true,
        filter: true,
        persistAuthorization: false,
        tryItOutEnabled: false,
        validatorUrl: null,
        syntaxHighlight: { activated: true, theme: 'agate' },
      });
    } catch (err) {
      target.textContent = `The reference could not be loaded (${err instanceof Error ? err.message : String(err)}). Load the page again; openapi.json has all of it.`;
    }
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = (): void => {
    const chosen = document.documentElement.dataset.theme;
    document.documentElement.classList.toggle('dark-mode', chosen ? chosen === 'dark' : dark.matches);
  };
  paint();
  dark.addEventListener('change', paint);
  void start();
}

export const REFERENCE_SCRIPT = `(${referenceInBrowser.toString()})();\n`;
