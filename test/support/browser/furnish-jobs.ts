import type { Installation } from '../installation.ts';

/** Text that every page must show as text. */
export const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '[click](javascript:alert(1))',
  '![x](https://evil.example/x.png)',
  "<a href='javascript:alert(1)'>link</a>",
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Egnp.exe\u0007\u2066',
  'x'.repeat(300),
].join(' ');

/** A job of every kind, for the list and the page. */
export async function furnishJobs(docent: Installation): Promise<{ previewId: string; hostileId: string }> {
  const { client, projectId } = docent;
  const post = async (body: {
    prompt: string;
    mode?: 'preview' | 'ask';
    title?: string;
    metadata?: Record<string, string>;
  }) => {
    const { data, error } = await client.POST('/v2/agent/{projectId}/job', { params: { path: { projectId } }, body });
    if (!data) throw new Error(error.error);
    return data.id;
  };
  const previewId = await post({
    prompt: 'Append a section "Contact" with the text "Write to us." to the page index.mdx',
    mode: 'preview',
    metadata: { ticket: 'DOC-17', 'asked-by': 'Support' },
  });
  const hostileId = await post({ prompt: `Make it nice. ${HOSTILE}` });
  const others = [
    await post({ prompt: 'What does the page index.mdx say?', mode: 'ask' }),
    await post({ prompt: 'Translate everything to Klingon, and make it rhyme' }),
  ];
  await Promise.all([previewId, hostileId, ...others].map((id) => docent.settled(id)));
  return { previewId, hostileId };
}
