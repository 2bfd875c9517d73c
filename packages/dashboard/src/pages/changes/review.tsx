import type { ComponentChildren } from 'preact';
import { CircleCheck, TriangleAlert } from 'lucide';
import type { components } from '@docent/client';
import { Fold } from '../../parts/fold.tsx';
import { FoundList } from '../../parts/found.tsx';
import { Icon } from '../../parts/icon.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { text } from '../../text.ts';

const { changes: w } = text;

export type JobReview = components['schemas']['JobReview'];
type Review = components['schemas']['Review'];
type Checks = NonNullable<components['schemas']['PullRequest']['checks']>;

/** More of one kind are folded. */
const SHOWN = 10;

/**
 * What to know before the change is merged or published, above the buttons for that.
 * @param review see {@link doubtsOf}
 * @param checks of the code host
 */
export function ReviewPanel({
  title,
  review,
  checks = null,
  children,
}: {
  title: string;
  review: Review | null | undefined;
  checks?: Checks | null;
  children: ComponentChildren;
}) {
  const doubts = doubtsOf(review);
  return (
    <section class="panel review" aria-label={title}>
      <h2>{title}</h2>
      {review && doubts.length === 0 ? (
        <p class="verdict good">
          <Icon of={CircleCheck} /> {w.noDoubts}
        </p>
      ) : (
        <Doubts of={doubts} />
      )}
      {review && <Part title={w.remaining} problems={review.problems} secrets={review.secrets} />}
      {review && <Part title={w.reviewList} notes={review.notes} />}
      {checks && <HostChecks of={checks} />}
      {children}
    </section>
  );
}

/**
 * Reasons for a confirmation. @param review null if the change is gone, undefined if it could not be read
 */
export function doubtsOf(review: Review | null | undefined): string[] {
  if (review === undefined) return [w.reviewUnread];
  return review?.doubts.map(({ message }) => message) ?? [];
}

export function Doubts({ of: doubts }: { of: readonly string[] }) {
  return (
    <ul class="verdict warn">
      {doubts.map((doubt) => (
        <li key={doubt}>
          <Icon of={TriangleAlert} /> <span dir="auto">{doubt}</span>
        </li>
      ))}
    </ul>
  );
}

function Part({
  title,
  problems = [],
  secrets = [],
  notes = [],
}: { title: string } & Partial<Pick<Review, 'problems' | 'secrets' | 'notes'>>) {
  const found = problems.length + secrets.length + notes.length;
  if (found === 0) return null;
  const list = <FoundList problems={problems} secrets={secrets} notes={notes} />;
  return (
    <>
      <h3>{title}</h3>
      {found <= SHOWN ? list : <Fold summary={w.showFound(found)}>{() => list}</Fold>}
    </>
  );
}

/** Those that did not pass, by name. */
function HostChecks({ of: { items } }: { of: Checks }) {
  const open = items.filter(({ state }) => state === 'failed' || state === 'pending');
  if (open.length === 0) return null;
  return (
    <>
      <h3>{w.hostChecks}</h3>
      <ul class="found">
        {open.slice(0, SHOWN).map(({ name, state, url }, i) => {
          const link = safeUrl(url);
          return (
            <li key={i}>
              {w.checkStates[state]}:{' '}
              {link ? (
                <a href={link} target="_blank" rel="noopener noreferrer" dir="auto">
                  {name}
                </a>
              ) : (
                <span dir="auto">{name}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
