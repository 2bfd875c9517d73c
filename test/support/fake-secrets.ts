import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isPlaceholder } from '@docent/find-secrets/find-secrets';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = UPPER + UPPER.toLowerCase();
const DIGITS = '0123456789';
const BASE62 = LETTERS + DIGITS;
const HEX = '0123456789abcdef';
const BASE32 = `${UPPER}234567`;

/**
 * Characters of an alphabet, at random: new in each run, so that no token is in the repository. By chance one
 * in some thousands has a word such as `todo` in it, which marks a placeholder: those are drawn again.
 */
function any(alphabet: string, length: number): string {
  for (;;) {
    const text = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
    if (!isPlaceholder(text)) return text;
  }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(claims: object): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', randomBytes(20)).update(signed).digest('base64url')}`;
}

export function privateKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

export const awsKey = () => `AKIA${any(BASE32, 16)}`;
export const stripeKey = () => `sk_live_${any(BASE62, 24)}`;

/** Tokens in the form that their issuers give, by what they are. */
export function fakeSecrets(): Record<string, string> {
  const pkcs1 = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString();
  const short = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'sec1', format: 'pem' })
    .toString();
  const openssh = `b3BlbnNzaC1rZXktdjEAAAAABG5vbmU${any(BASE62, 300)}`.replace(/.{70}/g, '$&\n');
  const account = { type: 'service_account', project_id: 'p', private_key_id: any(HEX, 40), private_key: privateKey(), client_email: 'a@p.iam.gserviceaccount.com' }; // oxfmt-ignore
  return {
    'AWS access key': awsKey(),
    'AWS secret key': `aws_secret_access_key = ${any(`${BASE62}/+`, 40)}`,
    'Stripe key': stripeKey(),
    'Stripe restricted key': `rk_live_${any(BASE62, 32)}`,
    'private key (PKCS #8)': privateKey(),
    'private key (PKCS #1)': pkcs1,
    'private key (SEC 1)': curve,
    'private key (Ed25519)': short,
    'private key (OpenSSH)': `-----BEGIN OPENSSH PRIVATE KEY-----\n${openssh}\n-----END OPENSSH PRIVATE KEY-----`,
    'private key, cut': pkcs1.split('\n').slice(0, 4).join('\n'),
    'private key in a string': JSON.stringify(pkcs1),
    'Google Cloud service account': JSON.stringify(account, null, 2),
    'Google API key': `AIza${any(BASE62, 35)}`,
    'GitHub token': `ghp_${any(BASE62, 36)}`,
    'GitHub fine-grained token': `github_pat_${any(BASE62, 22)}_${any(BASE62, 59)}`,
    'GitLab token': `glpat-${any(BASE62, 20)}`,
    'GitLab runner token': `glrt-${any(BASE62, 20)}`,
    'Slack token': `xoxb-${any(DIGITS, 12)}-${any(DIGITS, 12)}-${any(BASE62, 24)}`,
    'Slack webhook': `https://hooks.slack.com/services/T${any(UPPER, 8)}/B${any(UPPER, 10)}/${any(BASE62, 24)}`,
    'OpenAI key': `sk-proj-${any(BASE62, 74)}T3BlbkFJ${any(BASE62, 74)}`,
    'Anthropic key': `sk-ant-api03-${any(BASE62, 93)}AA`,
    'npm token': `npm_${any(BASE62, 36)}`,
    'npm token in its file': `//registry.npmjs.org/:_authToken=${any(HEX, 40)}`,
    'GitHub token of old': `https://${any(HEX, 40)}:x-oauth-basic@github.com/acme/app.git`,
    'PyPI token': `pypi-AgEIcHlwaS5vcmc${any(BASE62, 90)}`,
    'SendGrid key': `SG.${any(BASE62, 22)}.${any(BASE62, 43)}`,
    'Twilio token': `TWILIO_AUTH_TOKEN=${any(HEX, 32)}`,
    'Mailgun key': `key-${any(HEX, 32)}`,
    'Shopify token': `shpat_${any(HEX, 32)}`,
    'DigitalOcean token': `dop_v1_${any(HEX, 64)}`,
    'Hugging Face token': `hf_${any(LETTERS, 34)}`,
    'Linear key': `lin_api_${any(BASE62, 40)}`,
    'Notion token': `ntn_${any(DIGITS, 11)}${any(BASE62, 35)}`,
    'Vault token': `hvs.${any(BASE62, 95)}`,
    'Databricks token': `dapi${any(HEX, 32)}`,
    'Docker token': `dckr_pat_${any(BASE62, 27)}`,
    'Vercel token': `vcp_${any(BASE62, 56)}`,
    'Supabase service key': jwt({ role: 'service_role', iss: 'supabase', ref: any(BASE62, 20) }),
    'Supabase secret key': `sb_secret_${any(BASE62, 31)}`,
    'Telegram token': `${any('123456789', 10)}:AA${any(BASE62, 33)}`,
    'Azure storage key': `AccountName=acme;AccountKey=${randomBytes(64).toString('base64')}`,
    'Microsoft Entra secret': `${any(BASE62, 3)}8Q~${any(BASE62, 34)}`,
    'Grafana token': `glsa_${any(BASE62, 32)}_${any(HEX, 8)}`,
    'Postman key': `PMAK-${any(HEX, 24)}-${any(HEX, 34)}`,
    'age key': `AGE-SECRET-KEY-1${any('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
    'Sentry token': `sntryu_${any(HEX, 64)}`,
    'Airtable token': `pat${any(BASE62, 14)}.${any(HEX, 64)}`,
    'Pulumi token': `pul-${any(HEX, 40)}`,
    'password of PostgreSQL': `postgres://app:${any(BASE62, 20)}@db.acme-corp.io:5432/app`,
    'password of MongoDB': `mongodb+srv://app:${any(BASE62, 20)}@cluster0.ab1cd.mongodb.net/app`,
    'password of Redis': `redis://:${any(BASE62, 20)}@cache.acme-corp.io:6379/0`,
    'password of a web address': `https://deploy:${any(BASE62, 20)}@ci.acme-corp.io/job`,
    'key of Docent': `docent_${any(BASE62, 38)}`,
  };
}

