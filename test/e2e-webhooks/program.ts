/** A program with webhooks of ConfigMaps, whose validation misbehaves as the object states. */
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { consoleLogger, Manager } from '@kgen/controller';
import { defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { invalidValue } from '@kgen/runtime/objects';
import { behaviorKey, deletionKey, type ProgramArguments, type ProgramEvent } from './protocol.ts';

/** Longer than the API server waits in the tests, in milliseconds. */
const blockMs = 3_000;

// The test passes these arguments.
const { config, port, directory, failurePolicy, drainMs } = JSON.parse(
  process.argv[2] ?? '',
) as ProgramArguments;

/** Prints an event at once. */
function print(event: ProgramEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

const sockets = new Set<IncomingMessage['socket']>();
subscribe('http.server.request.start', (message) => {
  // The channel of node:http carries the request.
  sockets.add((message as { readonly request: IncomingMessage }).request.socket);
});

const recurse = (): number => recurse() + 1;
const broken = new Error('broken on purpose');
const errors = (count: number, detail: string) =>
  Array.from({ length: count }, (_, index) => invalidValue(`data.x${index}`, 'x', detail));

const behaviors: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw broken;
  },
  rejects: () => Promise.reject(broken),
  'never settles': () => new Promise(() => undefined),
  'returns nonsense': () => 'nonsense',
  'overflows the stack': recurse,
  'blocks the event loop': () => {
    for (const end = Date.now() + blockMs; Date.now() < end; );
  },
  'returns 10 MB': () => errors(1_000, 'y'.repeat(10_000)),
  'closes all connections': () => {
    for (const socket of sockets) socket.destroy();
  },
  'crashes in a timer': () => {
    setTimeout(() => {
      throw broken;
    });
    return new Promise(() => undefined);
  },
  denies: () => errors(2, 'not allowed'),
};

const manager = new Manager(config, { log: consoleLogger(), checkPermissions: false });
const part = webhooks({
  port,
  host: '127.0.0.1',
  certificates: { directory },
  drainMs,
  handlers: [
    defaults(configMaps, {
      failurePolicy,
      operations: ['CREATE', 'UPDATE'],
      handle: ({ data }, { operation, dryRun, user, warn }) => {
        warn(`changed by ${operation}`);
        return { data: { ...data, operation, dryRun: String(dryRun), user: user.username } };
      },
    }),
    validates(configMaps, {
      failurePolicy,
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      handle: (map, { operation }) => {
        print({ type: 'review', operation });
        const key = operation === 'DELETE' ? deletionKey : behaviorKey;
        const behavior = map.data?.[key] ?? '';
        // Results of any type are what the tests are about.
        return behaviors[behavior]?.() as undefined;
      },
    }),
  ],
});
manager.add(part);
manager.add({
  name: 'events',
  start: () => print({ type: 'ready', port: part.port ?? 0 }),
  stop: () => print({ type: 'stopping' }),
});
await manager.run();
