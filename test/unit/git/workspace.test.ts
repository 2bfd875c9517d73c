import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WritePolicy } from '@docent/git/contract';
import { lfsPaths } from '@docent/git/lfs/attributes';
import { lfsObject, pointerTo } from '@docent/git/lfs/pointer';
import { memoryBaseTree, type MemoryFile } from '@docent/base/files/memory-base-tree';
import { blobIdOf } from '@docent/base/files/object-id';
import { foldPath } from '@docent/git/name-alias';
import { Workspace, WorkspaceRefusal } from '@docent/git/workspace';

const policy: WritePolicy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);

const text = (path: string, content = 'x') => ({ path, content, blobId: null });
const gone = (path: string) => ({ path, content: null, blobId: null });
function workspaceOf(files: Record<string, MemoryFile>, changed: Partial<WritePolicy> = {}): Workspace {
  return new Workspace(memoryBaseTree(files), [], { ...policy, ...changed });
}

test('a large page moves as it is', () => {
  const changelog = `# Changes\n\n${'words '.repeat(250_000)}`;
  const workspace = workspaceOf({ 'changelog.md': changelog });
  workspace.move('changelog.md', 'changes.md');
  expect(workspace.readLarge('changes.md')).toBe(changelog);
  expect(workspace.readText('changes.md')).toBeNull();
});

describe('reading', () => {
  test('lays changes over the base', () => {
    const ws = workspaceOf({ 'index.mdx': 'hello', 'guide/a.mdx': 'a', 'logo.png': PNG });
    ws.write('index.mdx', 'hello there');
    ws.write('guide/b.mdx', 'b');
    ws.remove('guide/a.mdx');
    expect(ws.paths()).toEqual(['guide/b.mdx', 'index.mdx', 'logo.png']);
    expect(ws.readText('index.mdx')).toBe('hello there');
    expect(ws.readText('guide/a.mdx')).toBeNull();
    expect(ws.kind('guide')).toBe('folder');
    expect(ws.kind('logo.png')).toBe('binary');
    expect(ws.kind('nothing')).toBeNull();
    expect(ws.exists('guide')).toBe(false);
    expect(ws.size('guide/b.mdx')).toBe(1);
    expect(ws.changes()).toEqual([
      { path: 'guide/a.mdx', content: null, blobId: null },
      { path: 'guide/b.mdx', content: 'b', blobId: null },
      { path: 'index.mdx', content: 'hello there', blobId: null },
    ]);
  });

  test('reads no symlink, submodule, binary or huge file as text', () => {
    const ws = workspaceOf({
      link: { symlink: '/etc/passwd' },
      lib: { submodule: 'a'.repeat(40) },
      'logo.png': PNG,
      'latin.md': Buffer.from('caf\xe9', 'latin1'),
      'huge.md': 'x'.repeat(1_048_577),
    });
    for (const path of ws.paths()) expect(ws.readText(path)).toBeNull();
    expect(ws.kind('link')).toBe('symlink');
    expect(ws.kind('lib')).toBe('submodule');
    expect(ws.kind('latin.md')).toBe('binary');
  });

  test('gives the blob id that git gives', () => {
    const ws = workspaceOf({ 'a.md': 'hello\n' });
    expect(ws.blobKey('a.md')).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
    ws.write('b.md', 'hello\n');
    expect(ws.blobKey('b.md')).toBe(ws.blobKey('a.md'));
    expect(() => ws.blobKey('c.md')).toThrow(WorkspaceRefusal);
  });
});

describe('a file that is restored to the base leaves the overlay', () => {
  test('after writing the old text, and after moving there and back', () => {
    const ws = workspaceOf({ 'a.md': 'a', 'logo.png': PNG });
    ws.write('a.md', 'b');
    ws.write('a.md', 'a');
    ws.move('a.md', 'c.md');
    ws.move('c.md', 'a.md');
    ws.move('logo.png', 'img/logo.png');
    ws.move('img/logo.png', 'logo.png');
    ws.remove('a.md');
    ws.write('a.md', 'a');
    ws.write('new.md', 'x');
    ws.remove('new.md');
    expect(ws.changes()).toEqual([]);
  });

  test('even if the limits are reached', () => {
    const ws = workspaceOf({ 'a.md': 'a', 'b.md': 'b' }, { maxFiles: 1 });
    ws.write('a.md', 'x');
    expect(() => ws.write('b.md', 'x')).toThrow(/no more than 1 file/);
    ws.write('a.md', 'a');
    ws.write('b.md', 'x');
    expect(ws.changes()).toHaveLength(1);
  });
});

