import { useState } from 'preact/hooks';
import { CircleCheck, CircleX } from 'lucide';
import type { components, JobEvent } from '@docent/client';
import { Button } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icon.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { durationOf, When } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { Call } from './call.tsx';
import { numberIn } from './job-badge.tsx';
import { Round } from './round.tsx';
import type { Step, Turn as TurnOf, TurnPart, Writing } from './timeline.ts';

const { job: w } = text;
type CheckRound = components['schemas']['CheckRound'];

/** In a long turn, the newest are shown first. */
const SHOWN = 60;

/** One turn: the agent's work, step by step. Collapsed when it ends; collapsed content is not rendered. */
export function Turn({
  turn,
  isNewest,
  writing,
  rounds,
}: {
  turn: TurnOf;
  isNewest: boolean;
  writing: Writing | null;
  rounds: readonly CheckRound[];
}) {
  const isRunning = isNewest && !turn.ended;
  const steps = turn.parts.filter(({ kind }) => kind === 'step').length;
  const state = turn.ended?.data?.state;
  return (
    <Fold
      class="turn"
      isOpenFirst={isRunning}
      summary={
        <>
          {isRunning ? (
            <span class="spinner" aria-hidden="true" />
          ) : (
            <Icon of={state === 'failed' ? CircleX : CircleCheck} size={14} />
          )}
          <strong>{w.turn(turn.no)}</strong>
          <span class="hint">
            {[
              steps > 0 && w.steps(steps),
              isRunning ? w.running : state && (w.turnStates[state] ?? state),
              turn.ended && durationOf(Date.parse(turn.ended.createdAt) - Date.parse(turn.startedAt)),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </>
      }
    >
      {() => <Parts turn={turn} writing={writing?.turn === turn.no ? writing : null} rounds={rounds} />}
    </Fold>
  );
}

function Parts({ turn, writing, rounds }: { turn: TurnOf; writing: Writing | null; rounds: readonly CheckRound[] }) {
  const [most, setMost] = useState(SHOWN);
  const hidden = Math.max(0, turn.parts.length - most);
  return (
    <ol class="steps">
      {hidden > 0 && (
        <li>
          <Button kind="quiet" onClick={() => setMost(most + 10 * SHOWN)}>
            {w.earlierSteps(Math.min(hidden, 10 * SHOWN))}
          </Button>
        </li>
      )}
      {turn.parts.slice(hidden).map((part) => (
        <li key={partKey(part)}>
          {part.kind === 'step' ? <OneStep step={part.step} /> : <Other event={part.event} rounds={rounds} />}
        </li>
      ))}
      {writing && (
        <li class="writing">
          <span class="hint">{w.writing}</span>
          <p class="as-written" dir="auto">
            {writing.text}
          </p>
        </li>
      )}
      {turn.ended && (
        <li>
          <Line event={turn.ended} />
          {turn.ended.data?.error && (
            <p class="hint">
              <code>{turn.ended.data.error.code}</code>
            </p>
          )}
        </li>
      )}
    </ol>
  );
}

function partKey(part: TurnPart): number {
  return part.kind === 'step' ? part.step.event.no : part.event.no;
}

function OneStep({ step }: { step: Step }) {
  const { event } = step;
  const calls = event.data?.calls ?? [];
  return (
    <>
      {event.data?.words && (
        <p class="step-words" dir="auto">
          {event.data.words}
        </p>
      )}
      {calls.length === 0 && !event.data?.words && <Line event={event} />}
      {calls.map((call, i) => (
        <Call key={call.id} turn={event.turn} step={step} index={i} />
      ))}
    </>
  );
}

function Other({ event, rounds }: { event: JobEvent; rounds: readonly CheckRound[] }) {
  if (event.type === 'checks') {
    const round = rounds.find(({ turn, step }) => turn === event.turn && step === event.data?.step);
    return <Round event={event} round={round} />;
  }
  const link = safeUrl(event.data?.prLink);
  return (
    <>
      <Line event={event} />
      {event.type === 'published' && (
        <p class="hint published">
          {event.data?.commit && (
            <span>
              {w.commit} <code>{event.data.commit.slice(0, 10)}</code>
            </span>
          )}
          {event.data?.branch && (
            <bdi>
              <code>{event.data.branch}</code>
            </bdi>
          )}
          {link && (
            <a href={link} target="_blank" rel="noopener noreferrer">
              {w.pullRequest}
              {numberIn(link)}
            </a>
          )}
        </p>
      )}
    </>
  );
}

/** An event in its own sentence. */
export function Line({ event }: { event: JobEvent }) {
  return (
    <p class="line">
      <span dir="auto">{event.text}</span>{' '}
      <span class="hint">
        <When at={event.createdAt} />
      </span>
    </p>
  );
}
