import { nameAlias } from './name-alias.ts';
import { secretFileReason } from './secret-files.ts';

const MAX_PATH_BYTES = 4_096;
const MAX_SEGMENT_BYTES = 255;

const CONTROL = /\p{Cc}/u;
/** Bidirectional and zero-width marks, but for the two joiners that scripts and emoji need. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/** Names that control git or a build server, as {@link nameAlias} returns a segment, at any depth. */
const PROTECTED: readonly RegExp[] = [
  /^\.git/, // .git, .gitattributes, .gitmodules, .gitignore, .github, .gitlab-ci.yml, .gitea …
  /^gi[^.]{0,5}~\d+$/, // their short names on NTFS: git~1, gitatt~1, gi7eba~1
  /^\.(forgejo|circleci|buildkite|husky|semaphore|teamcity|azure-pipelines|azuredevops)$/,
  /^\.(woodpecker|drone|travis|cirrus|appveyor|pre-commit-config)/,
  /^(azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec)[^/]*\.(ya?ml|json)$/,
  /^jenkinsfile(\.(?!mdx?$)[^/]*)?$/,
  /^codeowners$/,
  // Files that a build, a package manager or a preview server runs with its secrets.
  /^(package(-lock)?|npm-shrinkwrap|deno|vercel|now|firebase|turbo|nx)\.jsonc?$/,
  /^(yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|deno\.lock|netlify\.toml|wrangler\.(toml|jsonc?))$/,
  /^\.(npmrc|yarnrc|pnpmfile|pnp\.|env|envrc|readthedocs|netlify|vercel)/,
  /^(requirements[^/]*\.txt|pyproject\.toml|setup\.(py|cfg)|pipfile(\.lock)?|poetry\.lock|uv\.lock|gemfile(\.lock)?)$/,
  /^(dockerfile|containerfile|makefile|gnumakefile|rakefile|justfile)(\.(?!mdx?$)[^/]*)?$/,
  /^(docker-)?compose[^/]*\.ya?ml$/,
  // Files that an editor or another agent runs in a folder that it opens.
  /^\.(vscode|idea|devcontainer|zed|agents|claude|cursor|windsurf|gemini|codex)/,
  /^\.mcp\.json$/,
];

/** Device names and characters that Windows reserves, with any extension: git refuses both there. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
const WINDOWS_FORBIDDEN = /[<>:"|?*]/;

/** Why no tree may have this path, relative to the repository's root; null if it is well formed. */
export function malformedPath(path: string): string | null {
  if (path === '') return 'the path is empty';
  if (!path.isWellFormed()) return 'the path is not valid Unicode';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`;
  if (CONTROL.test(path)) return 'the path has control characters';
  if (path.includes('\\')) return 'the path has a backslash; use / between folders';
  if (path.startsWith('/')) return 'the path is absolute; give it relative to the root of the repository';
  for (const segment of path.split('/')) {
    if (segment === '') return 'the path has an empty segment (// or a slash at its end)';
    if (segment === '.' || segment === '..') return 'the path has a . or .. segment';
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return `a name in the path is longer than ${MAX_SEGMENT_BYTES} bytes`;
    }
  }
  return null;
}

/** Why Docent never writes to this well-formed path, whatever the project's settings are; null if it may. */
export function protectedPath(path: string): string | null {
  const secret = secretFileReason(path);
  if (secret) return secret;
  for (const segment of path.split('/')) {
    const alias = nameAlias(segment);
    if (alias === '') return `the name "${segment}" has nothing in it but dots, spaces or invisible characters`;
    if (PROTECTED.some((pattern) => pattern.test(alias))) {
      return `"${segment}" belongs to git, to a build or to the review rules, and is not for Docent to change`;
    }
  }
  return null;
}

/** Why a new file should not get this name, although an existing one may keep it; null if it is fine. */
export function unwiseNewPath(path: string): string | null {
  if (INVISIBLE.test(path)) return 'the path has invisible characters';
  if (path !== path.normalize('NFC')) return 'the path is not in Unicode normal form NFC';
  if (path.split('/').some((segment) => /[. ]$/.test(segment))) {
    return 'a name in the path ends in a dot or a space, which some file systems drop';
  }
  if (WINDOWS_FORBIDDEN.test(path)) return 'the path has a character that Windows does not allow (< > : " | ? *)';
  const device = path.split('/').find((segment) => WINDOWS_DEVICE.test(segment));
  if (device !== undefined) return `"${device}" is the name of a device on Windows, so nobody could check it out there`;
  return null;
}
