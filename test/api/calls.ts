/** Calls every method of a generated output and records the requests of each call. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import type { ConnectResource } from '@kgen/runtime/client';
import { connectRequest } from '@kgen/runtime/client';
import type { APIRequest } from '@kgen/runtime/rest';
import { argumentOf, namespace, objectName, optionOf, pathValues, restOfPath } from './arguments.ts';
import type { Operation } from './operations.ts';
import type { Client, Connection, Method, OutputApi } from './output-api.ts';
import { Recorder } from './recorder.ts';

/** One call of one method. */
export interface Call {
  /** Called method: `coreV1.pods(namespace)`, `core/v1 podExec`, `RESTClient`. */
  readonly of: string;
  readonly method: string;
  /** Every option of the call that is sent to the server, by name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly requests: readonly APIRequest[];
}

/** The modules of an output, by the path of their folder; `''` is its root. */
export type Modules = (folder: string) => Promise<object>;

const config: ClusterConfig = { server: 'https://server.invalid', namespace: 'default' };

/** Streams of pods, which need a server that changes the protocol: `test/streams`. */
const streaming: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'execText',
  'portForward',
  'portForwardStream',
]);

/** Makes every call: with all options, without options, and with every type of patch. */
export async function callAll(output: OutputApi, modules: Modules): Promise<readonly Call[]> {
  const recorder = new Recorder();
  const rest = new RESTClient(config, { transport: recorder.transport, fieldManager: 'client' });
  const Clientset: unknown = Reflect.get(await modules(''), 'Clientset');
  if (typeof Clientset !== 'function') throw new Error('the output exports no class Clientset');
  const clientset = Reflect.construct(Clientset, [rest]);
  const calls: Call[] = [];
  for (const client of output.clients) {
    const target = clientOf(clientset, client);
    for (const method of client.methods.filter(({ name }) => !streaming.has(name)))
      calls.push(...(await callMethod(client, method, { target, recorder })));
  }
  for (const connection of output.connections) {
    calls.push(...(await connect(connection, modules, { rest, recorder })));
  }
  return calls;
}

function clientOf(clientset: object, { groupVersion, accessor, takesNamespace }: Client): object {
  return invoked(member(clientset, groupVersion), accessor, takesNamespace ? [namespace] : []);
}

function member(target: object, name: string): object {
  const value: unknown = Reflect.get(target, name);
  if (typeof value !== 'object' || value === null) throw new Error(`${name} does not exist at run time`);
  return value;
}

/** Calls a method, which returns an object: a client, a promise or an async iterable. */
function invoked(target: object, name: string, args: readonly unknown[]): object {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== 'function') throw new Error(`${name}() does not exist at run time`);
  const result: unknown = Reflect.apply(method, target, args);
  if (typeof result !== 'object' || result === null) throw new Error(`${name}() returned no object`);
  return result;
}

interface Place {
  readonly target: object;
  readonly recorder: Recorder;
}

async function callMethod(
  client: Client,
  method: Method,
  { target, recorder }: Place,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for (const { options, patchType } of variantsOf(method)) {
    const args = method.parameters.map((name) => argumentOf(name, patchType));
    await named(`${client.name}.${method.name}`, () =>
      settled(invoked(target, method.name, [...args, options])),
    );
    const { type: _, ...sent } = options ?? {};
    calls.push({ of: client.name, method: method.name, options: sent, requests: recorder.take() });
  }
  return calls;
}

/** Adds the name of the called method to the message of an error. */
async function named(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}: ${why}`, { cause });
  }
}

interface Variant {
  readonly options: Readonly<Record<string, unknown>> | undefined;
  readonly patchType?: string;
}

/** Returns the variants of a call. `dryRun` ends waiting methods early, so each is also called without it. */
function variantsOf(method: Method): readonly Variant[] {
  if (method.takesOptions === 'no') return [{ options: undefined }];
  const all = optionsOf(method.options);
  if (method.patchTypes.length > 0) {
    const typed = method.patchTypes.map((type) => ({ options: { ...all, type }, patchType: type }));
    return [{ options: undefined }, ...typed];
  }
  const few = method.takesOptions === 'required' ? optionsOf(['fieldManager']) : undefined;
  return [{ options: few }, { options: all }];
}

function optionsOf(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, optionOf(name)]));
}

/** Awaits a promise; reads an async iterable up to its first item or its end. */
async function settled(result: object): Promise<void> {
  if (!(Symbol.asyncIterator in result)) {
    await result;
    return;
  }
  // seam: the symbol marks an async iterable
  for await (const _ of result as AsyncIterable<unknown>) break;
}

interface Wire {
  readonly rest: RESTClient;
  readonly recorder: Recorder;
}

/** Connects with every method of a descriptor, with and without the optional rest of the path. */
async function connect(
  { folder, name, options }: Connection,
  modules: Modules,
  { rest, recorder }: Wire,
): Promise<readonly Call[]> {
  // seam: the declarations state that it is a descriptor
  const descriptor = member(await modules(folder), name) as ConnectResource<object>;
  const { scope, methods, path } = descriptor;
  const target = { name: objectName, ...(scope === 'Namespaced' && { namespace }) };
  const targets = path ? [target, { ...target, path: restOfPath }] : [target];
  const all = optionsOf(options);
  const calls: Call[] = [];
  for (const method of methods) {
    for (const to of targets) {
      const chosen = method as APIRequest['method']; // seam: connectRequest rejects an unknown one
      await rest.stream(connectRequest(descriptor, { ...to, method: chosen }, all));
      calls.push({ of: `${folder} ${name}`, method: 'connect', options: all, requests: recorder.take() });
    }
  }
  return calls;
}

/** Requests paths that are not resources, by their templates. */
export async function callPaths(operations: readonly Operation[]): Promise<readonly Call[]> {
  const recorder = new Recorder();
  const rest = new RESTClient(config, { transport: recorder.transport, fieldManager: 'client' });
  const calls: Call[] = [];
  for (const { path } of operations) {
    await rest.get(path, { path: pathValues(path) });
    calls.push({ of: 'RESTClient', method: 'get', options: {}, requests: recorder.take() });
  }
  return calls;
}
