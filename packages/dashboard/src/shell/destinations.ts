import {
  Activity,
  BookOpen,
  Bot,
  ChartLine,
  FileClock,
  GitBranch,
  GitPullRequest,
  House,
  KeyRound,
  ListChecks,
  Settings,
  Timer,
  Users,
  Webhook,
  type IconNode,
} from 'lucide';
import { may, mayAnywhere } from '../api/session.ts';
import { text } from '../text.ts';
import { to } from './routes.ts';

const { shell: w } = text;

/** A page of the menu. */
export interface Destination {
  name: string;
  to: string;
  icon: IconNode;
  /** Whether pages below it have their own entries. */
  isExact?: boolean;
}

export function projectPages(id: string): Destination[] {
  return [
    { name: w.home, to: to.project(id), icon: House, isExact: true },
    { name: w.jobs, to: to.jobs(id), icon: ListChecks },
    { name: w.pullRequests, to: to.pullRequests(id), icon: GitPullRequest },
    { name: w.analytics, to: to.analytics(id), icon: ChartLine },
    { name: w.automations, to: to.automations(id), icon: Timer },
    { name: w.webhooks, to: to.webhooks(id), icon: Webhook },
    { name: w.settings, to: to.settings(id), icon: Settings },
  ];
}

/** The pages that the person may open. */
export function installationPages(): Destination[] {
  return [
    { name: w.allProjects, to: to.projects(), icon: BookOpen, isExact: true },
    ...(mayAnywhere('admin') ? [{ name: w.keys, to: to.keys(), icon: KeyRound }] : []),
    ...(may('admin', null)
      ? [
          { name: w.hosts, to: to.hosts(), icon: GitBranch },
          { name: w.model, to: to.model(), icon: Bot },
          { name: w.people, to: to.people(), icon: Users },
          { name: w.audit, to: to.audit(), icon: FileClock },
          { name: w.health, to: to.health(), icon: Activity },
        ]
      : []),
  ];
}
