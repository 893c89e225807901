/** Why a server may not know who asks, where that can be seen from here. Loaded with the first refusal. */
import { readFile } from 'node:fs/promises';
import type { ClusterConfig } from '../config/types.ts';
import { usedTls } from '../config/used-tls.ts';
import { certificateOutOfTime } from './tls-failures.ts';

async function ownCertificate(config: ClusterConfig): Promise<string | undefined> {
  const tls = usedTls(config);
  if (tls.cert !== undefined || tls.certFile === undefined) return tls.cert;
  try {
    return await readFile(tls.certFile, 'utf8');
  } catch {
    // It was there when the connection was made; the refusal itself is the news.
    return undefined;
  }
}

/** The token of the configuration, and what a message calls it. Those of plugins and issuers are renewed by themselves. */
async function ownToken({ auth }: ClusterConfig): Promise<{ token: string; name: string } | undefined> {
  const { token, tokenFile } = auth ?? {};
  if (tokenFile === undefined) return token === undefined ? undefined : { token, name: 'the token' };
  try {
    return { token: await readFile(tokenFile, 'utf8'), name: `the token in ${tokenFile}` };
  } catch {
    // Who reads tokens says so with the next request; the refusal itself is the news.
    return undefined;
  }
}

/** The end of a token that tells it, in milliseconds since 1970: a JSON web token does, by `exp` in its payload. */
function endOf(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return undefined;
    return typeof payload.exp === 'number' ? payload.exp * 1000 : undefined;
  } catch {
    // Tokens may be anything; most are opaque.
    return undefined;
  }
}

async function tokenOutOfTime(config: ClusterConfig): Promise<string | undefined> {
  const own = await ownToken(config);
  const end = own && endOf(own.token);
  if (own === undefined || end === undefined || end > Date.now() || !(end > 0)) return undefined;
  return `${own.name} expired at ${new Date(end).toISOString()}; a new one is needed`;
}

/** What was refused is not in the configuration, but what gave it is. */
function giver({ auth }: ClusterConfig): string | undefined {
  if (auth?.oidc !== undefined) return `the token of the OIDC issuer ${auth.oidc.issuerUrl} was refused`;
  if (auth?.exec === undefined) return undefined;
  return `what the exec plugin ${JSON.stringify(auth.exec.command)} gives was refused`;
}

/** A server answers 401 without a word about why it does not take a certificate or a token. */
export async function whyUnauthorized(config: ClusterConfig): Promise<string | undefined> {
  const why = giver(config) ?? (await tokenOutOfTime(config));
  if (why !== undefined) return why;
  const pem = await ownCertificate(config);
  if (pem === undefined) return undefined;
  const outOfTime = certificateOutOfTime(pem);
  if (outOfTime !== undefined || config.auth !== undefined) return outOfTime;
  return 'is the client certificate signed by an authority that this server knows?';
}
