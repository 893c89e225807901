import { DecodeError } from '../../../src/runtime/api/errors.ts';
import type { Stored } from '../../../src/runtime/api/types.ts';
import type {
  ReflectorConditions,
  ReflectorOutput,
  ReflectorStep,
} from '../../../src/runtime/cache/reflector/reflector-state.ts';
import { reflectorMachine } from '../../../src/runtime/cache/reflector/reflector-step.ts';
import type {
  Action,
  Input,
  ObjectEvent,
  StreamEvent,
} from '../../../src/runtime/watch/machine/machine-types.ts';
import type { UnreadableItem } from '../../../src/runtime/watch/source.ts';
import { type Thing, thing } from './scripted-source.ts';

export type Event = StreamEvent<Stored<Thing>>;
/** Input of a machine, or a time without inputs. */
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
/** Returns a list with items that could not be decoded. */
export const listedBadly = (version: number, names: string[], ...unreadable: string[]): In => ({
  type: 'listed',
  items: names.map((name) => thing(name, 1)),
  metadata: { resourceVersion: String(version) },
  unreadable: unreadable.map((name): UnreadableItem => ({ error: new DecodeError(name), name })),
});
export const failed = (cause: unknown): In => ({ type: 'failed', error: cause });
export const later = (ms: number): In => ({ later: ms });
export const opened: In = { type: 'opened' };
export const ended: In = { type: 'ended' };
export const unsupportedFormat: In = { type: 'unsupportedFormat' };
export const elapsed: In = { type: 'elapsed' };

/**
 * Returns the actions of a reflector in short form: one line for each input, unless it only continues
 * reading.
 */
export function play(conditions: ReflectorConditions, inputs: readonly In[]): string[] {
  const machine = reflectorMachine<Stored<Thing>>(conditions);
  let now = 0;
  let step = machine.step(machine.initial, { type: 'start' }, now);
  const log = [showStep(step)];
  for (const input of inputs) {
    if ('later' in input) {
      now += input.later;
      continue;
    }
    step = machine.step(step.state, input, now);
    log.push(showStep(step));
  }
  return log.filter((line) => line !== '');
}

function showStep(step: ReflectorStep<Stored<Thing>>): string {
  const next = step.next.type === 'read' ? [] : [showAction(step.next)];
  return [...step.outputs.map(showOutput), ...next].join('; ');
}

function showOutput(output: ReflectorOutput<Stored<Thing>>): string {
  switch (output.type) {
    case 'begin':
    case 'restart':
      return output.type;
    case 'gather':
      return `gather ${showEvents(output.events)}`;
    case 'keep':
      return `keep ${output.items.map(({ name }) => name ?? '?').join(' ')}`;
    case 'replace':
      return `replace #${output.resourceVersion}`;
    case 'change':
      return showChange(output);
    case 'failure':
      return `failure ${output.attempt}: ${output.error instanceof Error ? output.error.message.split(':')[0] : ''}`;
    case 'relist':
      return `relist: ${output.reason}`;
  }
}

function showEvents(events: readonly ObjectEvent<Stored<Thing>>[]): string {
  return events
    .map(({ type, object: { metadata } }) => `${marks[type]}${metadata.name}@${metadata.resourceVersion}`)
    .join(' ');
}

const marks: { readonly [type in ObjectEvent<unknown>['type']]: string } = {
  ADDED: '+',
  MODIFIED: '~',
  DELETED: '-',
};

function showChange(change: Extract<ReflectorOutput<Stored<Thing>>, { type: 'change' }>): string {
  const { bookmarks, stale } = change;
  return [
    'change',
    ...(change.events.length > 0 ? [showEvents(change.events)] : []),
    `#${change.resourceVersion}`,
    ...(bookmarks > 0 ? [`bookmarks ${bookmarks}`] : []),
    ...(stale > 0 ? [`stale ${stale}`] : []),
  ].join(' ');
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

/** One row of a table: inputs, and the actions of the reflector. */
export interface Case {
  readonly name: string;
  readonly from?: ReflectorConditions;
  readonly given: readonly In[];
  readonly want: readonly string[];
}

export const plain: ReflectorConditions = { streaming: false };
export const resumed: ReflectorConditions = { streaming: false, resourceVersion: '7' };
/** Listed at version 5, and watched. */
export const following: readonly In[] = [listed(5, ['a']), opened];
export const followed = ['begin; list resourceVersion=0 limit=500', 'gather +a@1; replace #5; watch @5'];
