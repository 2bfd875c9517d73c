const MAX_PROMPT = 32_768;
const CUT = '\n\n[Docent left out the rest of this prompt: the limit is 32,768 characters.]';

/** Placeholders for senders' texts: those are material, and never part of the prompt. */
const POINTERS = {
  commits: 'the commits in the context below',
  files: 'the changed files in the context below',
  payload: 'the context below',
} as const;
const ABSENT = {
  commits: '(no commits)',
  files: '(no changed files)',
  payload: '(no payload)',
} as const;

interface TemplateValues {
  /** The end of the last completed run: a time, or commits. Written by Docent. */
  since: string;
  /** The kinds of material in the context. */
  has: Readonly<Record<keyof typeof POINTERS, boolean>>;
}

/**
 * Fills `{{since}}`, `{{commits}}`, `{{files}}` and `{{payload}}` (references to the material) and appends
 * the instructions. Cuts a long prompt, with a note.
 */
export function fillPrompt(prompt: string, instructions: string | null, { since, has }: TemplateValues): string {
  const filled = prompt.replaceAll(/\{\{\s*(since|commits|files|payload)\s*\}\}/g, (_, name: string) => {
    if (name === 'since') return since;
    const kind = name as keyof typeof POINTERS;
    return (has[kind] ? POINTERS : ABSENT)[kind];
  });
  const whole = instructions === null ? filled : `${filled}\n\n${instructions}`;
  return whole.length <= MAX_PROMPT ? whole : whole.slice(0, MAX_PROMPT - CUT.length) + CUT;
}