describe('moving', () => {
  test('keeps the blob of a binary and the text of a page', () => {
    const ws = workspaceOf({ 'logo.png': PNG, 'a.md': 'a' });
    const id = ws.blobKey('logo.png');
    ws.move('logo.png', 'images/logo.png');
    ws.move('a.md', 'b.md');
    expect(ws.blobKey('images/logo.png')).toBe(id);
    expect(ws.kind('images/logo.png')).toBe('binary');
    expect(ws.size('images/logo.png')).toBe(PNG.length);
    expect(ws.readText('b.md')).toBe('a');
    expect(ws.changes()).toEqual([
      { path: 'a.md', content: null, blobId: null },
      { path: 'b.md', content: 'a', blobId: null },
      { path: 'images/logo.png', content: null, blobId: id },
      { path: 'logo.png', content: null, blobId: null },
    ]);
  });

  test('takes a change of case alone, of a file or of the only file of a folder', () => {
    const ws = workspaceOf({ 'Readme.md': 'r', 'Guide/a.md': 'a' });
    ws.move('Readme.md', 'README.md');
    ws.move('Guide/a.md', 'guide/a.md');
    expect(ws.paths()).toEqual(['README.md', 'guide/a.md']);
  });

  test('refuses what would overwrite or collide, and changes nothing', () => {
    const ws = workspaceOf({ 'a.md': 'a', 'b.md': 'b', 'D/x.md': 'x', 'D/y.md': 'y' });
    expect(() => ws.move('a.md', 'b.md')).toThrow(/a file already/);
    expect(() => ws.move('D/x.md', 'd/x.md')).toThrow(/some file systems/);
    expect(() => ws.move('a.md', 'b.md/a.md')).toThrow(/not a folder/);
    expect(() => ws.move('a.md', 'D')).toThrow(/folder with this name/);
    expect(() => ws.move('none.md', 'c.md')).toThrow(/no such file/);
    expect(() => ws.move('D', 'E')).toThrow(/it is a folder/);
    expect(() => ws.move('a.md', 'a.md')).toThrow(/the same/);
    expect(ws.changes()).toEqual([]);
  });
});

const NEVER = [
  '.git/config', '.GIT/hooks/x', 'docs/.git', 'git~1/config', 'GIT~1', 'gitmod~1', 'gi7eba~1', 'github~1',
  '.git./config', '.git /config', '.git::$INDEX_ALLOCATION/config', '.g\u200cit/config', '.gi\u200dt', '.git\ufeff',
  '.\u00adgit', '\uff0egit/config', '.g\u0131t', ' .git', '.gitmodules', '.gitattributes', '.gitignore', 'a/.GitIgnore',
  '.github/workflows/x.yml', '.gitlab-ci.yml', '.gitea/x', '.forgejo/workflows/x.yaml', '.circleci/config.yml',
  '.travis.yml', 'azure-pipelines.yml', 'Jenkinsfile', 'jenkinsfile.groovy', 'bitbucket-pipelines.yml', '.drone.yml',
  '.woodpecker.yml', '.woodpecker/x.yml', '.buildkite/pipeline.yml', 'CODEOWNERS', 'docs/CODEOWNERS', 'codeowners',
  'package.json', 'docs/Package.json', 'package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs',
  'vercel.json', 'netlify.toml', '.readthedocs.yaml', 'requirements-docs.txt', 'pyproject.toml', 'Gemfile', 'Dockerfile', 'Dockerfile.dev',
  'Makefile', 'docker-compose.yml', 'compose.prod.yaml', '.env', '.env.local', '.envrc', '.vscode/tasks.json',
  '.devcontainer/devcontainer.json', '.claude/settings.json', '.cursor/mcp.json', '.mcp.json', '.husky/pre-commit',
]; // oxfmt-ignore

const MALFORMED = [
  '', '/etc/passwd', '../x', 'a/../b', './a', 'a//b', 'a/', 'a\\b', 'a\0b', 'a\nb', 'a\u007fb', 'a\u0085b',
  '\ud800.md', 'a/'.repeat(2_100) + 'b', 'n'.repeat(256), '..', '.', '...', ' ', 'a/ /b',
]; // oxfmt-ignore