const lines = (bytes: number) => randomBytes(bytes).toString('base64').replace(/.{64}/g, '$&\n');

/** What documentation shows in the place of secrets, and what looks like one and is none. */
export function safeExamples(): Record<string, string> {
  return {
    'AWS’s own example': 'AKIAIOSFODNN7EXAMPLE',
    'AWS’s own secret example': 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'a key of Stripe’s test mode': `sk_test_${any(BASE62, 24)}`,
    'a publishable key': `pk_live_${any(BASE62, 24)}`,
    'a certificate': `-----BEGIN CERTIFICATE-----\n${lines(600)}\n-----END CERTIFICATE-----`,
    'a public key': `-----BEGIN PUBLIC KEY-----\n${lines(270)}\n-----END PUBLIC KEY-----`,
    'a private key’s place': '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    'words in a private key’s place':
      '-----BEGIN RSA PRIVATE KEY-----\nYOUR PRIVATE KEY\n-----END RSA PRIVATE KEY-----',
    'a private key shortened with dots': `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC${any(BASE62, 20)}...\n-----END PRIVATE KEY-----`,
    crosses: `ghp_${'x'.repeat(36)}`,
    'the token of jwt.io':
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    'Supabase’s public token': jwt({ role: 'anon', iss: 'supabase' }),
    'Supabase’s token of local development': jwt({ role: 'service_role', iss: 'supabase-demo' }),
    'a short Slack token': 'xoxb-111-222-xyz',
    'a Slack token of crosses': 'xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx',
    'a Slack webhook of zeros': 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'a local database': 'postgres://postgres:postgres@localhost:5432/postgres',
    'a database with placeholders': 'postgresql://postgres:[YOUR-PASSWORD]@db.abcdefgh.supabase.co:5432/postgres',
    'a database with variables': 'postgres://$USER:$PASSWORD@db.acme.io/app',
    'a database with words': 'mysql://user:password@mysql:3306/db',
    'an example’s address': 'https://user:pass@example.com/',
    'npm’s variable': '//registry.npmjs.org/:_authToken=${NPM_TOKEN}', // oxlint-disable-line no-template-curly-in-string
    'a commit': any(HEX, 40),
    'a UUID': '123e4567-e89b-12d3-a456-426614174000',
    'an integrity hash': `sha512-${randomBytes(64).toString('base64')}`,
    'a variable': 'API_KEY=your_api_key_here',
  };
}
