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

/**
 * A transport that says who asks. A request that has an `authorization` of its own keeps it. Where the server answers
 * 401 and there is a newer credential, the request is sent once more with that.
 */
export function authenticated(send: Send, source: CredentialSource | undefined): Transport {
  if (source === undefined) return (request) => send(request);
  return async (request) => {
    if (request.headers['authorization'] !== undefined) return send(request);
    const current = source.current();
    const credential = current instanceof Promise ? await current : current;
    const response = await sendAs(send, request, credential);
    if (response.status !== 401) return response;
    const renewed = await source.renew(credential);
    if (renewed === undefined) return response;
    await discard(response);
    return sendAs(send, request, renewed);
  };
}
