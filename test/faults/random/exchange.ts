/** One exchange of a client with a hostile server, and its invariants. */
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { isApiError, isConfigError, isDecodeError, isTimeoutError, isTransportError } from '@kgen/runtime';
import { isAmbiguousMatch, isNoMatch } from '@kgen/runtime/discovery';
import { isManifestsError } from '@kgen/runtime/manifests';
import { type Random, randomOf } from '../../support/random.ts';
import { type Clients, clientsOf, limited, unlimited } from './calls.ts';
import { deliver, finish } from './delivery.ts';
import { serveHttp1 } from './http1.ts';
import { type Keys, Listeners, secured } from './listeners.ts';
import { calmer, limitOf, type Plan, planOf } from './plan.ts';
import { serveProxy, serveSocks } from './proxies.ts';
import { anyBytes } from './replies.ts';
import { pause, settles, wait } from './time.ts';

/** Certificates of servers: one that clients trust, and others. */
export interface Certificates {
  readonly ca: string;
  readonly trusted: Keys;
  readonly others: readonly [Keys, ...Keys[]];
}

/** Real milliseconds that a promise may take longer than its limit. */
const graceMs = 1000;
/** Observations of an exchange. */
export interface Outcome {
  readonly plan: Plan;
  readonly problems: readonly string[];
  /** Calls with their outcomes. */
  readonly ends: readonly string[];
}

/**
 * Returns whether a call may fail with this error: an error of the package, or one that names the failed
 * informer.
 */
function isNamed(error: unknown): boolean {
  if (error instanceof Error && error.message.startsWith('informer for ')) return isNamed(error.cause);
  const kinds = [
    isApiError,
    isTransportError,
    isTimeoutError,
    isDecodeError,
    isConfigError,
    isManifestsError,
  ];
  return [...kinds, isNoMatch, isAmbiguousMatch].some((is) => is(error));
}

export class Exchange {
  readonly #random: Random;
  readonly #plan: Plan;
  readonly #listeners = new Listeners();
  readonly #certificates: Certificates;
  readonly #problems: string[] = [];
  readonly #ends: string[] = [];
  /** Current wait, for exchanges that do not end. */
  phase = 'the clients';

  constructor(seed: number, certificates: Certificates) {
    this.#random = randomOf(seed);
    this.#plan = planOf(this.#random);
    this.#certificates = certificates;
  }

  get outcome(): Outcome {
    return { plan: this.#plan, problems: this.#problems, ends: this.#ends };
  }

  async run(): Promise<Outcome> {
    const { end, endMs, idleMs, calls } = this.#plan;
    const clients = await this.#clients();
    this.phase = 'the calls';
    const controller = new AbortController();
    const reason = new Error('enough');
    const running = calls.map((name) => this.#call(name, clients, controller.signal, reason));
    const ending = end === 'nothing' ? undefined : wait(endMs);
    const ended = ending?.then(() => (end === 'abort' ? controller.abort(reason) : this.#close(clients)));
    await Promise.all([...running, ended]);
    if (idleMs > 0 && end !== 'close') await wait(idleMs);
    this.phase = 'close()';
    await this.#close(clients);
    this.phase = 'the connections';
    await this.#emptied();
    this.phase = 'the servers';
    await this.#listeners.stop();
    return this.outcome;
  }

  async #call(name: string, clients: Clients, signal: AbortSignal, reason: Error): Promise<void> {
    const { timeoutMs } = this.#plan;
    const call = limited[name] ?? unlimited[name];
    const limits = { signal, timeoutMs };
    const work = (async () => call?.(clients, limits, this.#random))();
    if (!(await settles(work, limitOf(name, this.#plan), graceMs))) {
      this.#problems.push(`${name} has not settled`);
      return;
    }
    await work.then(
      () => void this.#ends.push(`${name}: ok`),
      (error: unknown) => this.#failed(name, error, reason),
    );
  }

  #failed(name: string, error: unknown, reason: Error): void {
    this.#ends.push(
      `${name}: ${error === reason ? 'aborted' : error instanceof Error ? error.name : typeof error}`,
    );
    try {
      if (error !== reason && !isNamed(error)) this.#problems.push(`${name} failed with ${inspect(error)}`);
      else if (`${String(error)}${inspect(error)}`.includes('sesame'))
        this.#problems.push(`${name} shows a secret`);
    } catch (cause) {
      this.#problems.push(`${name} failed with an unprintable value: ${inspect(cause)}`);
    }
  }

  async #close({ clientset }: Clients): Promise<void> {
    const closed = clientset.close();
    if (!(await settles(closed, 0, graceMs))) this.#problems.push('close() has not settled');
    else
      await closed.catch(
        (error: unknown) => void this.#problems.push(`close() failed with ${inspect(error)}`),
      );
  }

  async #emptied(): Promise<void> {
    const listeners = this.#listeners;
    const emptied = (async () => {
      while (listeners.connections > 0) await pause(1);
    })();
    if (await settles(emptied, 0, graceMs)) return;
    this.#problems.push(`${listeners.connections} connections are left after close()`);
    await listeners.stop();
  }

  async #clients(): Promise<Clients> {
    const { secure, proxy } = this.#plan;
    const { ca } = this.#certificates;
    const serve = this.#server();
    const port = await this.#listeners.listen(serve);
    const server = `${secure ? 'https' : 'http'}://127.0.0.1:${port}`;
    const proxyUrl = proxy === 'none' ? undefined : `${proxy}://127.0.0.1:${await this.#proxy(port, serve)}`;
    return clientsOf({ server, tls: secure ? { ca } : {}, ...(proxyUrl && { proxyUrl }) });
  }

  #server(): (socket: Socket) => void {
    const { secure } = this.#plan;
    const random = calmer(this.#random);
    const plain = (socket: Socket): void => serveHttp1(socket, random, () => undefined);
    if (!secure) return plain;
    const { trusted, others } = this.#certificates;
    const keys = random.chance(0.93) ? trusted : random.pick(others);
    const common = random.pick([['http/1.1'], ['h2', 'http/1.1'], undefined]);
    const ALPNProtocols = random.chance(0.93) ? common : ['h2'];
    return (socket) => {
      if (random.chance(0.05)) {
        void deliver(socket, anyBytes(random, 300), random).then(() =>
          finish(socket, random.pick(['end', 'reset', 'stall'])),
        );
        return;
      }
      const secure = secured(socket, keys, { ...(ALPNProtocols && { ALPNProtocols }) });
      secure.once('secure', () => plain(secure));
    };
  }

  #proxy(port: number, serve: (socket: Socket) => void): Promise<number> {
    const random = this.#random;
    const { proxy } = this.#plan;
    const parts = { listeners: this.#listeners, port, random, serve };
    return this.#listeners.listen((socket) => {
      if (proxy === 'socks5') return void serveSocks(socket, parts);
      if (proxy === 'http') return void serveProxy(socket, parts);
      const { trusted, others } = this.#certificates;
      return void serveProxy(secured(socket, random.chance(0.9) ? trusted : random.pick(others), {}), parts);
    });
  }
}
