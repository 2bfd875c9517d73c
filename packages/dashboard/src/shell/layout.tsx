import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BookOpen, CircleUser, Code, Keyboard, LogOut, Menu as MenuIcon, Search, Settings, X } from 'lucide';
import { connection } from '../api/connection.ts';
import { session } from '../api/session.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Toasts } from '../parts/toast.tsx';
import { text } from '../text.ts';
import { lastProject, useProjects } from './current-project.ts';
import { installationPages, projectPages, type Destination } from './destinations.ts';
import { showPalette, showShortcuts } from './overlays.ts';
import { Palette } from './palette.tsx';
import { to } from './routes.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { signOut } from './sign-out.ts';
import { setTheme, theme, type Theme } from './theme.ts';
import { useSessionWatch } from './watch-session.ts';

/** The frame of every page: the navigation, and the signed-in person. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useSessionWatch();
  return (
    <div class={`layout ${isOpen ? 'menu-open' : ''}`}>
      <a class="skip" href="#main" onClick={focusMain}>
        {text.shell.skip}
      </a>
      <header class="top">
        <IconButton
          icon={isOpen ? X : MenuIcon}
          label={text.shell.menu}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <a href={to.home()} class="brand">
          Docent
        </a>
      </header>
      <Side />
      <div class="content">
        {connection.isLost.value && (
          <p class="lost" role="status">
            {text.shell.lost}
          </p>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Toasts />
      <Shortcuts />
      <Palette />
      {session.hasEnded.value && <SignInAgain />}
    </div>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Side() {
  const projects = useProjects();
  const last = lastProject.value;
  const isGone = projects.data !== undefined && !projects.data.some((project) => project.id === last);
  const first = projects.data?.[0]?.id;
  const id = isGone ? (first ?? null) : last;
  const { path } = useLocation();
  const isOnItsPage = last !== null && `${path}/`.startsWith(`${to.project(last)}/`);
  useEffect(() => {
    if (!isGone) return;
    // It was just created, here or elsewhere; or it does not exist, as its page shows.
    if (isOnItsPage) projects.reload();
    else if (first !== undefined) lastProject.value = first;
  }, [isGone, isOnItsPage, last, first]);
  return (
    <aside class="side" aria-label={text.shell.menu}>
      <a href={to.home()} class="brand">
        Docent
      </a>
      {!projects.data && id === null && <div class="side-place" />}
      {(projects.data ? projects.data.length > 0 : id !== null) && (
        <ProjectSwitcher id={id} ids={projects.data?.map((project) => project.id) ?? (id === null ? [] : [id])} />
      )}
      {/* Also before it is known which there are: what comes later would push the rest down. */}
      {id !== null && (
        <nav aria-label={text.shell.projectPages}>
          {projectPages(id).map((page) => (
            <NavLink key={page.to} {...page} />
          ))}
        </nav>
      )}
      <nav aria-label={text.shell.installationPages}>
        {installationPages().map((page) => (
          <NavLink key={page.to} {...page} />
        ))}
      </nav>
      <div class="side-end">
        <button type="button" class="nav-link" onClick={showPalette} aria-keyshortcuts="k">
          <Icon of={Search} /> {text.palette.open} <kbd aria-hidden="true">k</kbd>
        </button>
        <a href={to.docs()} class="nav-link">
          <Icon of={BookOpen} /> {text.shell.docs}
        </a>
        <a href={to.apiReference()} class="nav-link">
          <Icon of={Code} /> {text.shell.apiReference}
        </a>
        <Account />
      </div>
    </aside>
  );
}

function ProjectSwitcher({ id, ids }: { id: string | null; ids: string[] }) {
  const { route } = useLocation();
  return (
    <label class="switcher">
      <span class="unseen">{text.shell.project}</span>
      <select
        value={id !== null && ids.includes(id) ? id : ''}
        onChange={(event) => {
          if (event.currentTarget.value) route(to.project(event.currentTarget.value));
        }}
      >
        {(id === null || !ids.includes(id)) && <option value="">{text.shell.chooseProject}</option>}
        {ids.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function NavLink({ name, to: address, icon, isExact }: Destination) {
  const { path } = useLocation();
  const isCurrent = isExact ? path === address : path === address || path.startsWith(`${address}/`);
  return (
    <a href={address} class="nav-link" aria-current={isCurrent ? 'page' : undefined}>
      <Icon of={icon} /> {name}
    </a>
  );
}

function Account() {
  const who = session.caller.value;
  const name = (who?.kind === 'person' && who.person?.name) || text.shell.operator;
  const themes: [Theme, string][] = [
    ['system', text.shell.system],
    ['light', text.shell.light],
    ['dark', text.shell.dark],
  ];
  return (
    <div class="account">
      <a href={to.account()} class="nav-link">
        <Icon of={CircleUser} /> <span class="cut">{name}</span>
      </a>
      <Menu icon={Settings} label={text.shell.account}>
        <fieldset class="segments">
          <legend>{text.shell.theme}</legend>
          {themes.map(([value, label]) => (
            <button key={value} type="button" aria-pressed={theme.value === value} onClick={() => setTheme(value)}>
              {label}
            </button>
          ))}
        </fieldset>
        <button type="button" onClick={showShortcuts}>
          <Icon of={Keyboard} /> {text.shell.shortcuts}
        </button>
        <button type="button" onClick={() => void signOut()}>
          <Icon of={LogOut} /> {text.shell.signOut}
        </button>
      </Menu>
    </div>
  );
}
