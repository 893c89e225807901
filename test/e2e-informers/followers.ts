import { randomBytes } from 'node:crypto';
import type { ClusterConfig, Informer, InformerErrorContext, KubernetesObject, Stored } from '@kgen/runtime';
import type { RelistReason } from '@kgen/runtime/informers';
import { expect, vi } from 'vitest';
import { InformerFactory as CustomInformers } from '../../generated/crds/index.ts';
import { Clientset, InformerFactory } from '../../generated/kubernetes/index.ts';
import { deadline, type Env } from '../support/audited-plane.ts';
import type { Finished } from '../support/cluster-tests.ts';
import { faster } from './clock.ts';
import { differences, History, type Seen, versionOf, withoutManagedFields } from './history.ts';
import { configMaps, type LoadKind, type Log, myApps } from './load.ts';

/** Objects that an informer watches. */
interface Shape {
  readonly name: string;
  /** Namespaces to watch. Default: all. */
  readonly namespaces?: readonly string[];
  readonly labelSelector?: { readonly tier: string };
  /** Caches metadata only. */
  readonly metadata?: true;
}

/** These objects as options of an informer. */
type Selection = { readonly [Key in 'namespaces' | 'labelSelector']: Shape[Key] | undefined };

/** An informer with a record of its events and errors. */
export class Follower {
  readonly name: string;
  readonly kind: LoadKind;
  readonly history: History<Seen>;
  readonly errors: { readonly error: unknown; readonly context: InformerErrorContext }[] = [];
  readonly relists: RelistReason[] = [];
  readonly #shape: Shape;
  readonly #informer: AnyInformer;

  constructor(kind: LoadKind, shape: Shape, informer: AnyInformer) {
    this.name = `${kind.kind} ${shape.name}`;
    this.kind = kind;
    this.#shape = shape;
    this.#informer = informer;
    this.history = new History({ mayReturn: shape.labelSelector !== undefined });
    informer.handle(this.history);
    informer.on('error', (error, context) => this.errors.push({ error, context }));
    informer.on('relist', ({ reason }) => this.relists.push(reason));
  }

  /** Keys of the parts that have separate requests. */
  get parts(): readonly string[] {
    return this.#shape.namespaces ?? [''];
  }

  get stored(): readonly Seen[] {
    return this.#informer.lister.list();
  }

  /** Number of events that were skipped because they contain no newer state. */
  get stale(): number {
    return this.#informer.stats().stale;
  }

  selects({
    metadata: { namespace = '', labels },
  }: {
    readonly metadata: Pick<Seen['metadata'], 'namespace' | 'labels'>;
  }): boolean {
    const { namespaces = [namespace], labelSelector } = this.#shape;
    return (
      namespaces.includes(namespace) &&
      (labelSelector === undefined || labels?.['tier'] === labelSelector.tier)
    );
  }

  /** Waits until store and handlers have the state of the server, and verifies the recorded events. */
  async agree(env: Env, logs: readonly Log[], complete: boolean): Promise<void> {
    const { items } = await env.direct.resource(this.kind.resource).list();
    const expected = items.filter((object) => this.selects(object)).map((object) => this.#part(object));
    const agree = (): void => {
      expect(differences(this.stored, expected), `the store of ${this.name}`).toEqual([]);
      expect(differences(this.history.live, expected), `events of ${this.name}`).toEqual([]);
    };
    await vi.waitFor(agree, deadline);
    expect(this.history.problems, this.name).toEqual([]);
    for (const log of logs) if (log.kind === this.kind) this.#compare(log, complete);
  }

  #part(object: Seen): Seen {
    return this.#shape.metadata ? { metadata: object.metadata } : object;
  }

  /**
   * Verifies that every delivered state was written and, if `complete`, that every written state was
   * delivered.
   */
  #compare(log: Log, complete: boolean): void {
    const states = [...this.history.states].filter(([, { metadata }]) => log.states.has(metadata.uid));
    const known = new Map([...log.states.values()].flat().map((object) => [versionOf(object), object]));
    for (const [version, object] of states) {
      const written = known.get(version);
      if (written === undefined) throw new Error(`${this.name} received ${version}, which was never written`);
      expect(withoutManagedFields(object)).toEqual(withoutManagedFields(this.#part(written)));
    }
    if (!complete) return;
    const delivered = new Set(states.map(([version]) => version));
    const missed = log
      .versions((object) => this.selects(object))
      .filter((version) => !delivered.has(version));
    expect(missed, `events that ${this.name} missed`).toEqual([]);
  }
}

type AnyInformer = Pick<
  Informer<KubernetesObject, { list(): readonly Stored<KubernetesObject>[] }>,
  'on' | 'lister' | 'handle' | 'stats'
>;

export interface FollowOptions {
  /** Configuration of the server, with the address of a proxy. */
  readonly config: ClusterConfig;
  readonly streaming: boolean;
  /** Factor by which the clock of the informers is faster than real time. */
  readonly speed: number;
  readonly random: () => number;
  /** Both namespaces that one of the shapes watches. */
  readonly namespaces: readonly string[];
  readonly kinds?: readonly LoadKind[];
}

/** Informers of all shapes on one client. */
export class Followers {
  readonly all: readonly Follower[];
  /** Identifies their requests in the audit log. */
  readonly userAgent = `kgen-informers-${randomBytes(5).toString('hex')}`;
  readonly #factory: InformerFactory;

  constructor(options: FollowOptions, finished: Finished) {
    const clientset = new Clientset(options.config, { userAgent: this.userAgent });
    const environment = faster(options.speed, options.random);
    this.#factory = new InformerFactory(clientset, { streaming: options.streaming, environment });
    const custom = new CustomInformers(this.#factory);
    const shapes: readonly Shape[] = [
      { name: 'everywhere' },
      { name: 'in two namespaces', namespaces: options.namespaces.slice(0, 2) },
      { name: 'with a label', labelSelector: { tier: 'web' } },
      { name: 'as metadata', metadata: true },
    ];
    const make = {
      [configMaps.kind]: (own: Selection) => this.#factory.coreV1.configMaps(own),
      [myApps.kind]: (own: Selection) => custom.myV1.myApps(own),
    };
    this.all = (options.kinds ?? [configMaps, myApps]).flatMap((kind) =>
      shapes.map((shape) => {
        const { namespaces, labelSelector, metadata } = shape;
        const informer = metadata
          ? this.#factory.metadataOf(kind.resource)
          : make[kind.kind]?.({ namespaces, labelSelector });
        if (informer === undefined) throw new Error(`no informer of ${kind.kind}`);
        return new Follower(kind, shape, informer);
      }),
    );
    finished(async () => {
      await this.#factory.stop();
      await clientset.close();
    });
  }

  /** Starts the informers, and resolves when all are synced. */
  async sync(): Promise<void> {
    await this.#factory.start();
    await this.#factory.waitForSync({ timeoutMs: 20 * 60_000 });
  }

  /** Waits until all have the state of the server, and verifies the recorded events: see `Follower`. */
  async agree(env: Env, logs: readonly Log[], { complete }: { readonly complete: boolean }): Promise<void> {
    for (const follower of this.all) await follower.agree(env, logs, complete);
  }
}
