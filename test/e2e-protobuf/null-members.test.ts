/** Members that a real server writes as `null` are typed with `null`, and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '@kgen/kubernetes/protobuf';
import { beforeAll, expect, it } from 'vitest';
import { fieldTable } from '../../src/kgen/protobuf/table.ts';
import { isNullIfZero } from '../../src/kgen/protobuf/written-nulls.ts';
import { parts } from '../support/built-in-samples/partial.ts';
import { repository } from '../support/emitted.ts';
import { differences } from './differences.ts';
import { type Env, everything, onServer } from './env.ts';
import { json, parsed, protobuf } from './raw-client.ts';
import type { Served } from './served-resources.ts';
import { type Home, specimen } from './specimens.ts';
import { virtualKinds } from './virtual-kinds.ts';

type Tree = { [member: string]: unknown };

/** A member of an object whose zero value is `null`. */
interface Place {
  /** `core/v1.PodCondition.lastProbeTime` */
  readonly member: string;
  readonly path: readonly (string | number)[];
}

const table = fieldTable();

onServer('null in responses of a real server', { apiServerFlags: everything }, (env) => {
  /** Members that were null in a response. */
  const nulls = new Set<string>();
  /** Members without which an object was refused, or which the server set. */
  const settled = new Set<string>();
  const unequal: string[] = [];

  beforeAll(async () => {
    const home = await env.home();
    const trials = new Trials(env, home, { nulls, settled, unequal });
    for (const served of env.served) await trials.samples(served);
    for (const { key, ...part } of parts) await trials.part(key, part);
    await trials.event();
    await trials.reviews();
  }, 120_000);

  it('is typed for the members for which the server writes it', () => {
    const untyped = [...nulls].filter((member) => typeOf(member)?.includes('| null') === false);
    expect(untyped).toEqual([]);
    expect(nulls.size).toBeGreaterThan(50);
  });

  it('is typed for no member that the server requires or sets', () => {
    const typed = [...settled].filter((member) => typeOf(member)?.includes('| null') === true);
    expect(typed.filter((member) => !nulls.has(member))).toEqual([]);
  });

  it('is tried for every member of a type whose zero value it is', () => {
    const tried = new Set([...nulls, ...settled]);
    const members = [...table.messages.keys()].flatMap(candidatesOf).filter((member) => typeOf(member));
    // Lists are empty if they have no items.
    const all = members.filter((member) => !member.endsWith('List.items'));
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((member) => !tried.has(member)).sort()).toEqual([...untried].sort());
  });

  it('is decoded equally from JSON and protobuf', () => {
    expect(unequal).toEqual([]);
  });
});

/** Members of types that no object of a client contains: documents of discovery, watch events, parameters. */
const untried: readonly string[] = [
  'core/v1.PodExecOptions.command',
  'meta/v1.APIGroup.versions',
  'meta/v1.APIGroupList.groups',
  'meta/v1.APIResource.verbs',
  'meta/v1.APIResourceList.resources',
  'meta/v1.APIVersions.serverAddressByClientCIDRs',
  'meta/v1.APIVersions.versions',
  'meta/v1.WatchEvent.object',
];

/** Results of trials. */
interface Findings {
  readonly nulls: Set<string>;
  readonly settled: Set<string>;
  readonly unequal: string[];
}

/** Sends objects without one of the members. */
class Trials {
  readonly #env: Env;
  readonly #home: Home;
  readonly #found: Findings;

  constructor(env: Env, home: Home, found: Findings) {
    this.#env = env;
    this.#home = home;
    this.#found = found;
  }

