import { describe, expect, test } from 'vitest';
import { secretFileNoun } from '@docent/git/secret-files';

describe('files that hold secrets by convention', () => {
  test.each(
    `.env .env.local .env.production docs/.env prod.env .envrc .dev.vars deploy.pem certs/server.key server.KEY id_rsa
    .ssh/id_ed25519 id_ecdsa_sk id_rsa.bak .ssh/deploy .npmrc .netrc _netrc .pypirc .git-credentials credentials
    .aws/credentials .aws/config credentials.json credentials.csv client_secret_123.json service-account.json
    my_service_account_key.json acme-firebase-adminsdk-1.json application_default_credentials.json release.p12 a.pfx
    a.jks vault.kdbx krb5.keytab kubeconfig kubeconfig.yaml .kube/config prod.kubeconfig terraform.tfstate
    terraform.tfstate.backup prod.tfvars prod.auto.tfvars.json secrets.yaml config/secrets.yml secrets.json .htpasswd
    .pgpass .my.cnf .docker/config.json .dockercfg .m2/settings.xml .gnupg/private-keys-v1.d/A .bash_history master.key
    example.com.pem example.com.key deploy.pem. Deploy.PEM .ENV .ｅnv .env\u200b local.settings.json .cargo/credentials.toml`
      .split(/\s+/)
      .filter(Boolean),
  )('%s is not for an agent to see', (path) => expect(secretFileNoun(path)).not.toBeNull());

  test.each(
    `.env.example .env.sample .env.local.example example.env .env.template credentials.json.example secrets.example.yaml
    terraform.tfvars.example id_rsa.pub .ssh/id_ed25519.pub .ssh/known_hosts .ssh/config ca.pem cacert.pem public.pem
    fullchain.pem server-cert.pem jwt-public-key.pem guides/secrets.mdx credentials.md kubeconfig.mdx env.mdx .env.mdx
    images/kubeconfig-flow.png openapi/secrets.yaml locales/en/credentials.json service-accounts.json docs.json
    package.json tsconfig.json environment.md keys.md api-key.mdx monkey.json tls.crt index.ts`
      .split(/\s+/)
      .filter(Boolean),
  )('%s stays readable', (path) => expect(secretFileNoun(path)).toBeNull());
});
