/** Explanations of 401 responses, as far as the client can find a reason. Loaded with the first one. */
import { readFile } from 'node:fs/promises';
import type { ClusterConfig } from '../../config/types.ts';
import { usedTls } from '../../config/used-tls.ts';
import { certificateOutOfTime } from '../tls/tls-errors.ts';

/**
 * Returns the probable reason of a 401 response: servers do not explain why they refuse a certificate or a
 * token.
 */
export async function whyUnauthorized(config: ClusterConfig): Promise<string | undefined> {
  const why = giver(config) ?? (await tokenOutOfTime(config));
  if (why !== undefined) return why;
  const pem = await ownCertificate(config);
  if (pem === undefined) return undefined;
  const outOfTime = certificateOutOfTime(pem);
  if (outOfTime !== undefined || config.auth !== undefined) return outOfTime;
  return 'is the client certificate signed by an authority that this server trusts?';
}

/** Describes the source of the refused credentials, if they are not in the configuration itself. */
function giver({ auth }: ClusterConfig): string | undefined {
  if (auth?.oidc !== undefined) return `the token of the OIDC issuer ${auth.oidc.issuerUrl} was refused`;
  if (auth?.exec === undefined) return undefined;
  return `the credentials of the exec plugin ${JSON.stringify(auth.exec.command)} were refused`;
}

async function tokenOutOfTime(config: ClusterConfig): Promise<string | undefined> {
  const own = await ownToken(config);
  const end = own && endOf(own.token);
  if (own === undefined || end === undefined || end > Date.now() || !(end > 0)) return undefined;
  return `${own.name} expired at ${new Date(end).toISOString()}; a new one is needed`;
}

/**
 * Returns the token of the configuration and its name in messages. Tokens of plugins and issuers are renewed
 * automatically.
 */
async function ownToken({
  auth,
}: ClusterConfig): Promise<{ readonly token: string; readonly name: string } | undefined> {
  const { token, tokenFile } = auth ?? {};
  if (tokenFile === undefined) return token === undefined ? undefined : { token, name: 'the token' };
  try {
    return { token: await readFile(tokenFile, 'utf8'), name: `the token in ${tokenFile}` };
  } catch {
    // The next request reports the unreadable file; the 401 itself is the error to report.
    return undefined;
  }
}

/**
 * Returns the expiry of a JSON Web Token (`exp` in its payload), in milliseconds since 1970; `undefined` for
 * other tokens.
 */
function endOf(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return undefined;
    return typeof payload.exp === 'number' ? payload.exp * 1000 : undefined;
  } catch {
    // Tokens may have any format; most are opaque.
    return undefined;
  }
}

async function ownCertificate(config: ClusterConfig): Promise<string | undefined> {
  const tls = usedTls(config);
  if (tls.cert !== undefined || tls.certFile === undefined) return tls.cert;
  try {
    return await readFile(tls.certFile, 'utf8');
  } catch {
    // The file was readable when the connection was opened; the 401 itself is the error to report.
    return undefined;
  }
}