  /** Creates the sample of a kind in dry runs, without one member in each. */
  async samples(served: Served): Promise<void> {
    const one = specimen(served, this.#home);
    if (one === undefined || !served.verbs.includes('create')) return;
    const path = `${one.collection}?dryRun=All`;
    for (const place of placesIn(served, one.object)) {
      const object = structuredClone(one.object);
      delete treeAt(object, place.path.slice(0, -1))?.[place.path.at(-1) ?? ''];
      await this.#send(served, { method: 'POST', path }, object, place.member);
    }
  }

  /** Creates an object with a part of its own, or writes the status of a sample. */
  async part(
    key: string,
    { spec, status }: { readonly spec?: object; readonly status?: object },
  ): Promise<void> {
    const served = this.#env.served.find((each) => each.key === key);
    const one = served && specimen(served, this.#home);
    if (served === undefined || one === undefined) throw new Error(`${key} has no sample`);
    if (spec !== undefined) {
      await this.#send(served, { method: 'POST', path: one.collection }, { ...one.object, spec });
      return;
    }
    await this.#request({ method: 'POST', path: one.collection }, one.object);
    const path = served.subresources.has('status') ? `${one.path}/status` : one.path;
    let outcome: Outcome;
    // Controllers of the server write some statuses, too.
    do {
      const { body } = await this.#request({ method: 'GET', path: one.path });
      const written = { ...body, status: { ...Object(body['status']), ...status } };
      outcome = await this.#send(served, { method: 'PUT', path }, written);
    } while (outcome.status === 409);
  }

  /** Reads an event of core/v1 in events.k8s.io/v1. */
  async event(): Promise<void> {
    const { namespace } = this.#home;
    const metadata = { name: 'partial', namespace };
    const object = { metadata, involvedObject: { namespace }, reason: 'Tried', series: { count: 1 } };
    await this.#request({ method: 'POST', path: `/api/v1/namespaces/${namespace}/events` }, object);
    const served = this.#env.served.find(({ key }) => key === 'events.k8s.io/v1/Event');
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events/partial`;
    if (served !== undefined) await this.#send(served, { method: 'GET', path });
  }

  /** Creates objects that are never stored. */
  async reviews(): Promise<void> {
    const { raw, served } = this.#env;
    for (const kind of served) {
      const made = await virtualKinds.get(kind.key)?.(raw, this.#home);
      if (made !== undefined) await this.#send(kind, { method: 'POST', path: made.path }, made.object);
    }
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };
    const path = `/api/v1/namespaces/${this.#home.namespace}/serviceaccounts/default/token`;
    await this.#send(token, { method: 'POST', path }, { ...token, spec: {} });
  }

  /** Sends an object. `member` is the one that it lacks; without it, any may be the cause of a refusal. */
  async #send(served: Kind, request: Request, object: object = {}, member?: string): Promise<Outcome> {
    const { nulls, settled, unequal } = this.#found;
    const outcome = await this.#request(request, object);
    const { status, body } = outcome;
    if (status < 300) {
      for (const { member: found, path } of placesIn(served, body)) {
        const isNull = treeAt(body, path.slice(0, -1))?.[path.at(-1) ?? ''] === null;
        (isNull ? nulls : settled).add(found);
      }
      if (request.method === 'GET') unequal.push(...(await this.#differences(request.path, body)));
      return outcome;
    }
    const lacking = member === undefined ? placesIn(served, object) : [{ member }];
    const refused = lacking.filter((each) => String(body['message']).includes(nameOf(each.member)));
    for (const each of refused) settled.add(each.member);
    return outcome;
  }

  async #differences(path: string, body: Tree): Promise<readonly string[]> {
    return differences(await decode(await this.#env.raw.expect(protobuf, { path })), body);
  }

  async #request(request: Request, object: object = {}): Promise<Outcome> {
    const body = request.method === 'GET' ? {} : { body: JSON.stringify(object) };
    const { status, bytes } = await this.#env.raw.request({ ...request, ...body, accept: json });
    // seam: a server sends objects
    return { status, body: parsed(bytes) as Tree };
  }
}

interface Outcome {
  readonly status: number;
  readonly body: Tree;
}

type Kind = Pick<Served, 'apiVersion' | 'kind'>;

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
}

function nameOf(member: string): string {
  return member.slice(member.lastIndexOf('.') + 1);
}

function treeAt(tree: unknown, path: readonly (string | number)[]): Tree | undefined {
  // seam: the path was found in the object, or in its JSON
  return path.reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], tree) as Tree | undefined;
}

/** Returns the members of an object whose zero value is `null`, present or absent. */
function placesIn({ apiVersion, kind }: Kind, object: object): readonly Place[] {
  const found = table.kinds.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  return found === undefined ? [] : places(found.message, object, []);
}

function places(message: string, value: unknown, path: Place['path']): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const { fields = [] } = table.messages.get(message) ?? {};
  return fields.flatMap((field): readonly Place[] => {
    const { json: name, element } = field;
    const inner = 'message' in element ? element.message : undefined;
    if (name === undefined) return inner === undefined ? [] : places(inner, value, path);
    const here = [...path, name];
    const own = isNullIfZero(field) ? [{ member: `${message}.${name}`, path: here }] : [];
    const content: unknown = Object.hasOwn(value, name) ? (value as Tree)[name] : undefined;
    if (inner === undefined) return own;
    if (Array.isArray(content)) {
      return [...own, ...content.flatMap((item, index) => places(inner, item, [...here, index]))];
    }
    if (field.shape === 'map') {
      const values = Object.entries(content ?? {});
      return [...own, ...values.flatMap(([key, item]) => places(inner, item, [...here, key]))];
    }
    return [...own, ...places(inner, content, here)];
  });
}

function candidatesOf(message: string): readonly string[] {
  const { fields = [] } = table.messages.get(message) ?? {};
  return fields.filter(isNullIfZero).map(({ json: name }) => `${message}.${name}`);
}

const files = new Map<string, string>();

/** Returns the generated type of a member; `undefined` if its message has none of its own. */
function typeOf(member: string): string | undefined {
  const [, home = '', message = '', name = ''] = /^(.*\/[^.]*)\.(\w+)\.(\w+)$/.exec(member) ?? [];
  const text = files.get(home) ?? textOf(home);
  files.set(home, text);
  const [, body = ''] =
    new RegExp(`export interface ${message} (?:extends [^{]*)?\\{([^]*?)\n\\}`).exec(text) ?? [];
  return new RegExp(`\n  ${name}\\??: (.*);`).exec(body)?.[1];
}

function textOf(home: string): string {
  try {
    return readFileSync(join(repository, 'generated/kubernetes', home, 'types.ts'), 'utf8');
  } catch {
    return '';
  }
}
