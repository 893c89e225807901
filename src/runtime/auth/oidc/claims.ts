/** Claims of id tokens. Their signature is verified by the server that receives them, not here. */

/**
 * Returns the expiry of a token in milliseconds since 1970; `undefined` if it is missing or cannot be parsed.
 */
export function expiryOf(idToken: string): number | undefined {
  const [, payload, signature, ...more] = idToken.split('.');
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = claims instanceof Object && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    // A token that cannot be parsed is treated as expired.
    return undefined;
  }
}
