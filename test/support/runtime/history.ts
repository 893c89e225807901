import type { Stored } from '../../../src/runtime/api/types.ts';
import type { InformerHandlers } from '../../../src/runtime/cache/informer/informer.ts';
import type { Thing } from './scripted-source.ts';

/**
 * Handlers that check their calls against the rules of a consistent history, and record the resulting state.
 */
export class History {
  readonly problems: string[] = [];
  /** State according to the calls, by `namespace/name`. */
  readonly state = new Map<string, Stored<Thing>>();
  readonly #gone = new Set<string>();
  readonly #versions = new Set<string>();
  calls = 0;

  readonly handlers: InformerHandlers<Thing> = {
    add: (object) => {
      this.#see('add', object);
      if (this.#gone.has(object.metadata.uid)) this.#problem('add after delete', object);
      if (this.state.has(place(object))) this.#problem('add of what is there', object);
      this.state.set(place(object), object);
    },
    update: (object, old) => {
      this.#see('update', object);
      const known = this.state.get(place(object));
      if (known === undefined) this.#problem('update of what is not there', object);
      if (known !== old) this.#problem('old is not what was given last', object);
      if (known?.metadata.uid !== object.metadata.uid) this.#problem('update to another uid', object);
      if (Number(old.metadata.resourceVersion) > Number(object.metadata.resourceVersion)) {
        this.#problem('update back in time', object);
      }
      this.state.set(place(object), object);
    },
    delete: (object, { missed }) => {
      this.calls += 1;
      const known = this.state.get(place(object));
      if (known?.metadata.uid !== object.metadata.uid) this.#problem('delete of what is not there', object);
      if (missed && known !== object) this.#problem('the last state is not what was given last', object);
      this.#gone.add(object.metadata.uid);
      this.state.delete(place(object));
    },
  };

  #see(what: string, object: Stored<Thing>): void {
    this.calls += 1;
    const version = `${place(object)} ${object.metadata.resourceVersion}`;
    if (this.#versions.has(version)) this.#problem(`${what} with a version seen before`, object);
    this.#versions.add(version);
  }

  #problem(what: string, object: Stored<Thing>): void {
    this.problems.push(
      `${what}: ${place(object)} ${object.metadata.uid} @${object.metadata.resourceVersion}`,
    );
  }
}

function place({ metadata }: Stored<Thing>): string {
  return `${metadata.namespace}/${metadata.name}`;
}
