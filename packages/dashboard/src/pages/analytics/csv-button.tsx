import { Download } from 'lucide';
import { useState } from 'preact/hooks';
import { problemOf } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text.ts';

const { analytics: w } = text;

/** Saves a table of the API as a file. @param what the kind of its rows, e.g. "pages" */
export function CsvButton({ what, fileName, load }: { what: string; fileName: string; load: () => Promise<Blob> }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      kind="quiet"
      icon={Download}
      isBusy={isBusy}
      aria-label={w.download(what)}
      title={w.download(what)}
      onClick={() => {
        setBusy(true);
        load()
          .then(
            (table) => save(table, fileName),
            (thrown: unknown) => toast(problemOf(thrown).message),
          )
          .finally(() => setBusy(false));
      }}
    >
      CSV
    </Button>
  );
}

function save(table: Blob, fileName: string): void {
  const url = URL.createObjectURL(table);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser must have started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