describe('paths that are never written', () => {
  test.each(NEVER)('protected: %j', (path) => {
    const ws = workspaceOf({ 'a.md': 'a', [path]: 'x' });
    expect(() => ws.write(path, 'y')).toThrow(WorkspaceRefusal);
    expect(() => ws.remove(path)).toThrow(WorkspaceRefusal);
    expect(() => ws.move(path, 'b.md')).toThrow(WorkspaceRefusal);
    expect(() => ws.move('a.md', path)).toThrow(WorkspaceRefusal);
    expect(ws.changes()).toEqual([]);
  });

  test.each(MALFORMED)('malformed: %j', (path) => {
    const ws = workspaceOf({ 'a.md': 'a' });
    expect(() => ws.write(path, 'y')).toThrow(WorkspaceRefusal);
    expect(() => ws.move('a.md', path)).toThrow(WorkspaceRefusal);
  });

  test.each([
    'zero\u200bwidth.md',
    'rtl\u202egpj.md',
    'dot.',
    'space /x.md',
    'a:b.md',
    'a.md:stream',
    'what?.md',
    'a*.md',
    'a|b.md',
    'a<b>.md',
    'say "a".md',
    'con',
    'guides/aux.md',
    'NUL.txt',
    'Com1.mdx',
    'lpt\u00b9.md',
    'prn/x.md',
  ])(
    // oxfmt-ignore

    'as a new name: %j',
    (path) => {
      expect(() => workspaceOf({}).write(path, 'y')).toThrow(WorkspaceRefusal);
      const ws = workspaceOf({ [path]: 'x' });
      ws.write(path, 'y');
      expect(ws.readText(path)).toBe('y');
    },
  );

  test.each([
    'azure-pipelines.mdx',
    'codeowners.md',
    'gist.md',
    'digit~1.md',
    'guide/jenkinsfile.mdx',
    '⚙️.md',
    'git.md',
    'dockerfile.mdx',
    'makefile.md',
    'package.mdx',
    'environment.md',
    'console.md',
    'auxiliary/index.md',
    'com10.md',
    'blog/[slug].mdx',
  ])('but these pages are fine: %j', (path) => {
    const ws = workspaceOf({});
    ws.write(path, 'y');
    expect(ws.paths()).toEqual([path]);
  });

  test('outside the docs folder', () => {
    const ws = workspaceOf({ 'src/a.md': 'a', 'docs/a.md': 'a', docsx: 'x' }, { docsDir: 'docs' });
    for (const path of ['src/a.md', 'docsx', 'docs', 'Docs/b.md', 'docsx/a.md']) {
      expect(() => ws.write(path, 'y'), path).toThrow(WorkspaceRefusal);
      expect(ws.inDocsDir(path)).toBe(false);
    }
    expect(() => ws.move('docs/a.md', 'src/b.md')).toThrow(/outside docs\//);
    expect(() => ws.move('src/a.md', 'docs/b.md')).toThrow(/outside docs\//);
    ws.write('docs/b/c.md', 'c');
    expect(ws.inDocsDir('docs/b/c.md')).toBe(true);
  });
});

describe('obstacles', () => {
  test('symlinks, submodules, files and folders', () => {
    const ws = workspaceOf({
      link: { symlink: '../../etc' },
      lib: { submodule: 'a'.repeat(40) },
      'a.md': 'a',
      'd/x.md': 'x',
      'logo.png': PNG,
    });
    expect(() => ws.write('link/passwd', 'x')).toThrow(/is a symlink, not a folder/);
    expect(() => ws.write('Link/passwd', 'x')).toThrow(/some file systems/);
    expect(() => ws.write('lib/x.md', 'x')).toThrow(/is a submodule, not a folder/);
    expect(() => ws.write('link', 'x')).toThrow(/symlink/);
    expect(() => ws.remove('lib')).toThrow(/submodule/);
    expect(() => ws.move('link', 'link2')).toThrow(/symlink/);
    expect(() => ws.write('a.md/b.md', 'x')).toThrow(/is a file, not a folder/);
    expect(() => ws.write('d', 'x')).toThrow(/folder with this name/);
    expect(() => ws.remove('d')).toThrow(/it is a folder/);
    expect(() => ws.write('logo.png', 'x')).toThrow(/binary/);
    expect(() => ws.write('A.md', 'x')).toThrow(/some file systems/);
    expect(() => ws.write('D/y.md', 'x')).toThrow(/some file systems/);
    expect(() => ws.write('d/X.md', 'x')).toThrow(/some file systems/);
    expect(ws.changes()).toEqual([]);
  });

  test('gives way when it is removed first', () => {
    const ws = workspaceOf({ 'a.md': 'a', 'd/x.md': 'x', 'logo.png': PNG });
    ws.remove('a.md');
    ws.write('a.md/b.md', 'b');
    ws.remove('d/x.md');
    ws.write('D/y.md', 'y');
    ws.remove('logo.png');
    ws.write('logo.png', 'text');
    expect(ws.paths()).toEqual(['D/y.md', 'a.md/b.md', 'logo.png']);
    expect(() => ws.write('a.md', 'x')).toThrow(/folder with this name/);
  });

  test('two existing files that differ by case can both be edited', () => {
    const ws = workspaceOf({ 'readme.md': 'a', 'README.md': 'b' });
    ws.write('readme.md', 'x');
    ws.write('README.md', 'y');
    expect(ws.changes()).toHaveLength(2);
  });

  test('an executable may be edited in place', () => {
    const ws = workspaceOf({ 'run.sh': { executable: '#!/bin/sh\n' } });
    ws.write('run.sh', '#!/bin/sh\necho\n');
    expect(ws.kind('run.sh')).toBe('text');
  });
});

describe('limits', () => {
  test('of a file, of all files, and of text', () => {
    const ws = workspaceOf({ 'a.md': 'a' }, { maxFileBytes: 10, maxTotalBytes: 15 });
    expect(() => ws.write('a.md', 'é'.repeat(6))).toThrow(/12 bytes; at most 10/);
    ws.write('a.md', 'x'.repeat(10));
    expect(() => ws.write('b.md', 'x'.repeat(6))).toThrow(/16 bytes together/);
    ws.write('a.md', 'x');
    ws.write('b.md', 'x'.repeat(6));
    expect(() => ws.write('c.md', 'a\0')).toThrow(/NUL/);
    expect(() => ws.write('c.md', '\udc00')).toThrow(/surrogates/);
    expect(ws.changes().map((entry) => entry.path)).toEqual(['a.md', 'b.md']);
  });

  test('a refused move leaves both files as they were', () => {
    const ws = workspaceOf({ 'a.md': 'a' }, { maxFiles: 1 });
    expect(() => ws.move('a.md', 'b.md')).toThrow(/no more than 1/);
    expect(ws.paths()).toEqual(['a.md']);
    expect(ws.changes()).toEqual([]);
    ws.write('a.md', 'b');
    expect(ws.changes()).toHaveLength(1);
  });
});

describe('an overlay from elsewhere', () => {
  const base = memoryBaseTree({ 'a.md': 'a', link: { symlink: 'x' }, 'img.png': PNG, 'd/x.md': 'x' });

  test('passes when a workspace could have made it', () => {
    const png = base.file('img.png')!.blobId;
    Workspace.check(base, [gone('img.png'), { path: 'i/img.png', content: null, blobId: png }, text('a.md')], policy);
    Workspace.check(base, [text('A.md'), gone('a.md')], policy);
    Workspace.check(base, [text('d'), gone('d/x.md'), gone('not-there.md')], policy);
    Workspace.check(base, [text('img.png')], policy);
  });

  test.each([
    [[text('link')]],
    [[text('link/x')]],
    [[gone('link')]],
    [[text('.git/config')]],
    [[text('../x')]],
    [[text('A.md')]],
    [[text('a.md'), gone('a.md')]],
    [[text('d')]],
    [[text('n.md'), text('N.md')]],
    [[text('n.md'), text('n.md/x.md')]],
    [[{ path: 'n.bin', content: null, blobId: 'nonsense' }]],
    [[{ path: 'link', content: null, blobId: 'a'.repeat(40) }]],
    [[text('big.md', 'x'.repeat(2_000_000))]],
    [[text('nul.md', '\0')]],
  ])('is refused: %j', (overlay) => {
    expect(() => Workspace.check(base, overlay, policy)).toThrow(WorkspaceRefusal);
  });

  test('entries that the base has already drop out', () => {
    const ws = new Workspace(base, [text('a.md', 'a'), gone('nope.md'), text('b.md')], policy);
    expect(ws.changes()).toEqual([text('b.md')]);
  });
});

describe('files in Git LFS', () => {
  const pointer = pointerTo(lfsObject(Buffer.from('content')));
  const files = {
    '.gitattributes':
      '[attr]big filter=lfs diff=lfs merge=lfs -text\n*.png big\n*.svg filter=lfs\n/raw/*.png !filter\n*.dat filter=lfs\n*.dat -filter\n"a b/*.x" filter=lfs\nfolder/ filter=lfs\n' +
      'Team[[:space:]]photo.tif filter=lfs\n\\#*.tif filter=lfs\n./dot.tif filter=lfs\n',
    'docs/.gitattributes': '*.svg filter=other\nimg/** filter=lfs\n',
    'a.png': pointer,
    'b.svg': pointer,
    'docs/c.svg': pointer,
    'plain.txt': 'text',
    'logo.gif': PNG,
  };
  const of = (lfs: boolean) => {
    const blobs = new Map([['c'.repeat(40), 3]]);
    return new Workspace(memoryBaseTree(files), [], { ...policy, lfs }, blobs);
  };

  test.each([
    ['x.png', true], ['deep/x.png', true], ['raw/x.png', false], ['raw/deep/x.png', true], ['x.svg', true], ['docs/x.svg', false],
    ['docs/img/x.svg', true], ['img/x.svg', true], ['x.dat', false], ['a b/1.x', true], ['folder/x', false], ['x.txt', false],
    ['Team photo.tif', true], ['Team-photo.tif', false], ['#1.tif', true], ['dot.tif', false],
  ])('are those that .gitattributes names: %s %s', (path, isIn) => {
    expect(lfsPaths(memoryBaseTree(files))(path)).toBe(isIn);
    expect(lfsPaths(memoryBaseTree({ 'a.md': 'filter=lfs' }))(path)).toBe(false);
  }); // oxfmt-ignore

  test('are pointers that no one reads or edits as text, and that may be deleted, replaced and moved', () => {
    const ws = of(true);
    expect(['a.png', 'b.svg', 'docs/c.svg'].map((path) => ws.kind(path))).toEqual(['binary', 'binary', 'text']);
    expect(ws.readText('b.svg')).toBeNull();
    expect(ws.whyNoText('b.svg')).toMatch(/^is kept in Git LFS/);
    expect(() => ws.write('b.svg', '<svg/>')).toThrow(/kept in Git LFS/);
    expect(() => ws.write('new.svg', pointer)).toThrow(/is a pointer/);
    ws.move('b.svg', 'c.svg');
    expect(() => ws.move('c.svg', 'docs/d.svg')).toThrow(/no file at this path is/);
    expect(() => ws.move('logo.gif', 'logo.png')).toThrow(/this one is not/);
    ws.place('a.png', 'c'.repeat(40));
    ws.remove('c.svg');
    ws.write('new.svg', '<svg/>');
    Workspace.check(memoryBaseTree(files), ws.changes(), { ...policy, lfs: true });
    expect(() => Workspace.check(memoryBaseTree(files), ws.changes(), policy)).toThrow(/no LFS server/);
  });

  test('are not written if the host does not accept them', () => {
    const ws = of(false);
    expect(() => ws.write('new.svg', '<svg/>')).toThrow(/no LFS server/);
    expect(() => ws.place('new.png', 'c'.repeat(40))).toThrow(/no LFS server/);
    expect(() => ws.move('plain.txt', 'plain.svg')).toThrow(/no LFS server/);
    ws.move('a.png', 'd.png');
    Workspace.check(memoryBaseTree(files), ws.changes(), policy);
  });
});

describe('text in other encodings', () => {
  const latin1 = Buffer.from('# Gr\u00fc\u00dfe\n', 'latin1');
  const utf16 = Buffer.from('# Page\n', 'utf16le');

  test.each([
    ['Latin-1', latin1], ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])], ['UTF-16', Buffer.from(utf16).swap16()],
  ])('%s is named, and refused', (name, bytes) => {
    const ws = workspaceOf({ 'a.md': bytes });
    expect(ws.whyNoText('a.md')).toContain(`is text in ${name}`);
    expect(() => ws.write('a.md', 'x')).toThrow(/not in UTF-8: a person has to convert it/);
    ws.move('a.md', 'b.md');
    expect(ws.whyNoText('b.md')).toContain(`is text in ${name}`);
  }); // oxfmt-ignore

  test('is distinguished from what is not text', () => {
    for (const bytes of [PNG, Buffer.from([0, 1, 2, 3]), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])]) {
      expect(workspaceOf({ 'a.md': bytes }).whyNoText('a.md')).toBe('is binary');
    }
  });
});

