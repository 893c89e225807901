/** Actions of the page of `kgen dev` on its cluster and operator, and the test that repeats them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { type ObjectIdentity, ObjectsClient } from '@kgen/runtime/dynamic';
import { dumpYaml } from '@kgen/runtime/yaml';
import { type Json, object, own, text as textAt } from '@kgen/schema/values/json';
import type { ServerSnapshot, WatchHold } from '@kgen/testserver';
import { servedTypes } from '@kgen/testserver/internal/resources/catalog';
import type { ObservedServer } from '@kgen/testserver/internal/server/testserver';
import type { ActionResult, PlaySample, PlayState } from 'kgen/commands';
import { loadSampler } from '../../../samples/sampler.ts';
import { customResources } from '../../custom-samples.ts';
import { type Fields, integer, oneOf, optionalText, text, type ValuesOf, valuesOf } from './action.ts';
import type { ClusterRecording } from './cluster-recording.ts';
import { expectedObjects } from './expected.ts';
import { literalOf } from './literals.ts';
import { type Done, ObjectActions, RefusedAction, scalePathOf } from './objects.ts';
import { testText } from './test-text.ts';

/** The operator of `kgen dev`. */
export interface PlayedOperator {
  readonly isRunning: boolean;
  /** Ends the program, and starts it with the present sources. */
  restart(): Promise<void>;
  /** Ends the program without its cooperation. It does not start again by itself. */
  kill(): Promise<void>;
}

/** Parts of the cluster of a project. */
export interface PlayOptions {
  /** Folder of the project. */
  readonly cwd: string;
  readonly observed: ObservedServer;
  readonly recording: ClusterRecording;
  readonly operator: PlayedOperator;
}

/** Performs one kind of actions. */
interface Performer {
  perform(action: object): Promise<Done>;
}

