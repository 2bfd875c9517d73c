import { messageOf } from '@docent/base/thrown';
import { ModelProblem } from '../model.ts';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/**
 * The credentials of this process, as AWS's own tools find them: variables, a profile of the shared files,
 * SSO, web identity, the role of a container or of an instance. Kept until shortly before they expire. The
 * function throws ModelProblem `model_key` if there are none, or if they cannot be renewed.
 */
export function awsCredentials(conceal: (secret: string) => void): () => Promise<AwsCredentials> {
  let chain: (() => Promise<AwsCredentials>) | undefined;
  return async () => {
    if (!chain) {
      const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
      chain = defaultProvider();
    }
    try {
      const credentials = await chain();
      for (const secret of [credentials.secretAccessKey, credentials.sessionToken]) if (secret) conceal(secret);
      return credentials;
    } catch (err) {
      throw new ModelProblem(
        'model_key',
        'Amazon Bedrock needs AWS credentials, and the worker found none: ' +
          `${messageOf(err).replace(/[.]?$/, '.')} Set AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID and ` +
          'AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give its machine a role. Then restart the worker.',
      );
    }
  };
}
