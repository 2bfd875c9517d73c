export interface ChangedFile {
  path: string;
  how: 'added' | 'changed' | 'moved' | 'deleted';
}

/** The files that a unified diff of git changes, in its order. */
export function changedFiles(diff: string): ChangedFile[] {
  const files: ChangedFile[] = [];
  let current: ChangedFile | undefined;
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      current = { path: pathIn(line), how: 'changed' };
      files.push(current);
    } else if (line.startsWith('@@')) current = undefined;
    else if (current && line.startsWith('new file mode')) current.how = 'added';
    else if (current && line.startsWith('deleted file mode')) current.how = 'deleted';
    else if (current && line.startsWith('rename to ')) current.how = 'moved';
  }
  return files;
}

/** Both names are the same but for a move, where the second counts; git quotes those with unusual characters. */
function pathIn(line: string): string {
  const [, quoted, plain] = /^diff --git .* (?:"b\/(.*)"|b\/(.*))$/.exec(line) ?? [];
  return quoted ?? plain ?? '';
}
