import type { DocsSite } from '../../read/docs-site.ts';
import { isBelow } from '../../read/site.ts';
import type { Problem } from '../problem.ts';
import { RULES } from '../rules.ts';
import { mayBeText, mayName, NamedFiles } from './named-files.ts';

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;
/** Browsers and phones request these without a link. */
const BY_CONVENTION = /^(?:favicon|apple-touch-icon|android-chrome|mstile|safari-pinned-tab|icon)(?:[-_.\d]|$)/i;
/** Tests and tools find theirs by patterns; names with a leading dot belong to a tool. */
const ELSEWHERE =
  /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third_party|tests?|__\w+__|e2e|fixtures?|testdata|snapshots?|examples?|templates?)\//i;

/** The most characters that are read, which takes some seconds. */
const MAX_CHARACTERS = 200_000_000;

/**
 * Images in the site's folders whose name is in no file of the repository: see NamedFiles. All texts count,
 * including comments and code. Reads all texts of the repository, up to {@link MAX_CHARACTERS}.
 */
export function unusedImages(docs: DocsSite): Problem[] {
  const { site } = docs;
  const folders = imageFolders(docs);
  const images = [...site.files].filter(
    (path) => IMAGE.test(path) && !ELSEWHERE.test(path) && folders.some((folder) => isBelow(path, folder)),
  );
  const wanted = images.filter((path) => !BY_CONVENTION.test(path.slice(path.lastIndexOf('/') + 1)));
  if (wanted.length === 0) return [];
  const named = new NamedFiles(wanted, folders);
  const own = [...folders, site.generator?.folder ?? site.root];
  const isOfSite = (path: string) => own.some((folder) => isBelow(path, folder));
  let characters = 0;
  for (const path of site.files) {
    if (!mayBeText(path)) continue;
    if (named.left === 0) break;
    if (characters > MAX_CHARACTERS) return [notChecked(site.configPath ?? path, TOO_MUCH)];
    const text = docs.readText(path);
    characters += text?.length ?? 0;
    if (text !== null) named.read(path, text, isOfSite(path));
    else if (mayName(path) && docs.exists(path)) return [notChecked(path, UNREAD)];
  }
  const { severity } = RULES['unused-image'];
  const message = 'No file of the repository uses this image.';
  return named.unnamed().map((path) => ({ path, line: 1, code: 'unused-image', message, severity, cause: path }));
}

const UNREAD =
  'This file is not text, or is too large, and may use images. Unused images are not checked until it is smaller or ignored by git.';
const TOO_MUCH = `The repository has more than ${MAX_CHARACTERS / 1e6} MB of text that may use images, so unused images are not checked. Turn \`unused-image\` off.`;

function notChecked(path: string, message: string): Problem {
  return { path, line: 1, code: 'not-checked', message, severity: 'notice' };
}

/**
 * The folders of the site's images. At the top of a repository, which may have other content, only folders
 * with pages, and those that sites serve.
 */
function imageFolders({ site }: DocsSite): string[] {
  const { generator, root } = site;
  const served = ['static', 'public', 'assets', 'images', 'img'];
  const all = generator ? [...generator.content, root] : [root];
  if (generator) all.push(...served.map((name) => (generator.folder === '' ? name : `${generator.folder}/${name}`)));
  const isServedWhole = site.config !== null;
  return [...new Set(all)].flatMap((folder) => {
    if (folder !== '' || isServedWhole) return folder;
    const withPages = site.pages.flatMap((page) => (page.includes('/') ? [page.slice(0, page.indexOf('/'))] : []));
    return [...new Set([...withPages, ...served])];
  });
}
