import { useRef, useState } from 'preact/hooks';
import { Paperclip, RotateCcw, X } from 'lucide';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { bytes } from '../../parts/number.ts';
import { useDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';

const { attachments: w } = text;
const MOST = 10;

interface Attached {
  /** Also its `Idempotency-Key`. */
  key: string;
  name: string;
  bytes: number;
  /** Once the server has it. */
  id: string | null;
  file?: File;
  percent?: number;
  problem?: Problem;
}

export interface Attachments {
  files: readonly Attached[];
  /** Ids of uploaded ones. */
  ids: string[];
  isSending: boolean;
  hint: string | null;
  add(files: Iterable<File>): void;
  again(key: string): void;
  remove(key: string): void;
  clear(): void;
}

/**
 * The files of something that is being written, sent as they are added. Those that have arrived are kept
 * through a reload.
 * @param place of the draft
 */
export function useAttachments(projectId: string, place: string): Attachments {
  const [kept, setKept, forget] = useDraft(`${place}:files`, '[]');
  const [files, setFiles] = useState<Attached[]>(() => parsed(kept));
  const [hint, setHint] = useState<string | null>(null);
  const now = useRef(files);
  const set = (next: Attached[]) => {
    now.current = next;
    setFiles(next);
    setKept(
      JSON.stringify(
        next.flatMap(({ key, name, bytes: size, id }) => (id === null ? [] : [{ key, name, bytes: size, id }])),
      ),
    );
  };
  const change = (key: string, changes: Partial<Attached>) =>
    set(now.current.map((each) => (each.key === key ? { ...each, ...changes } : each)));

  const send = (key: string, file: File) => {
    change(key, { percent: 0, problem: undefined });
    answerOf(
      api.POST('/v2/agent/{projectId}/attachments', {
        params: { path: { projectId }, query: { filename: file.name }, header: { 'Idempotency-Key': key } },
        body: file as unknown as string,
        bodySerializer: (body: unknown) => body as Blob,
        headers: { 'Content-Type': 'application/octet-stream' },
        fetch: fetchWithProgress((percent) => change(key, { percent })),
      }),
    ).then(
      ({ id }) => change(key, { id, file: undefined, percent: undefined }),
      (thrown: unknown) => change(key, { problem: problemOf(thrown), percent: undefined }),
    );
  };
  return {
    files,
    ids: files.flatMap(({ id }) => (id === null ? [] : [id])),
    isSending: files.some(({ id, problem }) => id === null && !problem),
    hint,
    add(added) {
      const all = [...added];
      const room = MOST - now.current.length;
      setHint(all.length > room ? w.tooMany : null);
      for (const file of all.slice(0, Math.max(0, room))) {
        const key = onceKey();
        set([...now.current, { key, name: file.name, bytes: file.size, id: null, file }]);
        send(key, file);
      }
    },
    again(key) {
      const file = now.current.find((each) => each.key === key)?.file;
      if (file) send(key, file);
    },
    remove: (key) => set(now.current.filter((each) => each.key !== key)),
    clear() {
      now.current = [];
      setFiles([]);
      forget();
    },
  };
}

function parsed(text: string): Attached[] {
  try {
    return JSON.parse(text) as Attached[];
  } catch {
    return [];
  }
}

export function AttachmentList({ of: { files, hint, again, remove } }: { of: Attachments }) {
  return (
    <>
      {hint && <p class="wrong">{hint}</p>}
      {files.length > 0 && (
        <ul class="attachments" aria-label={w.list}>
          {files.map((file) => (
            <li key={file.key}>
              <Icon of={Paperclip} size={14} />
              <bdi class="cut">{file.name}</bdi>
              <span class="hint">{bytes(file.bytes)}</span>
              {file.percent !== undefined && <span role="status">{w.sending(file.percent)}</span>}
              {file.problem && <span class="wrong">{file.problem.message}</span>}
              {file.problem && file.file && (
                <IconButton icon={RotateCcw} label={w.again} onClick={() => again(file.key)} />
              )}
              <IconButton icon={X} label={w.remove(file.name)} onClick={() => remove(file.key)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Chooses files; dropping and pasting do the same. */
export function AddFiles({ of: { add } }: { of: Attachments }) {
  return (
    <label class="button quiet add-files" title={w.hint}>
      <Icon of={Paperclip} /> {w.add}
      <input
        type="file"
        multiple
        class="unseen"
        onChange={(event) => {
          add(event.currentTarget.files ?? []);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
