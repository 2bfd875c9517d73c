// oxlint-disable unicorn/consistent-function-scoping -- what is served is one function: nothing may stand outside of it
/** Starts the reference, from the contract that this very server serves. Self-contained as well. */
function referenceInBrowser(): void {
  interface SwaggerWindow extends Window {
    SwaggerUIBundle: ((options: object) => unknown) & { presets: { apis: unknown } };
  }
  interface Contract {
    servers: unknown;
    components: { securitySchemes: Record<string, unknown> };
  }
  /** Fixes what keyboard and screen reader users miss in Swagger UI. Runs again after each of its renders. */
  const repair = (target: HTMLElement): void => {
    // The button around it opens the operation, and puts its address into the address bar.
    target.querySelectorAll('button a[href]').forEach((link) => link.removeAttribute('href'));
    target.querySelectorAll('pre.microlight').forEach((code) => code.setAttribute('tabindex', '0'));
    for (const choice of target.querySelectorAll('select:not([aria-label])')) {
      const parameter = choice.closest<HTMLElement>('tr[data-param-name]')?.dataset.paramName;
      const isType = choice.closest('.content-type-wrapper, .response-control-media-type, .body-param-content-type');
      choice.setAttribute('aria-label', parameter ?? (isType ? 'Media type' : 'Example'));
    }
  };
  const start = async (): Promise<void> => {
    const target = document.getElementById('reference');
    if (!target) return;
    const home = target.dataset.home ?? '/';
    try {
      const answer = await fetch(`${home}openapi.json`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const spec = (await answer.json()) as Contract;
      // Requests are tried here: with this browser's session, and only on this server.
      spec.servers = [{ url: location.origin + home.replace(/\/$/, ''), description: 'This server' }];
      // Scripts cannot set the cookie: the browser sends it.
      delete spec.components.securitySchemes.session;
      new MutationObserver(() => repair(target)).observe(target, { childList: true, subtree: true });
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
      target.textContent = `The reference could not be loaded (${err instanceof Error ? err.message : String(err)}). Reload the page, or see openapi.json.`;
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
