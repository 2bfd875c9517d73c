import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BookOpen, CircleUser, Keyboard, ListChecks, LogOut, Plus, type IconNode } from 'lucide';
import { api, answerOf } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { may } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { Icon } from '../parts/icon.tsx';
import { text } from '../text.ts';
import { lastProject, useProjects } from './current-project.ts';
import { installationPages, projectPages, type Destination } from './destinations.ts';
import { foundIn } from './found-in.ts';
import { isPaletteOpen, showShortcuts } from './overlays.ts';
import { to } from './routes.ts';
import { signOut } from './sign-out.ts';

const { palette: w } = text;
const FEW_JOBS = 5;
/** Jobs are requested after a pause in typing. */
const REST_MS = 200;

/** Everything that can be gone to or done from anywhere, found by typing a part of its name. */
export function Palette() {
  return isPaletteOpen.value ? <Open onClose={() => (isPaletteOpen.value = false)} /> : null;
}

interface Entry {
  name: string;
  /** Its group. */
  group: string;
  icon: IconNode;
  act: () => void;
}

function Open({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const entries = useEntries(query, route);
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) setAt((chosen + step + entries.length) % entries.length);
    else if (event.key === 'Enter' && !event.isComposing) choose(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={w.title} onClose={onClose}>
      <div class="body palette">
        <input
          role="combobox"
          aria-label={w.label}
          placeholder={w.placeholder}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={id} role="listbox" aria-label={w.title}>
          {entries.map((entry, i) => (
            // The keyboard is the field's.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={`${entry.group} ${entry.name}`}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === chosen}
              onClick={() => choose(entry)}
              onPointerMove={() => setAt(i)}
            >
              <Icon of={entry.icon} />
              <span class="cut">
                <Foreign text={entry.name} />
              </span>
              <span class="hint">{entry.group}</span>
            </li>
          ))}
        </ul>
        {entries.length === 0 && (
          <p class="hint" role="status">
            {w.nothing}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function useEntries(query: string, route: (address: string) => void): Entry[] {
  const projects = useProjects();
  const projectId = lastProject.value;
  const typed = query.trim();
  const jobs = useJobs(projectId, typed);
  const pages = (of: Destination[], group: string): Entry[] =>
    of.map((page) => ({ name: page.name, group, icon: page.icon, act: () => route(page.to) }));
  const others = (projects.data ?? []).filter(({ id }) => id !== projectId);
  const known: Entry[] = [
    ...(projectId === null
      ? []
      : [
          ...pages(projectPages(projectId), projectId),
          ...(may('editor', projectId)
            ? [{ name: w.newJob, group: projectId, icon: Plus, act: () => route(to.newJob(projectId)) }]
            : []),
        ]),
    ...pages(installationPages(), w.installation),
    ...others.map(({ id }) => ({ name: id, group: w.project, icon: BookOpen, act: () => route(to.project(id)) })),
    ...(may('admin', null)
      ? [{ name: text.shell.newProject, group: w.installation, icon: Plus, act: () => route(to.newProject()) }]
      : []),
    { name: text.shell.account, group: w.you, icon: CircleUser, act: () => route(to.account()) },
    { name: text.shell.docs, group: w.help, icon: BookOpen, act: () => location.assign(to.docs()) },
    { name: text.shell.shortcuts, group: w.help, icon: Keyboard, act: showShortcuts },
    { name: text.shell.signOut, group: w.you, icon: LogOut, act: () => void signOut() },
  ];
  const found = foundIn(known, typed, ({ name, group }) => `${name} ${group}`);
  if (projectId === null || typed === '') return found;
  return [
    ...found,
    ...jobs.map(({ id, title }) => ({
      name: title,
      group: w.job,
      icon: ListChecks,
      act: () => route(to.job(projectId, id)),
    })),
    ...(may('editor', projectId)
      ? [{ name: w.startJob(typed), group: projectId, icon: Plus, act: () => route(to.newJob(projectId, typed)) }]
      : []),
  ];
}

/** Jobs of the project with this text, newest first. */
function useJobs(projectId: string | null, typed: string): { id: string; title: string }[] {
  const [rested, setRested] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed.slice(0, 200)), REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useResource(
    projectId === null || rested.length < 2 ? null : `palette ${projectId} ${rested}`,
    (signal) =>
      answerOf(
        api.GET('/v2/agent/{projectId}/jobs', {
          params: { path: { projectId: projectId ?? '' }, query: { q: rested, limit: FEW_JOBS } },
          signal,
        }),
      ),
  );
  return found.data?.jobs ?? [];
}
