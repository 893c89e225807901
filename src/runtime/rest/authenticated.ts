/** Saying who asks. */
import type { Credential, CredentialSource } from '../auth/types.ts';
import { discard } from './body.ts';
import type { Request, Response, Transport } from './types.ts';
import type { Send } from './wire.ts';

function sendAs(send: Send, request: Request, credential: Credential): Promise<Response> {
  const { authorization } = credential;
  if (authorization === undefined) return send(request, credential);
  return send({ ...request, headers: { ...request.headers, authorization } }, credential);
}

/** Another credential than the refused one, if there is any. The connection of the refusal is freed where its body is not wanted. */
async function renewed(
  source: CredentialSource,
  refused: Credential,
  refusal: Response,
  signal: AbortSignal | undefined,
): Promise<Credential | undefined> {
  let next: Credential | undefined;
  try {
    next = await source.renew(refused, signal);
  } catch (error) {
    refusal.cancel();
    throw error;
  }
  if (next !== undefined) await discard(refusal);
  return next;
}

/**
 * A transport that says who asks. A request that has an `authorization` of its own keeps it, and then neither a token
 * nor a certificate is looked for. Where the server answers 401, which means that nothing was done, and there is a newer
 * credential, the request is sent once more with that, reads and writes alike.
 */
export function authenticated(send: Send, source: CredentialSource | undefined): Transport {
  if (source === undefined) return (request) => send(request);
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return send(request);
    const current = source.current(request.signal);
    const credential = current instanceof Promise ? await current : current;
    const response = await sendAs(send, request, credential);
    if (response.status !== 401) return response;
    const next = await renewed(source, credential, response, request.signal);
    return next === undefined ? response : sendAs(send, request, next);
  };
}
