import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Dialog } from '../parts/dialog.tsx';
import { text } from '../text.ts';
import { lastProject } from './current-project.ts';
import { isHelpOpen, showPalette } from './overlays.ts';
import { to } from './routes.ts';

/** Milliseconds after `g` in which the next key completes a shortcut. */
const SEQUENCE_MS = 1_200;

const inProject = (of: (id: string) => string) => (): string | null =>
  lastProject.peek() ? of(lastProject.peek() as string) : null;

const GO: Record<string, { name: string; where: () => string | null }> = {
  'g h': { name: text.shortcuts.goHome, where: inProject(to.project) },
  'g j': { name: text.shortcuts.goJobs, where: inProject(to.jobs) },
  'g a': { name: text.shortcuts.goAnalytics, where: inProject(to.analytics) },
  'g s': { name: text.shortcuts.goSettings, where: inProject(to.settings) },
  'g k': { name: text.shortcuts.goKeys, where: to.keys },
  'g p': { name: text.shortcuts.goProjects, where: to.projects },
  n: { name: text.shortcuts.newJob, where: inProject((id) => to.newJob(id)) },
};

/** Keys that work on every page, except in text fields. */
export function Shortcuts() {
  const { route } = useLocation();
  useEffect(() => {
    let before: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.ctrlKey || event.metaKey) {
        if (!isPaletteKey(event)) return;
        event.preventDefault();
        showPalette();
        return;
      }
      if (isTyping(event)) return;
      const sequence = before && event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : event.key;
      before = event.key === 'g' ? { key: 'g', at: event.timeStamp } : null;
      if (sequence === '?') isHelpOpen.value = true;
      else if (sequence === 'k') showPalette();
      else if (sequence === '/') {
        const field = document.querySelector<HTMLElement>('main input[type=search]');
        if (!field) return;
        field.focus();
      } else {
        const where = GO[sequence]?.where();
        if (!where) return;
        route(where);
      }
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route]);
  if (!isHelpOpen.value) return null;
  const all = [
    ['?', text.shortcuts.help],
    ['k', text.shortcuts.palette(isApple ? '⌘K' : 'Ctrl+K')],
    ['/', text.shortcuts.search],
    ...Object.entries(GO).map(([keys, { name }]) => [keys, name]),
  ];
  return (
    <Dialog title={text.shell.shortcuts} onClose={() => (isHelpOpen.value = false)}>
      <dl class="shortcuts">
        {all.map(([keys = '', name]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Also in text fields; on Apple’s machines Ctrl-K there cuts the rest of a line. */
function isPaletteKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && !shiftKey && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