describe('names in either form of Unicode', () => {
  const [nfc, nfd] = ['guide/caf\u00e9', 'guide/cafe\u0301'];
  const changed = (docsDir: string, change: (ws: Workspace) => void) => {
    const files = { [`${nfd}/menu.md`]: '# Menu\n', [`${nfd}/aux/a.md`]: '# A\n' };
    const ws = new Workspace(memoryBaseTree(files), [], { ...policy, docsDir });
    change(ws);
    Workspace.check(memoryBaseTree(files), ws.changes(), { ...policy, docsDir });
    return ws.changes().map(({ path }) => path);
  };

  test.each([
    ['an edit', (ws: Workspace) => ws.write(`${nfc}/menu.md`, 'x'), [`${nfd}/menu.md`]],
    ['a new page, composed', (ws: Workspace) => ws.write(`${nfc}/\u00e9t\u00e9.md`, 'x'), [`${nfd}/\u00e9t\u00e9.md`]],
    ['a new page, decomposed', (ws: Workspace) => ws.write(`${nfd}/e\u0301t\u00e9.md`, 'x'), [`${nfd}/\u00e9t\u00e9.md`]],
    ['a removal', (ws: Workspace) => ws.remove(`${nfc}/menu.md`), [`${nfd}/menu.md`]],
    ['a move', (ws: Workspace) => ws.move(`${nfc}/menu.md`, `${nfc}/aux/menu.md`), [`${nfd}/aux/menu.md`, `${nfd}/menu.md`]],
  ])('%s goes to the folder that is there', (_, change, paths) => {
    for (const docsDir of ['', nfc, nfd]) expect(changed(docsDir, change).toSorted()).toEqual(paths.toSorted());
  }); // oxfmt-ignore

  test('a new folder beside one of the same name is not a move', () => {
    expect(changed('', (ws) => ws.write('cafe\u0301/a.md', 'x'))).toEqual(['caf\u00e9/a.md']);
    expect(() => changed(nfc, (ws) => ws.write('guide/other.md', 'x'))).toThrow(/outside/);
  });
});

