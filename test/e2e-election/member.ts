/** One process of an election, which writes a ConfigMap as long as it leads. */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { RESTClient } from '@kgen/runtime';
import { isLeadershipLostError, LeaderElector } from '@kgen/runtime/election';
import { machineNow } from '../support/machine-clock.ts';
import { type MemberArguments, type MemberCommand, type MemberEvent, writtenName } from './protocol.ts';

/** Pause between two writes, in milliseconds. */
const pauseMs = 20;

// The test passes these arguments.
const { config, ...options } = JSON.parse(process.argv[2] ?? '') as MemberArguments;
const elector = new LeaderElector(config, { ...options, name: 'elected', thread: true });
const rest = new RESTClient(config);
const stop = new AbortController();

/** Prints an event at once, also directly before or after the event loop is blocked. */
function print(event: MemberEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

function perform(command: MemberCommand): void {
  if (command.type === 'stop') {
    stop.abort();
    return;
  }
  const end = machineNow() + command.ms;
  while (machineNow() < end);
  print({ type: 'blocked', at: machineNow(), leads: elector.isLeader });
}

async function write(term: number): Promise<void> {
  const at = machineNow();
  elector.fence.check();
  await rest.patch('/api/v1/namespaces/{namespace}/configmaps/{name}', {
    path: { namespace: options.namespace, name: writtenName },
    body: { data: { identity: options.identity, term: String(term), at: String(at) } },
    contentType: 'application/merge-patch+json',
    timeoutMs: Math.max(elector.fence.remainingMs(), 1),
    signal: elector.fence.signal,
  });
  print({ type: 'write', at, end: machineNow(), term });
}

async function work(): Promise<void> {
  await elector.leading;
  const { transitions, isThread } = elector.stats();
  print({ type: 'leading', at: machineNow(), term: transitions, isThread });
  while (!elector.fence.signal.aborted) {
    // Refused and failed writes are tried again until leadership ends.
    await write(transitions).catch(() => undefined);
    await delay(pauseMs);
  }
}

// The last line of a stream has no further lines behind it: each line is a command of the test.
createInterface(process.stdin).on('line', (line) => perform(JSON.parse(line) as MemberCommand));
work().catch(() => undefined);
elector.on('error', (error) => process.stderr.write(`${String(error)}\n`));
try {
  await elector.run({ signal: stop.signal });
  print({ type: 'stopped', at: machineNow() });
} catch (error) {
  if (!isLeadershipLostError(error)) throw error;
  print({ type: 'lost', at: machineNow(), reason: error.reason });
}
await rest.close();
process.exit();
