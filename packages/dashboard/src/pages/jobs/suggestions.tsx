import { Sparkles } from 'lucide';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Icon } from '../../parts/icon.tsx';
import { Waiting } from '../../parts/page.tsx';
import { text } from '../../text.ts';

const { newJob: w } = text;
const MOST = 6;

/**
 * Useful prompts: found in this repository and in what its readers do, else general ones. For the built-in
 * editor, only those that it can carry out.
 */
export function Suggestions({
  projectId,
  isBuiltin,
  onChoose,
}: {
  projectId: string;
  isBuiltin: boolean;
  onChoose: (prompt: string) => void;
}) {
  const found = useResource(`suggestions ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/suggestions', { params: { path: { projectId } }, signal })),
  );
  if (!found.data && !found.problem) return <Waiting rows={3} />;
  // They are for the project's model, but another one may be chosen for the job.
  const isForAnother = found.data !== undefined && (found.data.model === 'builtin') !== isBuiltin;
  const suggestions = isForAnother ? [] : (found.data?.suggestions ?? []);
  const all = suggestions.length > 0 ? suggestions.slice(0, MOST) : isBuiltin ? [] : w.examplesForAll;
  if (all.length === 0) return null;
  return (
    <section class="examples" aria-label={w.examples}>
      <h2>{w.examples}</h2>
      {suggestions.length > 0 && <p class="hint">{w.exampleHint}</p>}
      {all.map(({ title, prompt }) => (
        <button key={prompt} type="button" onClick={() => onChoose(prompt)}>
          <Icon of={Sparkles} size={14} />
          <span dir="auto">
            <strong>{title}</strong>
            <span class="hint">{prompt}</span>
          </span>
        </button>
      ))}
    </section>
  );
}
