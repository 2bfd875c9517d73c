import type { Browser, Page } from 'playwright-core';
import { createBrowserSession } from '../../../src/store/access/browser-sessions.ts';
import { newId } from '../../../src/store/ids.ts';
import { people, type Role } from '../../../src/store/access/people-schema.ts';
import type { Installation } from '../installation.ts';
import { settled, Visitor } from './browser.ts';

/** A link as `docent dashboard` prints it. */
export async function signInLink({ client }: Installation): Promise<string> {
  const { data, error } = await client.POST('/v1/sign-in-links');
  if (!data) throw new Error(error.error);
  return data.url;
}

/** A browser that came in with a link, and the page that it was led to. */
export async function operatorIn(
  browser: Browser,
  docent: Installation,
  options: Parameters<typeof Visitor.create>[2] = {},
): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = await Visitor.create(browser, docent.apiUrl, options);
  const page = await visitor.context.newPage();
  await page.goto(await signInLink(docent));
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  await settled(page);
  return { visitor, page };
}

/** A browser of a person with a role, as an identity provider would have brought them. */
export async function personIn(
  browser: Browser,
  docent: Installation,
  { role, name = 'Ann', projectIds = null }: { role: Role; name?: string; projectIds?: string[] | null },
): Promise<Visitor> {
  const { db } = docent.database;
  const id = `per_${newId()}`;
  const email = `${id}@example.com`;
  const provider = { issuer: 'https://id.example.com', subject: id };
  await db.insert(people).values({ id, ...provider, name, email, role, projectIds, roleSetBy: 'person' });
  const { secret } = await createBrowserSession(
    db,
    { personId: id },
    { absoluteDays: 30, address: null, userAgent: null },
  );
  const visitor = await Visitor.create(browser, docent.apiUrl);
  const { hostname: domain } = new URL(docent.apiUrl);
  await visitor.context.addCookies([
    { name: 'docent_session', value: secret, domain, path: '/', httpOnly: true, sameSite: 'Lax' },
  ]);
  return visitor;
}
