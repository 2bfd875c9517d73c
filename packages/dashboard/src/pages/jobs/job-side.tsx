import type { ComponentChildren } from 'preact';
import { ExternalLink, GitPullRequest } from 'lucide';
import type { components, Job } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { Panel } from '../../parts/page.tsx';
import { PullChecks, PullState } from '../../parts/pull-request.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { When } from '../../parts/when.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { cost, Creator } from './job-badge.tsx';

const { job: w } = text;
type PullRequest = components['schemas']['PullRequest'];
type Usage = components['schemas']['JobUsage'];

/** Facts beside the conversation: the pull request, the usage, the options. */
export function JobSide({
  projectId,
  job,
  pullRequest,
  usage,
}: {
  projectId: string;
  job: Job;
  pullRequest: PullRequest | undefined;
  usage: Usage | undefined;
}) {
  const { usage: sum } = job;
  const metadata = Object.entries(job.metadata);
  return (
    <aside class="job-side" aria-label={w.details}>
      {pullRequest && <PullRequestPanel projectId={projectId} jobId={job.id} of={pullRequest} />}
      <Panel title={w.details}>
        <dl class="facts">
          <Fact name={w.mode}>{w.modes[job.mode] ?? job.mode}</Fact>
          <Fact name={w.branch}>
            {job.source.ref ? (
              <bdi>
                <code>{job.source.ref}</code>
              </bdi>
            ) : (
              text.common.none
            )}
          </Fact>
          <Fact name={w.model}>
            <bdi>{job.model}</bdi>
          </Fact>
          <Fact name={w.cost}>{cost(sum)}</Fact>
          <Fact name={w.tokens}>
            {w.tokensOf(count(sum.inputTokens), count(sum.outputTokens))}
            {sum.cachedInputTokens > 0 && <div class="hint">{w.fromCache(count(sum.cachedInputTokens))}</div>}
          </Fact>
          <Fact name={w.createdBy}>
            <Creator by={job.createdBy} />
          </Fact>
          <Fact name={w.created}>
            <When at={job.createdAt} />
          </Fact>
          <Fact name={w.duration}>
            <When at={job.updatedAt} />
          </Fact>
          <Fact name={w.id}>
            <span class="with-button">
              <code class="break">{job.id}</code> <CopyButton text={job.id} what={w.id} />
            </span>
          </Fact>
        </dl>
        {usage && usage.turns.length > 1 && (
          <Fold summary={w.byTurn}>
            {() => (
              <dl class="facts">
                {usage.turns.map((turn) => (
                  <Fact key={turn.turn} name={w.turn(turn.turn)}>
                    {cost(turn.usage)}
                    <div class="hint">{w.tokensOf(count(turn.usage.inputTokens), count(turn.usage.outputTokens))}</div>
                  </Fact>
                ))}
              </dl>
            )}
          </Fold>
        )}
      </Panel>
      {metadata.length > 0 && (
        <Panel title={w.metadata}>
          <dl class="facts">
            {metadata.map(([name, value]) => (
              <Fact key={name} name={name}>
                <bdi>{value}</bdi>
              </Fact>
            ))}
          </dl>
        </Panel>
      )}
      {may('admin', projectId) && <TemporalLink projectId={projectId} jobId={job.id} />}
    </aside>
  );
}

/**
 * For operators. The Web UI of `docent start` is on the server's own machine: elsewhere, the link would lead
 * nowhere.
 */
function TemporalLink({ projectId, jobId }: { projectId: string; jobId: string }) {
  const workflow = useResource(`workflow ${projectId} ${jobId}`, (signal) =>
    answerOf(
      api.GET('/v2/agent/{projectId}/job/{id}/workflow', { params: { path: { projectId, id: jobId } }, signal }),
    ),
  );
  const link = safeUrl(workflow.data?.link);
  if (link === null || (isLoopback(new URL(link).hostname) && !isLoopback(location.hostname))) return null;
  return (
    <ButtonLink to={link} kind="quiet" icon={ExternalLink} target="_blank" rel="noopener noreferrer">
      {w.temporal}
    </ButtonLink>
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PullRequestPanel({ projectId, jobId, of }: { projectId: string; jobId: string; of: PullRequest }) {
  const link = safeUrl(of.link);
  return (
    <Panel title={w.pullRequest}>
      <p class="pr-title">
        <Icon of={GitPullRequest} />
        <span dir="auto" class="break">
          {of.title}
          {of.number !== null && <span class="hint"> #{of.number}</span>}
        </span>
      </p>
      <p class="badges">
        <PullState of={of} />
        <PullChecks of={of} />
      </p>
      <p class="hint break">
        <bdi>
          <code>{of.headBranch}</code>
        </bdi>
        {' → '}
        <bdi>
          <code>{of.baseBranch}</code>
        </bdi>
      </p>
      {of.problem && (
        <p class="hint" dir="auto">
          <Sentence text={of.problem} />
        </p>
      )}
      <div class="actions">
        <ButtonLink kind="primary" to={to.changes(projectId, jobId)}>
          {w.seeChanges}
        </ButtonLink>
        {link && (
          <ButtonLink to={link} icon={ExternalLink} target="_blank" rel="noopener noreferrer">
            {w.openAtHost}
          </ButtonLink>
        )}
      </div>
    </Panel>
  );
}
