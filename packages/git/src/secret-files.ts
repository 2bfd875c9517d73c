import { nameAlias } from './name-alias.ts';

/** A pattern for names of secret files, in the form of {@link nameAlias}, and the kind of secret. */
interface SecretName {
  pattern: RegExp;
  noun: string;
  /** Whether `name.example` and the like show what goes in there, instead of holding it. */
  hasExamples?: true;
}

const SECRET_NAMES: readonly SecretName[] = [
  { pattern: /^\.env(rc)?([._-]|$)|^[^.]+\.env$|^\.dev\.vars/, noun: 'environment file', hasExamples: true },
  { pattern: /\.(key|ppk|p8|p12|pfx|jks|bks|keystore|kdbx?|keytab|agekey)$/, noun: 'key file' },
  { pattern: /\.pem$/, noun: 'key file' },
  { pattern: /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!.*\.pub$)([._-]|$)/, noun: 'private SSH key' },
  { pattern: /^(secring\.|\.?htpasswd$)/, noun: 'file of keys or passwords' },
  {
    pattern:
      /^(\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.dockercfg|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.s3cfg|\.boto|\.terraformrc|\.vault-token|\.vault[_-]?pass(word)?|\.ftpconfig|sftp-config\.json|local\.settings\.json|wp-config\.php|master\.key)$/,
    noun: 'file of credentials',
  },
  {
    pattern:
      /^\.?credentials(\.(json|csv|toml|ini|xml|tfrc\.json))?$|^client_secret.*\.json$|^application_default_credentials\.json$|service[_-]?account([_-].*)?\.json$|firebase-adminsdk.*\.json$/,
    noun: 'file of credentials',
    hasExamples: true,
  },
  { pattern: /^(\.?secrets?)\.(ya?ml|json|toml|ini|env|enc)$/, noun: 'file of secrets', hasExamples: true },
  {
    pattern: /^kubeconfig([._-].*)?$|\.kubeconfig$/,
    noun: 'Kubernetes configuration with credentials',
    hasExamples: true,
  },
  {
    pattern: /\.tfstate(\..*)?$|\.tfvars(\.json)?$|\.tfvars[._-]/,
    noun: 'Terraform file with secrets',
    hasExamples: true,
  },
  { pattern: /^\.(bash|zsh|python|psql|mysql|node_repl|rediscli)_history$/, noun: 'history of commands' },
];

/** The same for names that only count in their folder. */
const SECRET_PLACES: readonly { pattern: RegExp; noun: string }[] = [
  {
    pattern: /(^|\/)\.(ssh|gnupg)\/(?!(.*\/)?(known_hosts|config|authorized_keys|.*\.pub)$)/,
    noun: 'file of private keys',
  },
  {
    pattern:
      /(^|\/)(\.docker\/config\.json|\.kube\/(config|cache)|\.aws\/(credentials|config)|\.azure\/.*|\.config\/gcloud\/.*|\.config\/gh\/hosts\.yml|\.m2\/settings(-security)?\.xml|\.gem\/credentials|\.cargo\/credentials(\.toml)?)$/,
    noun: 'file of credentials',
  },
];

/** Parts of names of example files. */
const EXAMPLE = /(^|[._-])(example|sample|template|tmpl|tpl|dist|schema)([._-]|$)/;
/** Certificates and public keys are public. */
const PUBLIC_PEM =
  /^(?!.*(private|priv|secret|key\.pem)).*(^|[._-])(ca|cacert|cert|certs|certificate|chain|fullchain|bundle|pub|public)([._-].*)?\.pem$|^.*public[_-]?key\.pem$/;
/** Pages and pictures are made to be seen, whatever they are called. */
const SHOWN = /\.(mdx?|markdown|rst|adoc|html?|png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm)$/;
/** API descriptions and translations may be named for their subject, such as credentials or secrets. */
const DESCRIPTION =
  /(^|\/)(openapi|swagger|apis?|specs?|schemas?|reference|locales?|i18n)\/(.*\/)?(credentials|secrets?)\.(json|ya?ml)$/;

/** The kind of secrets that such a file holds by convention, as a noun, or null. Ignores the content. */
export function secretFileNoun(path: string): string | null {
  const segments = path.split('/').map(nameAlias);
  const name = segments.at(-1) ?? '';
  const whole = segments.join('/');
  if (SHOWN.test(name) || DESCRIPTION.test(whole)) return null;
  const place = SECRET_PLACES.find(({ pattern }) => pattern.test(whole));
  if (place) return place.noun;
  const found = SECRET_NAMES.find(({ pattern }) => pattern.test(name));
  if (!found || (found.hasExamples && EXAMPLE.test(name)) || PUBLIC_PEM.test(name)) return null;
  return found.noun;
}

/** Why Docent neither reads nor changes this file; null if it may. Continues the path. */
export function secretFileReason(path: string): string | null {
  const noun = secretFileNoun(path);
  if (noun === null) return null;
  const article = /^[aeiou]/i.test(noun) ? 'an' : 'a';
  return `by its name it is ${article} ${noun}, and files that hold secrets are not for Docent to read or change`;
}
