/** What an id token says of itself. Nobody checks its signature here: that is for the server that it is sent to. */

/** When a token ends, in milliseconds since 1970; `undefined` where that cannot be read, or is not said. */
export function expiryOf(idToken: string): number | undefined {
  const [, payload, signature, ...more] = idToken.split('.');
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = claims instanceof Object && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    // A token that cannot be read is as good as one that is over.
    return undefined;
  }
}
