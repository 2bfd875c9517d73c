import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { CircleCheck, CircleX, LoaderCircle, type IconNode } from 'lucide';
import type { components } from '@docent/client';
import { answerOf, api } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/page.tsx';
import { text } from '../../text.ts';
import type { Step } from './timeline.ts';

const { job: w } = text;

/** The job whose calls are shown. */
export const OfJob = createContext({ projectId: '', id: '' });

/** One of a step's tool calls: a line, and its input and output, which are loaded when it is opened. */
export function Call({ turn, step, index }: { turn: number | null; step: Step; index: number }) {
  const call = step.event.data?.calls?.[index];
  if (!call) return null;
  const result = step.results.get(call.id);
  const [icon, state]: [IconNode, string] = result
    ? result.ok
      ? [CircleCheck, w.worked]
      : [CircleX, w.refused]
    : step.isOver
      ? [CircleCheck, w.worked]
      : [LoaderCircle, w.runs];
  return (
    <Fold
      class={`call ${result?.ok === false ? 'refused' : ''}`}
      summary={
        <>
          <Icon of={icon} size={14} label={state} />
          <bdi class="cut">
            <code>{call.summary}</code>
          </bdi>
        </>
      }
    >
      {() => (
        <div class="call-body">
          <Details turn={turn ?? 0} step={step} index={index} />
          <dl class="facts">
            <Fact name={w.outcome}>
              {state}
              {result?.ok === false && ` · ${w.changedNothing}`}
            </Fact>
            {result && result.changed.length > 0 && (
              <Fact name={w.changed}>
                {result.changed.map((path) => (
                  <div key={path}>
                    <bdi>
                      <code>{path}</code>
                    </bdi>
                  </div>
                ))}
              </Fact>
            )}
          </dl>
        </div>
      )}
    </Fold>
  );
}

function Details({ turn, step: { no, isOver }, index }: { turn: number; step: Step; index: number }) {
  const path = useContext(OfJob);
  const calls = useResource(`calls ${path.projectId} ${path.id} ${turn} ${no} ${isOver}`, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/calls', { params: { path, query: { turn, step: no } }, signal })),
  );
  return (
    <Loaded from={calls} rows={2}>
      {(found) => <InputAndResult of={found.calls[index]} />}
    </Loaded>
  );
}

/** The fields are unordered: the old text is shown before the new one. */
const IS_LATER = /^(?:new|to$|content|text)/i;
const byTime = (a: { name: string }, b: { name: string }) =>
  Number(IS_LATER.test(a.name)) - Number(IS_LATER.test(b.name));

function InputAndResult({ of: call }: { of: components['schemas']['JobCall'] | undefined }) {
  return (
    <dl class="facts">
      {call?.arguments.toSorted(byTime).map(({ name, value, cut }) => (
        <Fact key={name} name={<bdi>{name || w.given}</bdi>}>
          <Quoted text={value} isCut={cut} label={w.argument(name || w.given)} />
        </Fact>
      ))}
      {call?.result && (
        <Fact name={w.answered}>
          <Quoted text={call.result.text} isCut={call.result.cut} label={w.answered} />
        </Fact>
      )}
    </dl>
  );
}

/** Text of a model or a file, unformatted. */
function Quoted({ text, isCut, label }: { text: string; isCut: boolean; label: string }) {
  return (
    <>
      <pre class="quoted" dir="auto" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      {isCut && <span class="hint">{w.isCut}</span>}
    </>
  );
}

function Fact({ name, children }: { name: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
