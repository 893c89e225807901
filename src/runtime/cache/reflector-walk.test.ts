/** Guarantees of the machine for random sequences of inputs. */
import { describe, expect, it } from 'vitest';
import {
  apiError,
  closedClient,
  cutStream,
  refusedConnection,
  silentStream,
} from '../../../test/support/runtime/failures.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import {
  added,
  bookmark,
  deleted,
  type Event,
  endOfBurst,
  error,
  modified,
} from '../../../test/support/runtime/reflector-play.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { DecodeError } from '../api/errors.ts';
import type { Stored } from '../api/types.ts';
import type { Action, Input } from '../watch/machine/machine-types.ts';
import type { ReflectorOutput } from './reflector/reflector-state.ts';
import { reflectorMachine } from './reflector/reflector-step.ts';

const walkCount = 120;
const steps = 300;
/** A stream at two versions, a list at two versions, and an unpaged list: then a delay must follow. */
const requestsWithoutWait = 5;

const failures: readonly Error[] = [
  apiError('absent'),
  apiError('forbidden'),
  apiError('bad'),
  apiError('expired'),
  apiError('gone'),
  apiError('ahead'),
  apiError('internal'),
  apiError('unavailable'),
  apiError('busy'),
  refusedConnection(),
  cutStream(),
  silentStream(),
  new DecodeError('no JSON'),
  new Error('no token'),
];

/** Random responses of a server: any input that the driver may pass on, with mostly increasing versions. */
class World {
  readonly #random: Seeded;
  #version = 100;

  constructor(random: Seeded) {
    this.#random = random;
  }

  input(action: Action): Input<Stored<Thing>> {
    switch (action.type) {
      case 'wait':
        return { type: 'elapsed' };
      case 'list':
        return this.#random.chance(0.5) ? this.#page() : this.#failure();
      case 'watch':
        return this.#random.chance(0.7) ? { type: 'opened' } : this.#failure();
      default:
        return this.#read();
    }
  }

  #failure(): Input<Stored<Thing>> {
    if (this.#random.chance(0.002)) return { type: 'failed', error: closedClient() };
    return { type: 'failed', error: this.#random.pick(failures) };
  }

  #page(): Input<Stored<Thing>> {
    const version = String(this.#next());
    const more = this.#random.chance(0.3) ? { continue: version } : {};
    const unreadable = this.#random.chance(0.1) ? [{ error: new DecodeError('no name') }] : [];
    const items = Array.from({ length: this.#random.below(3) }, (_, index) => thing(`${index}`, 1));
    return { type: 'listed', items, metadata: { resourceVersion: version, ...more }, unreadable };
  }

  #read(): Input<Stored<Thing>> {
    if (this.#random.chance(0.1)) return this.#failure();
    if (this.#random.chance(0.1)) return { type: 'ended' };
    const events = Array.from({ length: this.#random.below(4) }, () => this.#event());
    if (this.#random.chance(0.1)) events.push(error(this.#random.pick(failures) ?? cutStream()));
    return { type: 'events', events };
  }

  #event(): Event {
    const version = this.#next();
    const kinds = [added, modified, deleted].map((kind) => () => kind(`${this.#random.below(5)}`, version));
    const kind = this.#random.pick([...kinds, () => bookmark(version), () => endOfBurst(version)]);
    return (kind ?? (() => bookmark(version)))();
  }

  #next(): number {
    if (this.#random.chance(0.1)) return Math.max(1, this.#version - this.#random.below(20));
    this.#version += this.#random.below(3);
    return this.#version;
  }
}

/** Checks the guarantees of a machine. */
class Watchdog {
  #version: number | undefined;
  #stage: 'nothing' | 'gathering' | 'known' = 'nothing';
  #requests = 0;
  #stream = false;
  /** Whether the next state may be older than the last version. */
  #forgetful = false;

  output(output: ReflectorOutput<Stored<Thing>>): void {
    switch (output.type) {
      case 'begin':
        this.#stage = 'gathering';
        break;
      case 'gather':
        expect([this.#stage, output.events.length > 0]).toEqual(['gathering', true]);
        break;
      case 'keep':
        expect([this.#stage, output.items.length > 0]).toEqual(['gathering', true]);
        break;
      case 'replace':
        expect(this.#stage).toBe('gathering');
        this.#stage = 'known';
        this.#moveTo(output.resourceVersion);
        break;
      case 'change':
        expect(this.#stage).toBe('known');
        this.#moveTo(output.resourceVersion);
        break;
      case 'failure':
        expect(output.attempt).toBeGreaterThanOrEqual(1);
        break;
      case 'restart':
      case 'relist':
        expect(this.#stage).toBe('known');
        break;
    }
  }

  action(action: Action): void {
    if (action.type === 'read') {
      expect(this.#stream).toBe(true);
      return;
    }
    this.#stream = action.type === 'watch';
    if (action.type === 'wait') {
      this.#requests = 0;
      expect(action.ms).toBeGreaterThanOrEqual(800);
      expect(action.ms).toBeLessThanOrEqual(30_000);
    }
    if (action.type === 'watch' || action.type === 'list') this.#request(action);
  }

  #request(action: Extract<Action, { type: 'list' | 'watch' }>): void {
    this.#requests += 1;
    expect(this.#requests).toBeLessThanOrEqual(requestsWithoutWait);
    if (action.type === 'watch' && action.params.sendInitialEvents !== true) {
      expect([this.#stage, action.params.resourceVersion]).toEqual(['known', this.#shown]);
      return;
    }
    expect(this.#stage).toBe('gathering');
    const { resourceVersion, resourceVersionMatch } = action.params;
    if (action.type === 'list' && action.params.continue !== undefined) {
      expect([resourceVersion, resourceVersionMatch]).toEqual([undefined, undefined]);
      return;
    }
    this.#forgetful = resourceVersion === undefined || resourceVersion === '0';
    if (resourceVersion === '0') expect(this.#version).toBeUndefined();
    else if (resourceVersion !== undefined) expect(resourceVersion).toBe(this.#shown);
  }

  worked(): void {
    this.#requests = 0;
  }

  get #shown(): string | undefined {
    return this.#version === undefined ? undefined : String(this.#version);
  }

  #moveTo(resourceVersion: string): void {
    const version = resourceVersion === '' ? undefined : Number(resourceVersion);
    if (!this.#forgetful && version !== undefined) {
      expect(version).toBeGreaterThanOrEqual(this.#version ?? 0);
    }
    this.#forgetful = false;
    this.#version = version;
  }
}

describe('a reflector with random inputs', () => {
  const walks = [true, false].flatMap((streaming) =>
    Array.from({ length: walkCount / 2 }, (_, seed) => ({ streaming, seed })),
  );

  it.each(walks)('keeps its guarantees (streaming $streaming, seed $seed)', ({ streaming, seed }) => {
    const random = new Seeded(seed);
    const [world, watchdog] = [new World(random), new Watchdog()];
    const machine = reflectorMachine<Stored<Thing>>({ streaming });
    let now = 0;
    let input: Input<Stored<Thing>> = { type: 'start' };
    let { initial: state } = machine;
    for (let count = 0; count < steps; count += 1) {
      now += random.below(random.chance(0.1) ? 200_000 : 2000);
      const step = machine.step(state, input, now);
      for (const output of step.outputs) watchdog.output(output);
      if (step.next.type === 'fail') return expect(input).toMatchObject({ error: { code: 'CLIENT_CLOSED' } });
      if (input.type === 'listed' || input.type === 'opened') watchdog.worked();
      watchdog.action(step.next);
      state = step.state;
      input = world.input(step.next);
    }
  });
});
