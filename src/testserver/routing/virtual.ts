/** Registry of handlers of resources that are computed and not stored. */
import type { JsonObject } from '@kgen/schema/values/json';
import { array, object, putAt, text } from '@kgen/schema/values/json';
import { reviewOf } from '../access/reviews.ts';
import type { Context } from '../call/context.ts';
import { clusterOf } from '../call/context.ts';
import { writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { checkBody } from '../decoding/admit.ts';
import { decodeBody, withKind } from '../decoding/decode.ts';
import { badRequest, conflict, methodNotAllowed, notFound, notImplemented } from '../errors/failures.ts';
import { created, Failure } from '../errors/status.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { checkNamespace } from '../verbs/create.ts';
import { checkUid, replaceObject, writeCurrent } from '../verbs/update.ts';
import { evict } from './evictions.ts';

/** Handles the requests to a resource or a subresource that stores nothing of its own. */
export type VirtualHandler = (context: Context) => Verb<ApiResponse>;

/**
 * Handlers by storage key, or by storage key and subresource: `tokenreviews.authentication.k8s.io`,
 * `pods/binding`.
 */
const handlers: ReadonlyMap<string, VirtualHandler> = new Map([
  ['bindings', onlyCreate(bindNamed)],
  ['pods/binding', onlyCreate(bind)],
  ['pods/eviction', onlyCreate(evict)],
  ['componentstatuses', componentStatuses],
]);

/** Returns the handler of a request, or `undefined` if the store handles it. */
export function virtualHandler(context: Context): VirtualHandler | undefined {
  const { type, subresource } = context;
  if (reviewOf(type.storage) !== undefined || subresource === 'token') return undefined;
  const found = handlers.get(subresource === '' ? type.storage : `${type.storage}/${subresource}`);
  if (found !== undefined) return found;
  const part = type.subresources?.find(({ name }) => name === subresource);
  if (part?.connects === true || (subresource !== '' && part !== undefined && !part.verbs.includes('update')))
    return unsupported;
  const isStored = type.verbs.includes('delete') || type.strategy !== 'builtin';
  return isStored ? undefined : unsupported;
}

function unsupported({ type, subresource }: Context): never {
  throw notImplemented(subresource === '' ? type.plural : `${type.plural}/${subresource}`);
}

function onlyCreate(handler: VirtualHandler): VirtualHandler {
  return function* (context) {
    if (context.request.method !== 'POST') throw methodNotAllowed(context.type);
    return yield* handler(context);
  };
}

function* bindNamed(context: Context): Verb<ApiResponse> {
  const binding = readBinding(context);
  const name = text(binding, 'metadata', 'name');
  return yield* bindTo({ ...context, name, type: { ...context.type, plural: 'pods' } }, binding);
}

function* bind(context: Context): Verb<ApiResponse> {
  const binding = readBinding(context);
  if (text(binding, 'metadata', 'name') !== context.name)
    throw badRequest('name in URL does not match name in Binding object');
  return yield* bindTo(context, binding);
}

function readBinding(context: Context): JsonObject {
  const sent = decodeBody(context.request, bindingType.kind);
  const binding = withKind(sent, bindingType);
  checkBody(context, sent, bindingType, writeOptions(context, 'CreateOptions'));
  return checkNamespace(context, binding);
}

const bindingType = {
  strategy: 'builtin',
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'Binding',
} as const;

/** Assigns a pod to a node, as the scheduler does. */
function* bindTo(context: Context, binding: JsonObject): Verb<ApiResponse> {
  const options = writeOptions(context, 'CreateOptions');
  const pods = { ...context, subresource: 'binding' };
  const node = text(binding, 'target', 'name');
  checkTarget(text(binding, 'target', 'kind'), node);
  yield* writeCurrent(pods, (current) => {
    checkUid(pods, binding, current.value);
    const taken = text(current.value, 'spec', 'nodeName');
    const why = `pod ${context.name} is already assigned to node ${JSON.stringify(taken)}`;
    if (taken !== '') throw conflict({ group: '', plural: 'pods/binding' }, context.name, why);
    const scheduled = {
      type: 'PodScheduled',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: clusterOf(context, options).now(),
    };
    const others = array(current.value, 'status', 'conditions').filter(
      (item) => text(item, 'type') !== 'PodScheduled',
    );
    const assigned = putAt(current.value, ['spec', 'nodeName'], node);
    const annotations = object(binding, 'metadata', 'annotations');
    const annotated =
      Object.keys(annotations).length === 0
        ? assigned
        : putAt(assigned, ['metadata', 'annotations'], {
            ...object(assigned, 'metadata', 'annotations'),
            ...annotations,
          });
    const next = putAt(annotated, ['status', 'conditions'], [...others, scheduled]);
    return replaceObject(pods, current, next, options, (value) => value);
  });
  return json(201, created, [...context.warnings]);
}

/** @throws {Failure} 500, as a real server responds to a target that is not a node */
function checkTarget(kind: string, name: string): void {
  const problems = [
    ...(['', 'Node'].includes(kind)
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ];
  const message = problems.length > 1 ? `[${problems.join(', ')}]` : problems.join('');
  if (problems.length > 0) throw new Failure({ code: 500, message });
}

/** Components of the control plane, which this server comprises. */
const components = ['controller-manager', 'etcd-0', 'scheduler'];

/** Handles reads of the components. */
// biome-ignore lint/correctness/useYield: a handler is a verb, although this one waits for nothing.
function* componentStatuses(context: Context): Verb<ApiResponse> {
  if (context.request.method !== 'GET') throw methodNotAllowed(context.type);
  const { name, type } = context;
  const kind = { apiVersion: 'v1', kind: 'ComponentStatus' };
  if (name !== '' && !components.includes(name)) throw notFound(type, name);
  const list = {
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: {},
    items: components.map(statusOfComponent),
  };
  return json(200, name === '' ? list : { ...kind, ...statusOfComponent(name) }, [...context.warnings]);
}

function statusOfComponent(name: string): JsonObject {
  const condition = { type: 'Healthy', status: 'True', message: 'ok' };
  return { metadata: { name, creationTimestamp: null }, conditions: [condition] };
}
