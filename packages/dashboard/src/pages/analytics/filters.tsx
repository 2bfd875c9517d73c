import { X } from 'lucide';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { text } from '../../text.ts';
import type { Only, Subject } from './counted.ts';
import { PageDetail } from './page-detail.tsx';
import type { Asked } from './shown.ts';

const { analytics: w } = text;

/** The filter names in the address. */
const NAMES = { path: 'page', referrer: 'source', agent: 'agent' } as const;
const LABELS = { path: w.page, referrer: w.source, agent: w.agent };
const KINDS = ['path', 'referrer', 'agent'] as const;

export function onlyOf(query: Record<string, string>): Only {
  return Object.fromEntries(KINDS.flatMap((kind) => (query[NAMES[kind]] ? [[kind, query[NAMES[kind]]]] : [])));
}

/** The active filters of the page. Each can be removed. */
export function Filters({ subject, setQuery }: { subject: Subject } & Pick<Asked, 'setQuery'>) {
  const { only } = subject;
  const chosen = KINDS.flatMap((kind) => (only[kind] === undefined ? [] : [{ kind, value: only[kind] }]));
  if (chosen.length === 0) return null;
  const clear = Object.fromEntries(KINDS.map((kind) => [NAMES[kind], undefined]));
  return (
    <div class="narrowed">
      <ul class="chips" aria-label={w.filters}>
        {chosen.map(({ kind, value }) => (
          <li key={kind}>
            <button
              type="button"
              class="chip"
              aria-label={w.removeFilter(`${LABELS[kind]}: ${value}`)}
              onClick={() => setQuery({ [NAMES[kind]]: undefined })}
            >
              <span class="cut">
                {LABELS[kind]}: <bdi>{value}</bdi>
              </span>
              <Icon of={X} size={14} />
            </button>
          </li>
        ))}
        {chosen.length > 1 && (
          <li>
            <Button kind="quiet" onClick={() => setQuery(clear)}>
              {text.common.clear}
            </Button>
          </li>
        )}
      </ul>
      {only.agent !== undefined && <p class="hint">{w.agentTotal}</p>}
      {only.path !== undefined && <PageDetail path={only.path} subject={subject} />}
    </div>
  );
}
