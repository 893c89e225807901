/**
 * Runs schedules: informers of the runtime on one side, the server on the other, and a checker in between.
 */
import {
  type Informer,
  InformerFactory,
  isDecodeError,
  type NamespacedLister,
  RESTClient,
} from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { Chance } from './chance.ts';
import { Truth } from './checker/history.ts';
import { registrationProblems } from './checker/registrations.ts';
import { requestProblems } from './checker/requests.ts';
import { LentClock } from './lent-clock.ts';
import { type Distortion, Listener } from './listener.ts';
import { quiet } from './quiet.ts';
import { type Act, type Manner, type Schedule, scheduleOf } from './schedule.ts';
import type { Noted } from './server/journal.ts';
import { type WireObject, withoutManagedFields } from './server/objects.ts';
import type { View } from './server/view.ts';
import { transportTo, type Widget, widgets } from './widgets.ts';
import { World } from './world.ts';

export interface PlayOptions {
  /** Called for each step, with its name and the time. */
  readonly onStep?: ((act: Act, at: number) => void) | undefined;
  /** Modifies calls between the informer and its handlers. */
  readonly distort?: Distortion | undefined;
  /** Modifies requests between the informer and its server. */
  readonly through?: ((transport: Transport) => Transport) | undefined;
}

export interface Outcome {
  readonly problems: readonly string[];
  /** Number of occurrences of each fault. */
  readonly met: ReadonlyMap<string, number>;
}

/** One schedule, from start to end. */
export class Play {
  readonly world: World;
  readonly #schedule: Schedule;
  readonly #options: PlayOptions;
  readonly #rest: RESTClient;
  readonly #factory: InformerFactory;
  readonly #informer: WidgetInformer;
  readonly #clock: LentClock;
  readonly #truth: Truth;
  readonly #views: readonly View[];
  readonly #listeners: Listener[] = [];
  readonly #problems: string[] = [];
  #calls = 0;
  #unreadable = 0;

