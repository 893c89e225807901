import type { ReflectorConditions, ReflectorOutput } from '../cache/reflector-state.ts';
import { reflectorMachine } from '../cache/reflector-step.ts';
import type { Stored } from '../types.ts';
import type { Action, Input, StreamEvent } from '../watch/machine.ts';
import { type Thing, thing } from './scripted-source.ts';

export type Event = StreamEvent<Stored<Thing>>;
/** What happens to a machine, or how long nothing does. */
export type In = Input<Stored<Thing>> | { readonly later: number };

export const added = (name: string, version: number): Event => ({
  type: 'ADDED',
  object: thing(name, version),
});
export const modified = (name: string, version: number): Event => ({
  type: 'MODIFIED',
  object: thing(name, version),
});
export const deleted = (name: string, version: number): Event => ({
  type: 'DELETED',
  object: thing(name, version),
});
export const bookmark = (version: number): Event => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version) } },
});
export const endOfBurst = (version: number): Event => ({
  type: 'BOOKMARK',
  object: {
    metadata: { resourceVersion: String(version), annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});
export const error = (cause: Error): Event => ({ type: 'ERROR', error: cause });
export const events = (...list: Event[]): In => ({ type: 'events', events: list });
export const listed = (version: number | '', names: string[], token?: string): In => ({
  type: 'listed',
  items: names.map((name) => thing(name, 1)),
  metadata: { resourceVersion: String(version), ...(token !== undefined && { continue: token }) },
});
export const failed = (cause: unknown): In => ({ type: 'failed', error: cause });
export const later = (ms: number): In => ({ later: ms });
export const opened: In = { type: 'opened' };
export const ended: In = { type: 'ended' };
export const elapsed: In = { type: 'elapsed' };

/** What a reflector does, shortly written: all of its outputs and actions, except that it goes on reading. */
export function play(conditions: ReflectorConditions, inputs: readonly In[]): string[] {
  const machine = reflectorMachine<Stored<Thing>>(conditions);
  let now = 0;
  let step = machine.step(machine.initial, { type: 'start' }, now);
  const log = [showAction(step.next)];
  for (const input of inputs) {
    if ('later' in input) {
      now += input.later;
      continue;
    }
    step = machine.step(step.state, input, now);
    log.push(...step.outputs.map(showOutput), showAction(step.next));
  }
  return log.filter((line) => line !== 'read');
}

function showOutput(output: ReflectorOutput<Stored<Thing>>): string {
  switch (output.type) {
    case 'replace':
      return `all ${output.items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).join(' ')} #${output.resourceVersion}`;
    case 'change':
      return `${output.events.map(({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`).join(', ')} #${output.resourceVersion}${output.stale ? ` stale ${output.stale}` : ''}`;
    case 'failure':
      return `failure ${output.attempt}: ${output.error instanceof Error ? output.error.message.split(':')[0] : ''}`;
    case 'relist':
      return `relist: ${output.reason}`;
  }
}

function showAction(action: Action): string {
  switch (action.type) {
    case 'list':
      return ['list', ...Object.entries(action.params).map(([name, value]) => `${name}=${value}`)].join(' ');
    case 'watch':
      return `${action.params.sendInitialEvents ? 'stream' : 'watch'} @${action.params.resourceVersion ?? ''}`;
    case 'wait':
      return `wait ${action.ms}`;
    default:
      return action.type;
  }
}

/** One row of a table: what happens, and what the reflector does. */
export interface Case {
  readonly name: string;
  readonly from?: ReflectorConditions;
  readonly given: readonly In[];
  readonly want: readonly string[];
}

export const plain: ReflectorConditions = { streaming: false };
export const resumed: ReflectorConditions = { streaming: false, resourceVersion: '7' };
/** Listed at 5, and watched. */
export const following: readonly In[] = [listed(5, ['a']), opened];
export const followed = ['list resourceVersion=0 limit=500', 'all a@1 #5', 'watch @5'];
