import { Bot, Paperclip, User } from 'lucide';
import type { components, JobEvent } from '@docent/client';
import type { CursorList } from '../../api/list.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { bytes } from '../../parts/number.ts';
import { When } from '../../parts/when.tsx';
import { href } from '../../shell/address.ts';
import { text } from '../../text.ts';
import { OutcomeBadge } from './job-badge.tsx';
import type { Timeline, Turn as TurnOf } from './timeline.ts';
import { Line, Turn } from './turn.tsx';

const { job: w } = text;
type Message = components['schemas']['JobMessage'];
type CheckRound = components['schemas']['CheckRound'];

type Entry = { at: number; key: string } & (
  | { kind: 'message'; message: Message }
  | { kind: 'turn'; turn: TurnOf }
  | { kind: 'event'; event: JobEvent }
);

/** The conversation and the work, in order: each prompt, its turn, and its answer. */
export function Conversation({
  projectId,
  timeline,
  messages,
  rounds,
}: {
  projectId: string;
  timeline: Timeline;
  messages: CursorList<Message>;
  rounds: readonly CheckRound[];
}) {
  const newest = timeline.turns.at(-1);
  return (
    <section class="conversation" aria-label={w.conversation}>
      {messages.hasMore && (
        <Button isBusy={messages.isLoadingMore} onClick={messages.more}>
          {w.earlier}
        </Button>
      )}
      {inOrder(timeline, messages.rows ?? [], messages.hasMore).map((entry) => {
        if (entry.kind === 'message')
          return <MessageEntry key={entry.key} projectId={projectId} message={entry.message} />;
        if (entry.kind === 'event') return <Line key={entry.key} event={entry.event} />;
        return (
          <Turn
            key={entry.key}
            turn={entry.turn}
            isNewest={entry.turn === newest}
            writing={timeline.writing}
            rounds={rounds}
          />
        );
      })}
    </section>
  );
}

/** @param isCut whether there are earlier messages: events before the loaded ones are left out */
export function inOrder(timeline: Timeline, messages: readonly Message[], isCut: boolean): Entry[] {
  const begun = new Map(timeline.turns.map((turn) => [turn.no, Date.parse(turn.startedAt)]));
  const ended = new Map(
    timeline.turns.map((turn) => [turn.no, turn.ended ? Date.parse(turn.ended.createdAt) : Infinity]),
  );
  const entries: Entry[] = [];
  for (const message of messages) {
    const at = Date.parse(message.createdAt);
    const key = `message ${message.id}`;
    const start = message.turn === null ? undefined : begun.get(message.turn);
    if (message.role === 'assistant') {
      // After its turn, whichever of the two was received first.
      const end = message.turn === null ? at : Math.max(at, start ?? at);
      entries.push({ kind: 'message', key, message, at: end + 0.2 });
    } else if (message.state === 'waiting') {
      entries.push({ kind: 'message', key, message, at: Number.MAX_SAFE_INTEGER });
    } else {
      entries.push({ kind: 'message', key, message, at: start !== undefined && at <= start ? start - 0.1 : later(at) });
    }
  }
  const first = isCut ? Math.min(...entries.map(({ at }) => at)) : -Infinity;
  for (const turn of timeline.turns) {
    const at = begun.get(turn.no) ?? 0;
    if (at >= first) entries.push({ kind: 'turn', key: `turn ${turn.no}`, turn, at });
  }
  for (const event of timeline.others) {
    const at = Date.parse(event.createdAt);
    if (at >= first) entries.push({ kind: 'event', key: `event ${event.no}`, event, at: at + 0.3 });
  }
  return entries.toSorted(
    (a, b) => a.at - b.at || (a.kind === 'message' && b.kind === 'message' ? number(a) - number(b) : 0),
  );

  /** A message sent during a turn comes after what that turn has done. */
  function later(at: number): number {
    const turn = timeline.turns.find(({ no }) => (begun.get(no) ?? 0) <= at && at <= (ended.get(no) ?? 0));
    return turn ? at + 0.1 : at;
  }
}

function number(entry: Entry): number {
  return entry.kind === 'message' ? entry.message.no : 0;
}

function MessageEntry({ projectId, message }: { projectId: string; message: Message }) {
  const isAnswer = message.role === 'assistant';
  const state = w.messageStates[message.state];
  return (
    <article class={`said ${isAnswer ? 'answer' : 'prompt'}`}>
      <header>
        <Icon of={isAnswer ? Bot : User} size={14} />
        <strong>{isAnswer ? w.agent : message.no === 1 ? w.you : w.followUp}</strong>
        <span class="hint">
          <When at={message.createdAt} />
        </span>
        {isAnswer && message.outcome && <OutcomeBadge outcome={message.outcome} />}
        {!isAnswer && state && <Badge tone={message.state === 'dropped' ? 'plain' : 'busy'}>{state}</Badge>}
      </header>
      {isAnswer ? (
        <Markdown text={message.text} />
      ) : (
        <p class="as-written" dir="auto">
          {message.text}
        </p>
      )}
      {message.attachments.length > 0 && (
        <ul class="attachments">
          {message.attachments.map((file) => (
            <li key={file.id}>
              <Icon of={Paperclip} size={14} />
              <a
                class="cut"
                download={file.name}
                href={href(
                  `/v2/agent/${encodeURIComponent(projectId)}/attachments/${encodeURIComponent(file.id)}/content`,
                )}
              >
                <bdi>{file.name}</bdi>
              </a>
              <span class="hint">{bytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
