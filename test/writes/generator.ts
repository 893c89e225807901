/** Random histories. */

import { type Random, randomOf } from '../support/random.ts';
import {
  type CacheOptions,
  type Fault,
  type History,
  isFields,
  type Step,
  type Verb,
  type Write,
} from './history.ts';
import type { Fields, KindName } from './kinds.ts';

/** Returns the history of a seed. */
export function historyOf(seed: number): History {
  const random = randomOf(seed);
  const kind = random.pick<KindName>(['thing', 'thing', 'thing', 'configmap', 'deployment']);
  const fence = random.pick([...none(10), 'leader', 'shards'] as const);
  const webhook = random.pick([...none(12), 'label', 'replace', 'remove'] as const);
  const caches = random.pick(kind === 'thing' ? [...common, ...ofThings] : common);
  const world = {
    kind,
    caches,
    ...(random.chance(0.3) && { inRuns: true }),
    ...(fence !== undefined && { fence }),
    ...(webhook !== undefined && { webhook }),
  };
  return { ...world, steps: new Author(random, world).steps() };
}

const whole: CacheOptions = { cache: 'whole' };
const kept: CacheOptions = { cache: 'managedFields' };
const select: CacheOptions = { cache: 'select' };
const transform: CacheOptions = { cache: 'transform' };

type Caches = readonly CacheOptions[];

const common: readonly [Caches, ...Caches[]] = [
  [whole],
  [whole],
  [kept],
  [kept],
  [select],
  [transform],
  [whole, whole],
  [whole, kept],
  [select, kept],
  [whole, select],
  [{ cache: 'metadata' }],
  [],
];
const ofThings: readonly Caches[] = [
  [whole, { ...whole, version: 'v2' }],
  [kept, { ...kept, version: 'v2' }],
  [whole, { ...select, version: 'v2' }],
];

/** Author of the steps of one history. */
class Author {
  readonly #random: Random;
  readonly #world: Omit<History, 'steps'>;
  /** Bodies so far: repeated ones are those that may be skipped. */
  readonly #bodies: unknown[] = [];
  readonly #statuses: unknown[] = [];

  constructor(random: Random, world: Omit<History, 'steps'>) {
    this.#random = random;
    this.#world = world;
  }

  steps(): readonly Step[] {
    const count = 4 + this.#random.int(11);
    return [
      { own: { verb: 'apply', body: this.#body() } },
      ...Array.from({ length: count }, () => this.#step()),
    ];
  }

  #step(): Step {
    const random = this.#random;
    const { fence, caches } = this.#world;
    const form = random.int(100);
    if (form < 58) return this.#own();
    if (form < 76) return { other: this.#foreign() };
    if (form < 83) return random.chance(0.3) && caches.length > 1 ? holdFirst : { do: 'hold' };
    if (form < 88) return { do: 'release' };
    if (form < 91) return { do: 'deliver' };
    if (form < 93) return { do: 'relist' };
    if (form < 95) return { do: 'reconcile' };
    if (fence === undefined && form < 98) return this.#own();
    const handover = [this.#predecessor(), ...(random.chance(0.3) ? [this.#predecessor()] : [])];
    return { handover, ...(random.chance(0.6) && { lags: true }) };
  }

  #own(): Step {
    const random = this.#random;
    const fault = random.pick<Fault | undefined>([...none(14), ...faults]);
    return { own: this.#write(random.pick(this.#ownVerbs())), ...(fault !== undefined && { fault }) };
  }

  #ownVerbs(): readonly [Verb, ...Verb[]] {
    const { kind, caches } = this.#world;
    const hasStatus = kind !== 'configmap';
    const isWhole = caches.every(({ cache }) => cache === 'whole' || cache === 'managedFields');
    return [
      ...repeat(8, 'apply'),
      ...rare,
      ...(hasStatus ? [...repeat(3, 'updateStatus'), ...ofStatus] : []),
      ...(hasStatus && isWhole && caches.length > 0 ? ofCaches : []),
      ...(kind === 'thing' ? [] : ['strategic' as const]),
    ];
  }

  #foreign(): Write {
    const random = this.#random;
    const { kind } = this.#world;
    const manager = random.pick(['other', 'other', 'another', undefined]);
    const verbs: readonly [Verb, ...Verb[]] =
      kind === 'configmap'
        ? ['apply', 'merge', 'merge', 'update', 'delete']
        : [
            'apply',
            'merge',
            'merge',
            'update',
            'delete',
            'updateStatus',
            'mergeStatus',
            'mergeStatus',
            'scale',
          ];
    return this.#write(random.pick(verbs), manager);
  }

  #predecessor(): Write {
    const verbs: readonly [Verb, ...Verb[]] =
      this.#world.kind === 'configmap' ? predecessors : [...predecessors, ...ofStatus];
    return this.#write(this.#random.pick(verbs));
  }

  #write(verb: Verb, manager?: string): Write {
    const random = this.#random;
    const content = this.#content(verb);
    const second = this.#world.kind === 'thing' && random.chance(0.15);
    const named = manager ?? (random.chance(0.06) ? 'second' : undefined);
    const resourceVersion = versioned.has(verb)
      ? random.pick([...none(6), 'cached', 'cached', 'none', 'latest', 'old'] as const)
      : undefined;
    return {
      verb,
      ...(named !== undefined && { manager: named }),
      ...(second && !ofCaches.includes(verb) && { version: 'v2' as const }),
      ...(content !== undefined && { body: content }),
      ...(resourceVersion !== undefined && (verb !== 'apply' || random.chance(0.3)) && { resourceVersion }),
      ...((verb === 'apply' || verb === 'applyStatus') && random.chance(0.15) && { force: false as const }),
    };
  }

