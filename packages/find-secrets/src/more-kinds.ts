/** Secrets unknown to the scanner, by their issuers' documentation: distinct prefixes, bounded. */
interface Kind {
  kind: string;
  /** Global; the token alone, or the group `token`. */
  pattern: RegExp;
  /** Beyond the form. */
  holds?: (token: string) => boolean;
}

export const MORE_KINDS: readonly Kind[] = [
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { kind: 'Google OAuth client secret', pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  { kind: 'GitLab token', pattern: /\bgl(?:rt|dt|ptt|ft|imt|soat|cbt|agent|oas)-[\w-]{20,128}/g },
  { kind: 'PyPI token', pattern: /\bpypi-AgE[\w-]{50,500}/g },
  { kind: 'RubyGems key', pattern: /\brubygems_[a-f0-9]{48}\b/g },
  { kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'Supabase secret key', pattern: /\bsb_secret_[\w-]{20,100}/g },
  {
    kind: 'Supabase service key',
    pattern: /\beyJ[\w-]{10,500}\.eyJ[\w-]{10,2000}\.[\w-]{20,500}/g,
    holds: isServiceKey,
  },
  { kind: 'Telegram bot token', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: 'Discord bot token', pattern: /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g },
  { kind: 'Azure storage key', pattern: /\bAccountKey=[A-Za-z0-9+/]{86}==/g },
  { kind: 'Microsoft Entra client secret', pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g },
  { kind: 'New Relic key', pattern: /\bNRAK-[A-Z0-9]{27}\b/g },
  { kind: 'Postman key', pattern: /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g },
  { kind: 'age secret key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g },
  { kind: 'Sentry token', pattern: /\bsntry[su]_[\w+/=-]{60,500}/g },
  { kind: 'Resend key', pattern: /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b/g },
  { kind: 'Square token', pattern: /\bEAAA[\w-]{60}(?![\w-])/g },
  { kind: 'Airtable token', pattern: /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g },
  { kind: 'Doppler token', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}\b/g },
  { kind: 'Pulumi token', pattern: /\bpul-[a-f0-9]{40}\b/g },
  { kind: 'PlanetScale credential', pattern: /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}/g },
  { kind: 'HCP Terraform token', pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/g },
  { kind: 'Mailgun key', pattern: /\bkey-[a-f0-9]{32}\b/g },
  { kind: 'Mailchimp key', pattern: /\b[a-f0-9]{32}-us\d{1,2}\b/g },
  { kind: 'Brevo key', pattern: /\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b/g },
  { kind: 'Twilio key', pattern: named('twilio_?auth_?token', '[a-f0-9]{32}') },
  { kind: 'Datadog key', pattern: named('(?:dd|datadog)_(?:api|app)_key', '[a-f0-9]{32,40}') },
  { kind: 'Cloudflare token', pattern: named('(?:cloudflare|cf)_api_token', '[\\w-]{40}') },
  // The scanner also has this rule, but not for values that end in + or /.
  { kind: 'AWS key', pattern: named('(?:aws_?)?secret_?access_?key', '[A-Za-z0-9/+]{40}') },
  { kind: 'npm token', pattern: named('_authToken', '[\\w-]{36,100}') },
  { kind: 'GitHub token', pattern: /\/\/(?<token>\w{36,100}):x-oauth-basic@/g },
  { kind: 'Atlassian token', pattern: /\bATATT3[\w=-]{180,220}/g },
  { kind: 'OpenRouter key', pattern: /\bsk-or-v1-[a-f0-9]{64}\b/g },
  { kind: 'Replicate token', pattern: /\br8_[A-Za-z0-9]{37}\b/g },
  { kind: 'xAI key', pattern: /\bxai-[A-Za-z0-9]{80}\b/g },
  { kind: 'Netlify token', pattern: /\bnfp_[A-Za-z0-9]{36,40}\b/g },
  { kind: '1Password token', pattern: /\bops_eyJ[A-Za-z0-9+/]{250,2000}/g },
  { kind: 'key of Docent', pattern: /\bdocent_[0-9A-Za-z]{38}\b/g },
];

/** A form without distinctive letters is recognized by its variable. */
function named(variable: string, token: string): RegExp {
  return new RegExp(`\\b${variable}["'\`]?\\s{0,5}(?::|=>|=)\\s{0,5}["'\`]?(?<token>${token})(?![\\w+/=-])`, 'gi');
}

/** A Supabase token that bypasses all its rules; the one for local development is public. */
function isServiceKey(token: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    if (typeof claims !== 'object' || claims === null) return false;
    const { role, iss } = claims as { role?: unknown; iss?: unknown };
    return role === 'service_role' && iss !== 'supabase-demo';
  } catch {
    return false;
  }
}

/** An address with a user and a password, in the scanner's schemes and others. */
export const LOGIN =
  /\b[a-z][a-z0-9+]{1,20}:\/\/(?<user>[^\s:/@"'`<>]{0,100}):(?<password>[^\s/@"'`]{1,200})@(?<host>[^\s/:?"'`@]{1,200})/gi;
