// oxlint-disable unicorn/consistent-function-scoping -- what is served is one function: nothing may stand outside of it
/** Runs in the browser on docs pages. Self-contained: its source is served. */
function docsInBrowser(): void {
  interface Section {
    url: string;
    page: string;
    heading: string;
    text: string;
  }
  const root = document.documentElement;
  root.classList.add('js');
  // As the dashboard keeps it.
  try {
    const theme = localStorage.getItem('docent-theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // A browser that keeps nothing: the system's theme.
  }

  function element<K extends keyof HTMLElementTagNameMap>(
    name: K,
    className: string,
    text: string,
  ): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function addCopyButtons(): void {
    for (const block of document.querySelectorAll<HTMLElement>('.code')) {
      const button = element('button', 'copy', 'Copy');
      button.type = 'button';
      button.addEventListener('click', () => {
        navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
          () => (button.textContent = 'Copied'),
          () => (button.textContent = 'Not allowed'),
        );
        setTimeout(() => (button.textContent = 'Copy'), 2_000);
      });
      block.querySelector('.code-head')?.append(button);
    }
  }

  /** Consecutive sections become tabs (WAI-ARIA: automatic activation). */
  function makeTabs(group: HTMLElement): void {
    const panels = [...group.querySelectorAll<HTMLElement>(':scope > .tab')];
    const list = element('div', 'tab-list', '');
    list.setAttribute('role', 'tablist');
    const buttons = panels.map((panel) => {
      const button = element('button', '', panel.dataset.title ?? '');
      button.type = 'button';
      button.id = `${panel.id}-button`;
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', panel.id);
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', button.id);
      list.append(button);
      return button;
    });
    const choose = (chosen: number, isFocused: boolean): void => {
      buttons.forEach((button, i) => {
        button.setAttribute('aria-selected', String(i === chosen));
        button.tabIndex = i === chosen ? 0 : -1;
        panels[i]!.hidden = i !== chosen;
      });
      if (isFocused) buttons[chosen]?.focus();
    };
    buttons.forEach((button, i) => {
      button.addEventListener('click', () => choose(i, false));
      button.addEventListener('keydown', (event) => {
        const steps: Record<string, number> = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 };
        const next = steps[event.key];
        if (next === undefined) return;
        event.preventDefault();
        choose((next + buttons.length) % buttons.length, true);
      });
    });
    group.prepend(list);
    choose(0, false);
  }

  /** Opens the target of an address if it is collapsed. */
  function openTarget(): void {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target?.closest('details');
    if (!closed || closed.open) return;
    closed.open = true;
    target?.scrollIntoView();
  }

  function makeMenu(): void {
    const button = document.querySelector<HTMLButtonElement>('button.menu');
    const pages = document.getElementById('docs.pages');
    if (!button || !pages) return;
    button.hidden = false;
    const show = (isOpen: boolean): void => {
      button.setAttribute('aria-expanded', String(isOpen));
      pages.classList.toggle('open', isOpen);
    };
    button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
      show(false);
      button.focus();
    });
    // Scrolls only the list: the page may be scrolling to an anchor.
    const current = pages.querySelector<HTMLElement>('[aria-current]');
    if (current) pages.scrollTop = Math.max(0, current.offsetTop - pages.clientHeight / 2);
  }

  function rank(section: Section, words: readonly string[]): number {
    const page = section.page.toLowerCase();
    const heading = section.heading.toLowerCase();
    const text = section.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const inText = text.includes(word);
      const points = (page.includes(word) ? 6 : 0) + (heading.includes(word) ? 9 : 0) + (inText ? 2 : 0);
      if (points === 0) return 0;
      score += points;
    }
    return score + (text.includes(words.join(' ')) ? 3 : 0) + (section.heading === '' ? 1 : 0);
  }

  function excerpt(text: string, word: string): string {
    const at = text.toLowerCase().indexOf(word);
    const start = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1;
    return (start > 0 ? '… ' : '') + text.slice(start, start + 140) + (text.length > start + 140 ? ' …' : '');
  }

  function makeSearch(): void {
    const box = document.querySelector<HTMLElement>('.find');
    const input = document.querySelector<HTMLInputElement>('#docs\\.find');
    const list = document.querySelector<HTMLElement>('#docs\\.found');
    const status = document.querySelector<HTMLElement>('#docs\\.find-count');
    if (!box || !input || !list || !status) return;
    box.hidden = false;
    let sections: Promise<Section[]> | null = null;
    const load = (): Promise<Section[]> => {
      sections ??= fetch(`${root.dataset.docs ?? '/docs'}/search.json`).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json() as Promise<Section[]>;
      });
      // The next key tries again.
      sections.catch(() => (sections = null));
      return sections;
    };
    const close = (): void => {
      list.hidden = true;
    };
    const show = async (): Promise<void> => {
      const typed = input.value;
      const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) {
        status.textContent = '';
        close();
        return;
      }
      let known: Section[];
      try {
        known = await load();
      } catch {
        list.replaceChildren(element('li', 'none', 'The search could not be loaded. Keep typing to try again.'));
        list.hidden = false;
        return;
      }
      // Someone typed on in the meantime.
      if (input.value !== typed) return;
      const found = known
        .map((section) => ({ section, score: rank(section, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 12);
      status.textContent = found.length === 0 ? 'No results.' : `${found.length} found`;
      list.replaceChildren(
        ...found.map(({ section }) => {
          const item = document.createElement('li');
          const link = document.createElement('a');
          link.href = section.url;
          link.addEventListener('click', close);
          const title = section.heading === '' ? section.page : `${section.page} › ${section.heading}`;
          link.append(element('strong', '', title), element('span', '', excerpt(section.text, words[0]!)));
          item.append(link);
          return item;
        }),
      );
      if (found.length === 0) list.append(element('li', 'none', `No results for “${typed}”.`));
      list.hidden = false;
    };
    input.addEventListener('focus', () => void load().catch(() => {}));
    input.addEventListener('input', () => void show());
    document.addEventListener('keydown', (event) => {
      const at = event.target as HTMLElement;
      const isTyping = at.closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
        input.select();
      }
      if (!box.contains(at)) return;
      const links = [...list.querySelectorAll('a')];
      if (event.key === 'Escape') {
        close();
        input.focus();
      } else if (event.key === 'Enter' && at === input) links[0]?.click();
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        const next = links.indexOf(at as HTMLAnchorElement) + (event.key === 'ArrowDown' ? 1 : -1);
        (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
      }
    });
    document.addEventListener('click', (event) => {
      if (!box.contains(event.target as Node)) close();
    });
  }

  /** Marks where the reader is. */
  function followReading(): void {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.on-page a')];
    if (links.length === 0) return;
    const mark = (): void => {
      const passed = links.filter((link) => {
        const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
        return heading !== null && heading.getBoundingClientRect().top < 120;
      });
      const current = passed.at(-1) ?? links[0];
      for (const link of links) {
        if (link === current) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    };
    let isWaiting = false;
    addEventListener(
      'scroll',
      () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => {
          isWaiting = false;
          mark();
        });
      },
      { passive: true },
    );
    mark();
  }

  document.addEventListener('DOMContentLoaded', () => {
    addCopyButtons();
    document.querySelectorAll<HTMLElement>('.tabs').forEach(makeTabs);
    makeMenu();
    makeSearch();
    followReading();
    openTarget();
    addEventListener('hashchange', openTarget);
  });
}

export const DOCS_SCRIPT = `(${docsInBrowser.toString()})();\n`;
