/** OpenID Connect settings of a user: the member `auth-provider`. */
import { ConfigError } from '../../api/errors.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';
import type { OidcConfig } from '../types.ts';
import { type Entry, textMember } from './document.ts';
import { type Rights, readPem } from './material.ts';
import { isLoopback } from './server.ts';

/** Replacements of the providers that kubectl removed. */
const successors: ReadonlyMap<string, string> = new Map([
  ['gcp', 'the program gke-gcloud-auth-plugin'],
  ['azure', 'the program kubelogin'],
]);

/**
 * Parses the issuer of a user; returns `undefined` if there is none.
 * @throws {ConfigError} for a provider other than `oidc`, or one with missing settings
 */
export async function readAuthProvider(
  user: Entry,
  where: string,
  rights: Rights,
): Promise<OidcConfig | undefined> {
  const provider = member(user.fields, 'auth-provider') ?? undefined;
  if (provider === undefined) return undefined;
  const here = `${where}: auth-provider`;
  if (!isFields(provider)) throw new ConfigError(`${here} is not a mapping`);
  const name = textMember(provider, 'name', here);
  if (name !== 'oidc') {
    const instead = successors.get(name ?? '') ?? 'a credential plugin';
    throw new ConfigError(
      `${here} ${JSON.stringify(name ?? '')} is not supported; only oidc is, other users need exec with ${instead}`,
    );
  }
  const config = member(provider, 'config') ?? {};
  if (!isFields(config)) throw new ConfigError(`${here}.config is not a mapping`);
  return readOidc(user, config, `${here}.config`, rights);
}

async function readOidc(user: Entry, config: Fields, where: string, rights: Rights): Promise<OidcConfig> {
  const clientId = textMember(config, 'client-id', where);
  if (clientId === undefined) throw new ConfigError(`${where} has no client-id`);
  const clientSecret = textMember(config, 'client-secret', where);
  const idToken = textMember(config, 'id-token', where);
  const refreshToken = textMember(config, 'refresh-token', where);
  const ca = await readPem(user, 'idp-certificate-authority', where, rights, config);
  return {
    issuerUrl: readIssuer(config, where),
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(ca !== undefined && { ca: ca.text }),
    ...(user.file !== undefined && { origin: { file: user.file, user: user.name } }),
  };
}

/** Checks the URL of an issuer, which receives the id token and the client secret. */
function readIssuer(config: Fields, where: string): string {
  const issuer = textMember(config, 'idp-issuer-url', where);
  if (issuer === undefined) throw new ConfigError(`${where} has no idp-issuer-url; set the issuer's address`);
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return issuer;
  throw new ConfigError(`${where}.idp-issuer-url is not a URL that begins with https://`);
}
