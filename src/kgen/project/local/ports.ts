/** Ports of an operator on this machine, beside which others may run. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports of the processes of one command. */
export interface LocalPorts {
  /** Variables of the program, whose manager reads them. */
  readonly env: Readonly<Record<string, string>>;
  /** Port of the webhooks, if they are not at the stated one of the program. */
  readonly webhooks: number | undefined;
  /** Address of the last reconciles, as text. */
  readonly reconciles: string;
  /** Address of the recording of the operator, and the token that it requires. */
  readonly recording: RecordingAddress;
}

/** A recording that a process serves. */
export interface RecordingAddress {
  readonly url: string;
  readonly token: string;
}

/**
 * Chooses free ports, which each process of the command has.
 * @param webhooks stated port of the webhooks; `undefined` if the program has to use it
 */
export async function localPorts(webhooks: number | undefined): Promise<LocalPorts> {
  const reconciles = await freePort();
  const chosen = webhooks === undefined ? undefined : await freePort(webhooks);
  const token = randomBytes(24).toString('base64url');
  return {
    env: {
      KGEN_RECONCILES: `${reconciles}`,
      KGEN_RECORDING_TOKEN: token,
      ...(chosen !== undefined && { KGEN_WEBHOOK_PORT: `${chosen}` }),
    },
    webhooks: chosen,
    reconciles: `http://127.0.0.1:${reconciles}/debug/reconciles`,
    recording: { url: `http://127.0.0.1:${reconciles}/debug/recording`, token },
  };
}

/**
 * Returns a port that nothing uses at the moment.
 * @param preferred the result, if it is free; default: any
 */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(preferred);
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address instanceof Object ? address.port : 0;
}
