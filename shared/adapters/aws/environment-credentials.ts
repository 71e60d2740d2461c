// Credentials of a function: Lambda puts them into the environment. The bundler takes this in place of the SDK's chain of providers (profiles, SSO,
// metadata servers), which is a quarter of a bundle and never used there (scripts/build-functions.ts).

/** Named as the SDK imports it. Asked again by the SDK when the credentials have expired. */
export const defaultProvider =
  () =>
  async (): Promise<{
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
  }> => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env;
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw Object.assign(new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment'), {
        name: 'CredentialsProviderError',
      });
    return {
      accessKeyId,
      secretAccessKey,
      ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