  #content(verb: Verb): unknown {
    const random = this.#random;
    if (verb === 'delete' || verb === 'deleteCollection') return undefined;
    if (verb === 'scale' || verb === 'mergeScale') return random.int(3);
    if (verb === 'json') return this.#operations();
    if (/status|change/i.test(verb)) return this.#status(verb);
    if (verb === 'merge' || verb === 'strategic' || verb === 'streamed') return this.#patch(this.#body());
    return this.#body();
  }

  #operations(): readonly Fields[] {
    const random = this.#random;
    if (random.chance(0.1)) return [];
    if (random.chance(0.3))
      return [{ op: 'add', path: '/metadata/finalizers', value: ['twins.example.com/a'] }];
    if (random.chance(0.3)) return [{ op: 'remove', path: '/metadata/finalizers' }];
    const place = this.#world.kind === 'configmap' ? '/data' : '/spec';
    const value = this.#world.kind === 'deployment' ? random.int(3) : random.pick(words);
    const name = this.#world.kind === 'deployment' ? 'replicas' : random.pick(['a', 'b']);
    return [{ op: random.pick(['add', 'replace', 'remove']), path: `${place}/${name}`, value }];
  }

  /** Removes some of the members. */
  #patch(body: Fields): Fields {
    const random = this.#random;
    if (random.chance(0.06)) return {};
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        Object.fromEntries(
          Object.entries(value as Fields).map(([key, inner]) => [key, random.chance(0.25) ? null : inner]),
        ),
      ]),
    );
  }

  #status(verb: Verb): unknown {
    const random = this.#random;
    if (this.#statuses.length > 0 && random.chance(0.5)) return this.#again(this.#statuses);
    const part = random.chance(0.06)
      ? {}
      : partOf(random, this.#world.kind === 'thing' ? ofThing : ofDeployment, 'status');
    const annotation =
      verb !== 'mergeStatus' && random.chance(0.1) ? { metadata: { annotations: { s: '1' } } } : {};
    const status = { ...annotation, status: part };
    this.#statuses.push(status);
    return status;
  }

  #body(): Fields {
    const random = this.#random;
    if (this.#bodies.length > 0 && random.chance(0.65)) return this.#again(this.#bodies) as Fields;
    const { kind } = this.#world;
    const [parts, place] = contents[kind];
    const [old] = this.#bodies.slice(-1);
    const body = isFields(old) && random.chance(0.6) ? this.#variant(old) : this.#fresh(parts, place);
    this.#bodies.push(body);
    return body;
  }

  #fresh(parts: Parts, place: string): Fields {
    const metadata = partOf(this.#random, ofMetadata, 'metadata', 0.2);
    const content = { [place]: partOf(this.#random, parts, place) };
    return { ...content, ...(Object.keys(metadata).length > 0 && { metadata }) };
  }

  /** Returns a body with one member more or less. */
  #variant(body: Fields): Fields {
    const random = this.#random;
    const [parts, place] = contents[this.#world.kind];
    const values = parts[place] ?? {};
    const old = isFields(body[place]) ? body[place] : {};
    const names = Object.keys(random.chance(0.5) ? old : values);
    const name = names[random.int(names.length)];
    if (name === undefined) return this.#fresh(parts, place);
    const { [name]: present, ...others } = old;
    const value = present === undefined ? values[name]?.(random) : undefined;
    return { ...body, [place]: value === undefined ? others : { ...old, [name]: value } };
  }

  #again(values: readonly unknown[]): unknown {
    return values.at(-1 - this.#random.int(Math.min(values.length, 3)));
  }
}

const holdFirst: Step = { do: 'hold', only: 'first' };
const faults: readonly Fault[] = ['lost', 'delayed', 'slow', 'malformed', 'unavailable'];
const versioned: ReadonlySet<Verb> = new Set(['apply', 'update', 'updateStatus']);
const rare: readonly Verb[] = [
  'applyText',
  'create',
  'update',
  'json',
  'json',
  'merge',
  'merge',
  'streamed',
  'scale',
  'mergeScale',
  'delete',
  'deleteCollection',
];
const ofStatus: readonly Verb[] = ['applyStatus', 'applyStatus', 'updateStatus', 'mergeStatus'];
const ofCaches: readonly Verb[] = ['changeCached', 'changeReturned'];
const predecessors: readonly [Verb, ...Verb[]] = ['apply', 'apply', 'merge', 'update', 'delete'];

function none(count: number): readonly [undefined, ...undefined[]] {
  return [undefined, ...Array.from({ length: count - 1 }, () => undefined)];
}

function repeat(count: number, verb: Verb): readonly [Verb, ...Verb[]] {
  return [verb, ...Array.from({ length: count - 1 }, () => verb)];
}

type Values = Readonly<Record<string, (random: Random) => unknown>>;
type Parts = Readonly<Record<string, Values>>;

const words = ['', 'x', 'y'] as const;
const quantities = ['1', '1000m', '1024Mi', '1Gi'] as const;
const word = (random: Random): unknown => random.pick(words);
const quantity = (random: Random): unknown => random.pick(quantities);
const map = (random: Random): Fields =>
  Object.fromEntries(random.some(['k', 'l', 'sizeLimit'], 2).map((key) => [key, random.pick(quantities)]));

const ofMetadata: Parts = { metadata: { labels: map, annotations: map } };

const ofConfigMap: Parts = {
  data: { a: word, b: word, sizeLimit: quantity, limits: quantity },
};

const ofThing: Parts = {
  spec: {
    a: word,
    b: word,
    n: (random) => random.int(2) * 3,
    replicas: (random) => random.int(3),
    sizeLimit: quantity,
    limits: map,
    map,
    whole: map,
    set: (random) => random.some(['p', 'q', 'r'], 3),
    list: (random) => random.some(['p', 'q', 'r'], 3),
    keyed: (random) =>
      random.some(['p', 'q', 'r'], 3).map((name) => ({
        name,
        ...(random.chance(0.5) && { v: random.pick(words) }),
        ...(random.chance(0.3) && { w: random.pick(['d', 'e']) }),
        ...(random.chance(0.3) && { map: map(random) }),
      })),
  },
  status: {
    ready: (random) => random.int(3),
    replicas: (random) => random.int(3),
    message: word,
    conditions: (random) =>
      random.some(['Ready', 'Stalled'], 2).map((type) => ({ type, status: random.pick(['True', 'False']) })),
  },
};

const ofDeployment: Parts = {
  spec: {
    replicas: (random) => random.int(3),
    minReadySeconds: (random) => random.int(2),
    paused: (random) => random.chance(0.5),
    template: (random) => ({
      metadata: { labels: { app: 'web' }, annotations: map(random) },
      spec: {
        containers: [
          {
            name: 'web',
            image: random.pick(['x', 'y']),
            ...(random.chance(0.4) && {
              env: random.some(['p', 'q'], 2).map((name) => ({ name, value: 'v' })),
            }),
            ...(random.chance(0.4) && { resources: { limits: { cpu: random.pick(quantities) } } }),
            ...(random.chance(0.2) && { args: random.some(['p', 'q'], 2) }),
          },
        ],
        ...(random.chance(0.3) && {
          volumes: [{ name: 'tmp', emptyDir: { sizeLimit: random.pick(quantities) } }],
        }),
      },
    }),
  },
  status: {
    replicas: (random) => random.int(3),
    observedGeneration: (random) => random.int(2),
    conditions: (random) =>
      random
        .some(['Available', 'Progressing'], 2)
        .map((type) => ({ type, status: random.pick(['True', 'False']) })),
  },
};

/** Values of the main part of each kind. */
const contents: Readonly<Record<KindName, readonly [Parts, string]>> = {
  thing: [ofThing, 'spec'],
  configmap: [ofConfigMap, 'data'],
  deployment: [ofDeployment, 'spec'],
};

function partOf(random: Random, parts: Parts, part: string, probability = 0.35): Fields {
  return Object.fromEntries(
    Object.entries(parts[part] ?? {}).flatMap(([name, create]) =>
      random.chance(probability) ? [[name, create(random)]] : [],
    ),
  );
}
