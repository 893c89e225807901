import type { Stored } from '../../../src/runtime/api/types.ts';
import type { ReflectorSink } from '../../../src/runtime/cache/reflector/reflector.ts';
import type { RelistReason } from '../../../src/runtime/cache/reflector/reflector-state.ts';
import type { ObjectEvent } from '../../../src/runtime/watch/machine/machine-types.ts';
import type { UnreadableItem } from '../../../src/runtime/watch/source.ts';
import type { Thing } from './scripted-source.ts';

/**
 * Sink that keeps a simple copy of the state and a log of its calls. Each piece and each state can be
 * delayed.
 */
export class RecordingSink implements ReflectorSink<Stored<Thing>> {
  /** State by name. */
  state = new Map<string, Stored<Thing>>();
  readonly log: string[] = [];
  /** Awaited for each piece of a state. */
  gathering: Promise<void> | undefined;
  /** Awaited before a state is replaced. */
  replacing: Promise<void> | undefined;
  #next = new Map<string, Stored<Thing>>();

  begin(): void {
    this.log.push('begin');
    this.#next = new Map();
  }

  async gather(events: readonly ObjectEvent<Stored<Thing>>[]): Promise<void> {
    this.log.push(`gather ${names(events)}`);
    for (const event of events) apply(this.#next, event);
    await this.gathering;
    if (this.gathering !== undefined) this.log.push('gathered');
  }

  keep(items: readonly UnreadableItem[]): void {
    this.log.push(`keep ${items.map(({ name }) => name).join(' ')}`);
  }

  async replace(_: string, signal: AbortSignal): Promise<void> {
    this.log.push('replace');
    await this.replacing;
    signal.throwIfAborted();
    this.state = this.#next;
  }

  changes(events: readonly ObjectEvent<Stored<Thing>>[]): void {
    this.log.push(`changes ${names(events)}`);
    for (const event of events) apply(this.state, event);
  }

  progress(): void {
    // Bookmarks change nothing.
  }

  failure(error: unknown, attempt: number): void {
    this.log.push(`failure ${attempt}: ${error instanceof Error ? error.message : ''}`);
  }

  relist(reason: RelistReason): void {
    this.log.push(`relist: ${reason}`);
  }
}

function apply(state: Map<string, Stored<Thing>>, { type, object }: ObjectEvent<Stored<Thing>>): void {
  if (type === 'DELETED') state.delete(object.metadata.name);
  else state.set(object.metadata.name, object);
}

function names(events: readonly ObjectEvent<Stored<Thing>>[]): string {
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`).join(', ');
}
