/**
 * Whether a site uses Docusaurus 2, by the package.json beside its configuration. It reads pages with MDX 1,
 * which accepts much that is invalid MDX today, and accepts links and old names that version 3 refuses. A
 * canary release (`0.0.0-4192`) has no major version: it is recognized by the MDX beside it.
 */
export function isVersion2(packageJson: string | null): boolean {
  const text = packageJson ?? '';
  return (
    major(text, '@docusaurus/core') === '2' ||
    (major(text, '@docusaurus/core') === '0' && major(text, '@mdx-js/react') === '1')
  );
}

function major(text: string, name: string): string | undefined {
  return new RegExp(String.raw`"${name}"\s*:\s*"[~^]?(\d{1,9})[.\d]`).exec(text)?.[1];
}
