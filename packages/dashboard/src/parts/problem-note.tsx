import { CircleAlert } from 'lucide';
import type { Problem } from '../api/problem.ts';
import { text } from '../text.ts';
import { Button } from './button.tsx';
import { Code } from './code.tsx';
import { Icon } from './icon.tsx';

/** A problem: the API's message, and its id in the server's log. */
export function ProblemNote({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  // The dialog shows it. After signing in again, pages reload, and unsent text can be sent.
  if (problem.code === 'session_ended') return null;
  return (
    <div class="note bad" role="alert">
      <Icon of={CircleAlert} />
      <div>
        <p>
          <Code text={problem.message} />
        </p>
        {problem.fields.length > 1 && (
          <ul>
            {problem.fields.map((field) => (
              <li key={field.param}>
                <Code text={field.message} />
              </li>
            ))}
          </ul>
        )}
        {problem.requestId && (
          <p class="hint">
            {text.common.requestId} <code>{problem.requestId}</code>
          </p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>{text.common.tryAgain}</Button>}
    </div>
  );
}

/** The part of a problem that is about one field. */
export function aboutField(problem: Problem | undefined, param: string): string | null {
  if (!problem) return null;
  const field = problem.fields.find((entry) => entry.param === param || entry.param?.startsWith(`${param}[`));
  return field?.message ?? (problem.param === param ? problem.message : null);
}

type TextOf<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form] & string;

/** Binds the text fields of a form: their values, their changes and what a problem says about them. */
export function fieldsOf<Form>(form: Form, set: (changes: Partial<Form>) => void, problem: Problem | undefined) {
  return (name: TextOf<Form>) => ({
    value: form[name] as string,
    onValue: (next: string) => set({ [name]: next } as Partial<Form>),
    error: aboutField(problem, name),
  });
}
