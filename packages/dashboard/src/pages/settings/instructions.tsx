import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Badge } from '../../parts/badge.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { count } from '../../parts/number.ts';
import { Loaded, Panel } from '../../parts/page.tsx';
import { text } from '../../text.ts';

const { settings: w } = text;

/** The repository's instruction files, and why they are used. */
export function Instructions({ projectId }: { projectId: string }) {
  const found = useResource(`instructions ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/instructions', { params: { path: { projectId } }, signal })),
  );
  return (
    <Panel title={w.instructions}>
      <p class="hint">{w.instructionsHint}</p>
      <Loaded from={found} rows={1}>
        {({ files }) =>
          files.length === 0 ? (
            <p>{w.noInstructions}</p>
          ) : (
            <ul class="lines">
              {files.map((file) => (
                <li key={file.path}>
                  <code>
                    <Foreign text={file.path} />
                  </code>{' '}
                  {file.missing ? (
                    <Badge tone="warn">{w.missing}</Badge>
                  ) : (
                    <Badge>{w.characters(count(file.includedCharacters))}</Badge>
                  )}{' '}
                  <span class="hint">{file.why}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