describe('whatever is done to it', () => {
  const name = fc.constantFrom(
    'a.md',
    'A.md',
    'b.md',
    'img.png',
    'd',
    'D',
    'e',
    '.git',
    '..',
    'é.md',
    'e\u0301.md',
    'link',
  );
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  const step = fc.oneof(
    fc.record({ op: fc.constant('write' as const), path, text: fc.constantFrom('', 'one', 'two', 'three\n', '\0') }),
    fc.record({ op: fc.constant('remove' as const), path }),
    fc.record({ op: fc.constant('move' as const), path, to: path }),
  );
  const base = memoryBaseTree({
    'a.md': 'one', 'd/a.md': 'two', 'd/e/b.md': 'one', 'd/img.png': PNG, link: { symlink: 'd' }, 'B.md': '',
  }); // oxfmt-ignore

  test('the view equals base plus changes, refusals change nothing, and no two paths collide', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ws = new Workspace(base, [], { ...policy, maxFiles: 6, maxTotalBytes: 12 });
        const model = new Map(base.files().map((file) => [file.path, file.blobId]));
        for (const asked of steps) {
          const s = {
            ...asked,
            path: ws.spelled(asked.path),
            ...(asked.op === 'move' && { to: ws.spelled(asked.to) }),
          };
          try {
            if (s.op === 'write') ws.write(s.path, s.text);
            else if (s.op === 'remove') ws.remove(s.path);
            else ws.move(s.path, s.to);
          } catch (err) {
            if (!(err instanceof WorkspaceRefusal)) throw err;
            continue;
          }
          if (s.op === 'write') model.set(s.path, blobIdOf(s.text));
          if (s.op === 'move') model.set(s.to, model.get(s.path)!);
          if (s.op !== 'write') model.delete(s.path);
        }
        const changes = ws.changes();
        expect(ws.paths()).toEqual([...model.keys()].toSorted());
        for (const [at, id] of model) expect(ws.blobKey(at)).toBe(id);
        expect(changes.length).toBeLessThanOrEqual(6);
        const folded = [...model.keys()].map(foldPath);
        expect(new Set(folded).size).toBe(folded.length);
        const files = new Set(model.keys());
        for (const at of files) {
          const parents = at.split('/').slice(0, -1).map((_, i, all) => all.slice(0, i + 1).join('/')); // oxfmt-ignore
          for (const parent of parents) expect(files.has(parent)).toBe(false);
        }
        Workspace.check(base, changes, policy);
        const again = new Workspace(base, changes, policy);
        expect(again.paths()).toEqual(ws.paths());
        expect(again.changes()).toEqual(changes);
      }),
      { numRuns: 300 },
    );
  });
});