/** Performs the actions one after the other, and keeps the code of those that have succeeded. */
export class Play {
  readonly #options: PlayOptions;
  readonly #objects: ObjectActions;
  readonly #rest: RESTClient;
  #steps: string[] = [];
  readonly #snapshots = new Map<string, { readonly variable: string; readonly snapshot: ServerSnapshot }>();
  readonly #holds: { readonly variable: string; readonly hold: WatchHold }[] = [];
  readonly #performers: ReadonlyMap<string, Performer>;
  /** Number of variables in the code. */
  #variables = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PlayOptions) {
    const { server, store } = options.observed;
    this.#options = options;
    const client = { transport: server.transport, userAgent: 'kgen-page', fieldManager: 'kgen-page' };
    this.#rest = new RESTClient(server.admin, { transport: server.transport, userAgent: 'kgen-page' });
    this.#objects = new ObjectActions(new ObjectsClient(server.admin, client), store);
    this.#performers = new Map([
      ...this.#queries(),
      ...this.#ofObjects(),
      ...this.#ofServer(),
      ...this.#ofOperator(),
    ]);
  }

  /** Performs an action, which is any value. Never rejects. */
  act(action: unknown): Promise<ActionResult> {
    const result = this.#last.then(() => this.#perform(action));
    this.#last = result;
    return result;
  }

  /** Never rejects. */
  async #perform(action: unknown): Promise<ActionResult> {
    try {
      const type: unknown =
        typeof action === 'object' && action !== null ? Reflect.get(action, 'type') : undefined;
      const performer = this.#performers.get(String(type));
      if (performer === undefined || !isObjectValue(action)) throw new RefusedAction('the action is unknown');
      const { message, code, value } = await performer.perform(action);
      if (code !== undefined) this.#steps.push(code);
      return {
        isDone: true,
        message,
        ...(code !== undefined && { code }),
        ...(value !== undefined && { value }),
      };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { isDone: false, message, errors: error instanceof RefusedAction ? error.errors : [] };
    }
  }

  #queries(): readonly (readonly [string, Performer])[] {
    return [
      performer('state', {}, async () => ({ message: '', value: this.#state() })),
      performer('schema', { apiVersion: text, kind: text }, async (of) => ({
        ...{ message: '', value: await this.#schemaOf(of) },
      })),
      performer('sample', { apiVersion: text, kind: text }, async (of) => ({
        ...{ message: '', value: await this.#sampleOf(of) },
      })),
      performer('test', {}, async () => ({ message: 'the test is copied', value: this.#test() })),
      performer('clear', {}, async () => {
        this.#steps = [...this.#objects.recreation()];
        // The code of a later action would refer to variables of removed steps.
        for (const { hold } of this.#holds.splice(0)) hold.release();
        this.#snapshots.clear();
        return { message: 'the test begins with the present objects; snapshots and holds have ended' };
      }),
    ];
  }

  #ofObjects(): readonly (readonly [string, Performer])[] {
    const identity = { apiVersion: text, kind: text, namespace: optionalText, name: text };
    const policy = oneOf('Background', 'Foreground', 'Orphan');
    const objects = this.#objects;
    return [
      performer('create', { yaml: text }, ({ yaml }) => objects.create(yaml)),
      performer('update', { base: text, yaml: text }, ({ base, yaml }) => objects.update(base, yaml)),
      performer('delete', { ...identity, policy }, (of) => objects.delete(identityOf(of), of.policy)),
      performer('scale', { ...identity, replicas: integer(0, 1_000_000) }, (of) =>
        objects.scale(identityOf(of), of.replicas),
      ),
    ];
  }

  #ofServer(): readonly (readonly [string, Performer])[] {
    const { server, user } = this.#options.observed;
    const fault = {
      ...{ verb: optionalText, resource: optionalText, times: integer(1, 1_000) },
      effect: oneOf('409', '429', '500', '503', '403', '404', '410', 'before', 'after'),
    };
    return [
      performer('failNext', fault, async ({ verb, resource, times, effect }) => {
        const match = { user, ...(verb !== '' && { verb }), ...(resource !== '' && { resource }) };
        const isCut = effect === 'before' || effect === 'after';
        const result = isCut ? { cut: effect } : { status: Number(effect) };
        const options = { ...result, ...(times > 1 && { times }), match };
        server.faults.failNext(options);
        const code = `server.faults.failNext(${literalOf(options)});`;
        return { message: `the next ${times === 1 ? 'request fails' : `${times} requests fail`}`, code };
      }),
      performer('clearFaults', {}, async () => {
        server.faults.clear();
        return { message: 'no request fails', code: 'server.faults.clear();' };
      }),
      performer('advanceTime', { ms: integer(1, 366 * 86_400_000) }, async ({ ms }) => {
        await server.time.advance(ms);
        return {
          message: `advanced the time of the server by ${ms / 1_000} s`,
          code: `await server.time.advance(${ms});`,
        };
      }),
      ...this.#ofWatches(),
      ...this.#ofSnapshots(),
    ];
  }

  #ofWatches(): readonly (readonly [string, Performer])[] {
    const { server, user } = this.#options.observed;
    const watches = { resource: optionalText };
    return [
      performer('cutWatches', watches, async ({ resource }) => {
        const match = { user, ...(resource !== '' && { resource }) };
        const count = server.faults.cutWatches(match);
        return { message: `cut ${count} watches`, code: `server.faults.cutWatches(${literalOf(match)});` };
      }),
      performer('holdWatches', watches, async ({ resource }) => {
        const match = { user, ...(resource !== '' && { resource }) };
        const variable = this.#variable('hold');
        this.#holds.push({ variable, hold: server.hold(match) });
        return {
          message: 'the operator receives no events',
          code: `const ${variable} = server.hold(${literalOf(match)});`,
        };
      }),
      performer('releaseWatches', {}, async () => {
        const released = this.#holds.splice(0);
        for (const { hold } of released) hold.release();
        const code = released.map(({ variable }) => `${variable}.release();`).join('\n');
        return { message: 'the operator receives all events', ...(code !== '' && { code }) };
      }),
    ];
  }

  #ofSnapshots(): readonly (readonly [string, Performer])[] {
    const { observed, recording } = this.#options;
    const { server, store } = observed;
    return [
      performer('takeSnapshot', { name: text }, async ({ name }) => {
        const variable = this.#variable('snapshot');
        this.#snapshots.delete(name);
        this.#snapshots.set(name, { variable, snapshot: server.snapshot() });
        return { message: `took the snapshot ${name}`, code: `const ${variable} = server.snapshot();` };
      }),
      performer('restoreSnapshot', { name: text }, async ({ name }) => {
        const found = this.#snapshots.get(name);
        if (found === undefined) throw new RefusedAction(`the snapshot ${name} does not exist`);
        const before = store.content();
        server.restore(found.snapshot);
        recording.restored(before, store.content());
        return { message: `restored the snapshot ${name}`, code: `server.restore(${found.variable});` };
      }),
    ];
  }

  #ofOperator(): readonly (readonly [string, Performer])[] {
    const { operator } = this.#options;
    return [
      performer('restart', {}, async () => {
        await operator.restart();
        return { message: 'the operator has started again', code: 'await end();\nstart();' };
      }),
      performer('kill', {}, async () => {
        if (!operator.isRunning) throw new RefusedAction('the operator does not run');
        await operator.kill();
        return {
          message: 'killed the operator: it starts with Restart, or the next change',
          code: 'await end(); // SIGKILL',
        };
      }),
    ];
  }

  #variable(name: string): string {
    this.#variables += 1;
    return `${name}${this.#variables}`;
  }

  #state(): PlayState {
    const { cwd, observed, operator } = this.#options;
    const kinds = servedTypes(observed.store).map((type) => ({
      ...{ apiVersion: type.apiVersion, kind: type.kind, group: type.group, resource: type.plural },
      ...{ isCustom: type.strategy === 'custom', isScalable: scalePathOf(type) !== undefined },
    }));
    return {
      isRunning: operator.isRunning,
      kinds: kinds.sort((one, other) => Number(other.isCustom) - Number(one.isCustom)),
      samples: samplesIn(cwd),
      snapshots: [...this.#snapshots.keys()],
      holds: this.#holds.length,
      steps: [...this.#steps],
    };
  }

  /** Returns the schemas of the group and version of a kind, and the name of its own. */
  async #schemaOf({ apiVersion, kind }: KindName): Promise<object> {
    const path = `/openapi/v3/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
    // seam: the server is that of this process, which sends JSON.
    const document = (await this.#rest.get(path)) as Json;
    const schemas = object(document, 'components', 'schemas');
    const names = Object.keys(schemas).filter((name) => {
      const kinds = own(schemas[name], 'x-kubernetes-group-version-kind');
      return Array.isArray(kinds) && kinds.some((each: Json) => textAt(each, 'kind') === kind);
    });
    if (names[0] === undefined) throw new RefusedAction(`${kind} has no schema`);
    return { root: names[0], schemas };
  }

  /** Returns a valid object of a kind of the project. */
  async #sampleOf({ apiVersion, kind }: KindName): Promise<string> {
    const found = customResources(this.#options.observed.store).find(
      (each) =>
        each.kind === kind &&
        [each.group, each.version].filter((part) => part !== '').join('/') === apiVersion,
    );
    if (found === undefined)
      return dumpYaml({ apiVersion, kind, metadata: { name: kind.toLowerCase(), namespace: 'default' } });
    const sampler = await loadSampler(found, { namespace: 'default' });
    return dumpYaml(sampler.sample());
  }

  #test(): string {
    const { cwd, observed } = this.#options;
    const { store, server, user } = observed;
    return testText({
      crds: ['config/crd', 'external'].filter((path) => existsSync(join(cwd, path))),
      hasAccount: existsSync(join(cwd, 'config/rbac')),
      hasSamples: samplesIn(cwd).length > 0,
      steps: this.#steps.map((code) => ({ code })),
      expected: expectedObjects(store, server.requests, user),
    });
  }
}

interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns an action by its name, which validates its members before it is performed. */
function performer<F extends Fields>(
  name: string,
  fields: F,
  perform: (values: ValuesOf<F>) => Promise<Done>,
): readonly [string, Performer] {
  const validated = async (action: object): Promise<Done> => {
    const values = valuesOf(fields, action);
    if (typeof values === 'string') throw new RefusedAction(`${name}: ${values} is missing or invalid`);
    return perform(values);
  };
  return [name, { perform: validated }];
}

function isObjectValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function identityOf({ apiVersion, kind, namespace, name }: KindName & Identity): ObjectIdentity {
  return { apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } };
}

interface Identity {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the samples of a project. */
function samplesIn(cwd: string): readonly PlaySample[] {
  const folder = join(cwd, 'samples');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  return names.map((name) => ({ name, yaml: readFileSync(join(folder, name), 'utf8') }));
}
