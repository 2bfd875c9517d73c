import type { Secret } from '../platform/secret.ts';
import { httpUrl, secret, text } from './readers.ts';
import { define, optional } from './setting.ts';

const ROLES = ['viewer', 'editor', 'admin'] as const;
type Role = (typeof ROLES)[number];

/** Who gets a role: an address, a domain's addresses, or everyone with a claim's value. */
export interface RoleRule {
  readonly by: 'email' | 'domain' | 'claim';
  /** Addresses and domains in lower case, without the `@` before a domain. */
  readonly value: string;
  readonly role: Role;
  /** The one project that it is for; null for all. */
  readonly projectId: string | null;
}

const RULE = /^(.{1,300})=(?:([a-z0-9][a-z0-9-]{0,62}):)?(viewer|editor|admin)$/;

/** `docs-team=editor`, `@example.com=viewer`, `jane@example.com=handbook:admin`; null if invalid. */
function readRule(entry: string): RoleRule | null {
  const [, who = '', projectId = null, role] = RULE.exec(entry) ?? [];
  const value = who.trim();
  const isRole = ROLES.find((known) => known === role);
  if (!isRole || value === '' || value === '@') return null;
  const grant = { role: isRole, projectId };
  if (value.startsWith('@')) return { by: 'domain', value: value.slice(1).toLowerCase(), ...grant };
  if (value.includes('@')) return { by: 'email', value: value.toLowerCase(), ...grant };
  return { by: 'claim', value, ...grant };
}

const rules = text
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map(readRule),
  )
  .refine(
    (read) => !read.includes(null),
    'must be entries such as docs-team=editor, @example.com=viewer or jane@example.com=handbook:admin, with commas between them',
  )
  .transform((read): readonly RoleRule[] => read.filter((rule) => rule !== null));

/** The identity provider for sign-in, and the roles of people. */
export const openIdSettings = {
  openIdIssuer: optional<string>({
    env: 'DOCENT_OIDC_ISSUER',
    about:
      'The issuer of your identity provider, as in `<issuer>/.well-known/openid-configuration`. It may be on a private network.',
    // Unchanged: it is compared with the provider's own metadata.
    read: text.refine((value) => httpUrl.safeParse(value).success, 'must be an http:// or https:// address'),
  }),
  openIdClientId: optional<string>({
    env: 'DOCENT_OIDC_CLIENT_ID',
    about: 'The ID of the application that you registered for Docent.',
    read: text,
  }),
  openIdClientSecret: optional<Secret>({
    env: 'DOCENT_OIDC_CLIENT_SECRET',
    about:
      "The application's secret; none for a public client. Or DOCENT_OIDC_CLIENT_SECRET_FILE, the path of a file with it.",
    read: secret,
    isSecret: true,
  }),
  openIdName: define({
    env: 'DOCENT_OIDC_NAME',
    about: 'The name on the button: "Sign in with …".',
    fallback: 'single sign-on',
    read: text.max(60, 'must have at most 60 characters'),
  }),
  openIdScopes: define<readonly string[]>({
    env: 'DOCENT_OIDC_SCOPES',
    about: 'Scopes to request, separated by spaces. Must include `openid`.',
    shownDefault: '`openid profile email`',
    fallback: ['openid', 'profile', 'email'],
    read: text
      .transform((value) => value.split(/[\s,]+/).filter(Boolean))
      .refine((scopes) => scopes.includes('openid'), 'must have the scope openid'),
  }),
  openIdRolesClaim: define({
    env: 'DOCENT_OIDC_ROLES_CLAIM',
    about: "The claim with a person's groups or roles: a text or a list. Dots lead into objects: `realm_access.roles`.",
    fallback: 'groups',
    read: text.max(200, 'must have at most 200 characters'),
  }),
  openIdRoles: define<readonly RoleRule[]>({
    env: 'DOCENT_OIDC_ROLES',
    about:
      '[Roles](/operate/sign-in-openid#assign-roles), separated by commas: `who=role` or `who=project:role`. Who: a value of the claim (`docs-team`), a verified address (`jane@example.com`) or a domain (`@example.com`). Role: `viewer`, `editor` or `admin`.',
    fallback: [],
    read: rules,
  }),
  openIdDefaultRole: define<'none' | Role>({
    env: 'DOCENT_OIDC_DEFAULT_ROLE',
    about:
      'The role of people who match no entry, in all projects: `viewer`, `editor`, `admin`, or `none` to refuse them.',
    fallback: 'none',
    read: text
      .regex(/^(none|viewer|editor|admin)$/, 'must be none, viewer, editor or admin')
      .transform((value) => value as 'none' | Role),
  }),
};

/** Problems between several settings, each as a sentence. */
export function openIdProblems(values: { openIdIssuer?: string; openIdClientId?: string }): string[] {
  const { openIdIssuer, openIdClientId } = values;
  if (openIdIssuer !== undefined && openIdClientId === undefined) {
    return ['DOCENT_OIDC_ISSUER needs DOCENT_OIDC_CLIENT_ID, the id under which the provider knows Docent.'];
  }
  if (openIdIssuer === undefined && openIdClientId !== undefined) {
    return ['DOCENT_OIDC_CLIENT_ID needs DOCENT_OIDC_ISSUER, the issuer of the provider.'];
  }
  return [];
}
