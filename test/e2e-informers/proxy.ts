import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';
import type { ConnectionStep, Ending, Stage } from './steps.ts';

/** Current faults of connections. */
interface Conditions {
  readonly stall: 'client' | 'server' | 'both' | undefined;
  readonly refuse: boolean;
  readonly delayMs: number;
  readonly bytesPerSecond: number;
  readonly lifetimeMs: number | undefined;
}

const calm: Conditions = {
  stall: undefined,
  refuse: false,
  delayMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  lifetimeMs: undefined,
};

/**
 * A proxy between clients and a server that forwards encrypted bytes and, on request, disturbs connections.
 */
export class ConnectionProxy implements Stage<ConnectionStep> {
  /** Configuration of the server, with the address of the proxy. */
  readonly config: ClusterConfig;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #line = new Line();
  readonly #chance: () => number;
  /** Connections rejected since `refuse`. */
  #refusals = 0;

  /** Starts a proxy in front of the server of `target`. `chance` selects connections for a partial `cut`. */
  static async start(target: ClusterConfig, chance: () => number = Math.random): Promise<ConnectionProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ConnectionProxy(target, server, chance);
  }

  private constructor(target: ClusterConfig, server: Server, chance: () => number) {
    const url = new URL(target.server);
    const port = Number(url.port);
    // A server that listens on a port has an address with one.
    url.port = String((server.address() as AddressInfo).port);
    this.config = { ...target, server: url.href.replace(/\/$/, '') };
    this.#server = server;
    this.#chance = chance;
    server.on('connection', (client: Socket) => this.#accept(client, port));
  }

  apply(step: ConnectionStep): void {
    switch (step.type) {
      case 'cut':
        this.#cut(step.how, step.share ?? 1);
        break;
      case 'cut after':
        for (const pair of this.#pairs) pair.endAfter(step.bytes, step.how);
        break;
      case 'stall':
        this.#line.change({ ...calm, stall: step.towards });
        break;
      case 'freeze':
        for (const pair of this.#pairs) pair.freeze();
        break;
      case 'refuse':
        this.#refusals = 0;
        this.#line.change({ ...calm, refuse: true });
        this.#cut('reset', 1);
        break;
      case 'delay':
        this.#line.change({ ...calm, delayMs: step.ms });
        break;
      case 'throttle':
        this.#line.change({ ...calm, bytesPerSecond: step.bytesPerSecond });
        break;
      case 'lifetime':
        this.#line.change({ ...calm, lifetimeMs: step.ms });
        for (const pair of this.#pairs) pair.endIn(step.ms);
        break;
      case 'calm':
        this.#line.change(calm);
    }
  }

  /** Resolves once a connection has been rejected since `refuse`. */
  async turnedAway(): Promise<void> {
    while (this.#refusals === 0) await once(this.#server, 'connection');
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#cut('reset', 1);
    await closed;
  }

  #cut(how: Ending, share: number): void {
    for (const pair of this.#pairs) if (this.#chance() < share) pair.end(how);
  }

  #accept(client: Socket, port: number): void {
    const { refuse, lifetimeMs } = this.#line.conditions;
    if (refuse) {
      this.#refusals += 1;
      client.resetAndDestroy();
      return;
    }
    const pair = new Pair(client, connect(port, '127.0.0.1'), this.#line);
    this.#pairs.add(pair);
    if (lifetimeMs !== undefined) pair.endIn(lifetimeMs);
    pair.over.then(() => this.#pairs.delete(pair));
  }
}

/** Conditions of all connections, with notification of changes. */
class Line {
  conditions: Conditions = calm;
  readonly #changes = new EventEmitter().setMaxListeners(0);

  change(conditions: Conditions): void {
    this.conditions = conditions;
    this.#changes.emit('change');
  }

  /** Waits until no stall applies. */
  async free(towards: 'client' | 'server', signal: AbortSignal): Promise<void> {
    while (this.conditions.stall === towards || this.conditions.stall === 'both') {
      await once(this.#changes, 'change', { signal });
    }
  }
}

/** Connection of a client, and its connection to the server. */
class Pair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #line: Line;
  #frozen = false;
  readonly #closed = new AbortController();
  /** Bytes that may still be sent to the client, and the ending after them. */
  #budget: { bytes: number; readonly how: Ending } | undefined;
  /** Resolves when both connections are closed. */
  readonly over: Promise<void>;

  constructor(client: Socket, server: Socket, line: Line) {
    this.#client = client;
    this.#server = server;
    this.#line = line;
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // The proxy breaks connections on purpose: the clients under test report the error.
      socket.on('error', () => undefined);
      socket.once('close', () => this.#close());
    }
    const both = [this.#pump(client, server, 'server'), this.#pump(server, client, 'client')];
    this.over = Promise.allSettled(both).then(() => this.#close());
  }

  end(how: Ending): void {
    if (how === 'end') this.#client.end();
    else this.#client.resetAndDestroy();
    this.#server.destroy();
  }

  endAfter(bytes: number, how: Ending): void {
    this.#budget = { bytes, how };
  }

  freeze(): void {
    this.#frozen = true;
  }

  endIn(ms: number): void {
    const timer = setTimeout(() => this.end('reset'), ms);
    this.#closed.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  #close(): void {
    this.#closed.abort();
    this.#client.destroy();
    this.#server.destroy();
  }

  async #pump(from: Socket, to: Socket, towards: 'client' | 'server'): Promise<void> {
    const { signal } = this.#closed;
    for await (const chunk of from) {
      await this.#line.free(towards, signal);
      if (this.#frozen) await once(signal, 'abort');
      const { delayMs, bytesPerSecond } = this.#line.conditions;
      // Sockets without an encoding emit buffers.
      const bytes = chunk as Buffer;
      const ms = delayMs + (bytes.length / bytesPerSecond) * 1_000;
      if (ms >= 1) await delay(ms, undefined, { signal });
      if (!(await this.#pass(bytes, to, towards))) return;
    }
    to.end();
  }

  /** Forwards bytes. Returns false if no further bytes may be forwarded. */
  async #pass(bytes: Buffer, to: Socket, towards: 'client' | 'server'): Promise<boolean> {
    const budget = towards === 'client' ? this.#budget : undefined;
    const allowed = budget === undefined ? bytes : bytes.subarray(0, budget.bytes);
    await new Promise<void>((resolve) => to.write(allowed, () => resolve()));
    if (budget === undefined) return true;
    budget.bytes -= allowed.length;
    if (budget.bytes > 0) return true;
    this.end(budget.how);
    return false;
  }
}