  constructor(schedule: Schedule, options: PlayOptions = {}) {
    const { seed, traits, namespaces, selector, streaming, isSelected } = schedule;
    this.#schedule = schedule;
    this.#options = options;
    this.world = new World(seed, traits, ({ server, clock }) =>
      quiet(() => server.activity + clock.activity + this.#calls),
    );
    const { server, clock } = this.world;
    const transport = transportTo(server);
    this.#rest = new RESTClient(
      { server: 'http://server' },
      { transport: options.through?.(transport) ?? transport },
    );
    this.#clock = new LentClock(clock);
    const environment = { clock: this.#clock, random: new Chance(seed, 4).next };
    this.#factory = new InformerFactory({ rest: this.#rest }, { streaming, environment });
    this.#informer = informerFor(this.#factory, schedule);
    this.#informer.on('error', (error) => {
      if (isDecodeError(error)) this.#unreadable += 1;
    });
    this.#views = (namespaces ?? [undefined]).map((namespace) => ({ namespace, tier: selector && 'web' }));
    const { selection } = this.#informer;
    this.#truth = new Truth(
      server.database.log,
      this.#views,
      isSelected ? (object) => selectedPart(object, selection) : withoutManagedFields,
    );
  }

  async run(): Promise<Outcome> {
    const { world } = this;
    const { seed, manners, steps } = this.#schedule;
    for (const manner of manners) this.#listen(manner);
    world.write(20);
    await this.#start();
    for (const [index, act] of steps.entries()) {
      world.chance = new Chance(seed, 6, index);
      await this.#step(act);
    }
    world.chance = new Chance(seed, 5);
    await world.recover();
    await this.#compare();
    await this.#stop();
    await this.#rest.close();
    this.#checkNothingIsLeft();
    this.#problems.push(...requestProblems(world.server.journal.notes));
    return { problems: this.#problems, met: world.met };
  }

  async #step(act: Act): Promise<void> {
    const { world } = this;
    this.#options.onStep?.(act, world.clock.now());
    await this.#actOnClients(act);
    await world.act(act);
    if (world.chance.odds(0.6)) await world.pass(world.chance.pick([1, 500, 2500, 15_000]));
    else if (world.chance.odds(0.5)) await world.settle();
  }

  async #actOnClients(act: Act): Promise<void> {
    const { world } = this;
    const { chance } = world;
    if (act === 'handler is added late') {
      this.#listen(chance.pick(['prompt', 'slow', 'throwing']));
      world.meet(act);
    } else if (act === 'handler is removed') {
      const others = this.#listeners.slice(1).filter(({ removed }) => !removed);
      if (others.length === 0) return;
      chance.pick(others).remove();
      world.meet(act);
    } else if (act === 'stop and start') {
      world.meet(act);
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    const { world } = this;
    const { chance } = world;
    await this.#stop();
    if (chance.odds(0.5)) world.write();
    if (chance.odds(0.5)) await world.pass(chance.pick([1000, 100_000]));
    await this.#start();
  }

  async #start(): Promise<void> {
    for (const { history, removed } of this.#listeners) if (!removed) history.expectSilence(undefined);
    this.world.server.journal.note('*', { type: 'start' });
    await this.#factory.start();
  }

  async #stop(): Promise<void> {
    await this.#factory.stop();
    this.world.server.journal.note('*', { type: 'stop' });
    for (const { history, removed } of this.#listeners) if (!removed) history.expectSilence('after stop');
  }

  #listen(manner: Manner): void {
    const onCall = (): void => {
      this.#calls += 1;
    };
    const { distort } = this.#options;
    const { clock } = this.world;
    const truth = this.#truth;
    this.#listeners.push(new Listener({ informer: this.#informer, truth, clock, manner, distort, onCall }));
  }

  async #compare(): Promise<void> {
    const { server } = this.world;
    if (!this.#informer.isSynced) this.#problems.push('not synced at the end');
    const state = server.database.at(server.database.version);
    const listed = this.#informer.lister.list();
    const { notes } = server.journal;
    const registrations = { listeners: this.#listeners, truth: this.#truth, views: this.#views };
    this.#problems.push(...registrationProblems(registrations, { state, listed, notes }));
    await this.#checkSynced();
    // Data that is read during a stop is ignored.
    const malformed = notes.some((note, index) => isGarbled(note) && notes[index + 1]?.type !== 'stop');
    if (malformed && this.#unreadable === 0) this.#problems.push('malformed data was not reported');
  }

  async #checkSynced(): Promise<void> {
    const registrations = this.#listeners.filter(({ removed }) => !removed);
    let synced = 0;
    for (const { registration } of registrations) {
      registration.synced.then(
        () => {
          synced += 1;
        },
        () => undefined,
      );
    }
    await this.world.settle();
    if (synced < registrations.length) this.#problems.push('a registration is not synced at the end');
  }

  #checkNothingIsLeft(): void {
    const { streams } = this.world.server;
    if (streams.length > 0) this.#problems.push(`${streams.length} streams are left open`);
    if (this.#clock.armed > 0) this.#problems.push(`${this.#clock.armed} timers are left`);
  }
}

type WidgetInformer = Informer<Widget, NamespacedLister<Widget>>;

/** Handlers are called for all changes, so that the checker applies to informers with a selection, too. */
function informerFor(factory: InformerFactory, schedule: Schedule): WidgetInformer {
  const { namespaces, selector, freeze, isSelected } = schedule;
  const options = { namespaces, labelSelector: selector, freeze };
  if (!isSelected) return factory.of(widgets, options);
  const selected = factory.of(widgets, { ...options, select: { spec: { size: true } }, onEveryChange: true });
  // seam: the checker compares the fields that the objects have.
  return selected as unknown as WidgetInformer;
}

/** Returns the fields of a widget that an informer with a selection has. */
function selectedPart({ apiVersion, kind, metadata, spec }: WireObject, selection: unknown): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  const mark = { [Symbol.for('@kgen/runtime/selected')]: selection };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, ...mark },
    spec: { size: spec.size },
  };
}

function isGarbled(note: Noted): boolean {
  return note.type === 'lost' && note.loss === 'malformed';
}

/**
 * Modules that the runtime loads lazily take real time once, which would be an additional source of
 * randomness: runs until all of them are loaded.
 */
export async function warmUp(): Promise<void> {
  // Rarely loaded by schedules.
  await import('../../src/runtime/rest/response/unauthorized.ts');
  for (let seed = 1, clean = 0; clean < 10; seed += 1) {
    const { problems } = await new Play(scheduleOf(-seed)).run();
    clean = problems.length === 0 ? clean + 1 : 0;
    if (seed === 200) throw new Error(`nothing works: ${problems.join('; ')}`);
  }
}
