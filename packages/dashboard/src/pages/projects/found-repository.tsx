import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide';
import type { components } from '@docent/client';
import type { Resource } from '../../api/resource.ts';
import { Sentence } from '../../parts/code.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { Loaded, Waiting } from '../../parts/page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { projects: w } = text;
type Check = components['schemas']['RepositoryCheck'];

/** The result of checking a repository, or why it cannot be used. */
export function FoundRepository({ check }: { check: Resource<Check> }) {
  if (check.isLoading && !check.data) {
    return (
      <>
        <p class="hint">{w.looking}</p>
        <Waiting rows={3} />
      </>
    );
  }
  return (
    <Loaded from={check} rows={3}>
      {(found) => (
        <>
          {found.problem !== null && (
            <p class="note bad">
              <Icon of={CircleAlert} /> <Sentence text={found.problem} />
            </p>
          )}
          {found.usable && <Facts of={found} />}
          {found.notes.map((note) => (
            <p key={note} class="hint">
              <Sentence text={note} />
            </p>
          ))}
        </>
      )}
    </Loaded>
  );
}

function Facts({ of: { ref, site, instructions, checks } }: { of: Check }) {
  return (
    <dl class="facts">
      <div>
        <dt>{w.branch}</dt>
        <dd>
          <Foreign text={ref ?? ''} />
        </dd>
      </div>
      {site && (
        <>
          <div>
            <dt>{w.site}</dt>
            <dd>{site.kind === 'plain' ? w.plainSite : site.kind}</dd>
          </div>
          {site.config && (
            <div>
              <dt>{w.config}</dt>
              <dd>
                <code>
                  <Foreign text={site.config} />
                </code>
              </dd>
            </div>
          )}
          <div>
            <dt>{w.pages}</dt>
            <dd>{count(site.pages)}</dd>
          </div>
        </>
      )}
      {instructions && instructions.length > 0 && (
        <div>
          <dt>{w.instructions}</dt>
          <dd>
            {instructions.map(({ path }) => (
              <code key={path}>
                <Foreign text={path} />{' '}
              </code>
            ))}
          </dd>
        </div>
      )}
      {checks && (
        <div>
          <dt>{w.checks}</dt>
          <dd>
            {checks.problems.length === 0 ? (
              <>
                <Icon of={CircleCheck} /> {w.noProblems}
              </>
            ) : (
              <details>
                <summary>
                  <Icon of={TriangleAlert} />{' '}
                  {w.problemCount(
                    checks.problems.reduce((sum, kind) => sum + kind.count, 0),
                    checks.problems.length,
                  )}
                </summary>
                <ul>
                  {checks.problems.map((kind) => (
                    <li key={kind.code}>
                      {count(kind.count)} × <a href={to.checkRule(kind.code)}>{kind.code}</a>:{' '}
                      <Sentence text={`${kind.example.path}:${kind.example.line} ${kind.example.message}`} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}
