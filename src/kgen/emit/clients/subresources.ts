/**
 * Subresources: the interfaces that clients extend for them, and descriptors of connect subresources such as
 * exec.
 */
import type { Connect, GroupVersion, Subresource, SubresourceBody, Verb } from '../../model/ir.ts';
import { comment } from '../text/docs.ts';
import { literal, propertyName, quoted, quotedUnion, stringArray } from '../text/literals.ts';
import type { Constant } from '../text/module.ts';
import { folder } from '../text/paths.ts';
import { typeText } from '../text/schema-text.ts';
import type { RuntimeTypeName, StreamTypeName } from '../text/symbols.ts';
import { tags } from './resource-docs.ts';
import type { ResourceContext } from './scope.ts';

/** A subresource that has an interface of its own. */
interface Known {
  readonly is: SubresourceBody['is'];
  /** The exact set of verbs. With other verbs, the subresource does not use the interface. */
  readonly verbs: readonly Verb[];
  readonly type: RuntimeTypeName;
  /** The interface for custom resources. If absent, the interface is for built-in kinds only. */
  readonly custom?: RuntimeTypeName;
}

const readAndWrite: readonly Verb[] = ['get', 'patch', 'update'];

const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['approval', { is: 'self', verbs: readAndWrite, type: 'WriteApproval' }],
  ['binding', { is: 'object', verbs: ['create'], type: 'Bind' }],
  ['ephemeralcontainers', { is: 'self', verbs: readAndWrite, type: 'WriteEphemeralContainers' }],
  ['eviction', { is: 'object', verbs: ['create'], type: 'Evict' }],
  ['finalize', { is: 'self', verbs: ['update'], type: 'Finalize' }],
  ['log', { is: 'text', verbs: ['get'], type: 'ReadLog' }],
  ['resize', { is: 'self', verbs: readAndWrite, type: 'WriteResize' }],
  ['scale', { is: 'scale', verbs: readAndWrite, type: 'WriteScale', custom: 'WriteScale' }],
  ['status', { is: 'self', verbs: readAndWrite, type: 'WriteStatus', custom: 'CustomWriteStatus' }],
  ['token', { is: 'object', verbs: ['create'], type: 'CreateToken' }],
]);

/** Interfaces of the connect subresources of pods. */
const streams: ReadonlyMap<string, StreamTypeName> = new Map([
  ['attach', 'Attach'],
  ['exec', 'Exec'],
  ['portforward', 'PortForward'],
]);

/** Returns the interfaces for all subresources of a resource. */
export function subresourceBases(context: ResourceContext): readonly string[] {
  const bases: string[] = [];
  const others: string[] = [];
  for (const subresource of context.resource.subresources) {
    const stream = streamInterface(subresource, context);
    if (stream !== undefined) bases.push(context.module.streamType(stream));
    const name = knownInterface(subresource, context);
    if (name === undefined) for (const text of otherText(subresource, context)) others.push(text);
    else bases.push(`${context.module.runtimeType(name)}${argumentText(subresource.body, context)}`);
  }
  if (others.length === 0) return bases;
  return [...bases, `${context.module.runtimeType('Subresources')}<{ ${others.join('; ')} }>`];
}

/** Other kinds than built-in pods may have connect subresources with the same names. */
function streamInterface(
  { name, body }: Subresource,
  { resource, groupVersion }: ResourceContext,
): StreamTypeName | undefined {
  const isPod = resource.builtIn && groupVersion.apiVersion === 'v1' && resource.plural === 'pods';
  return isPod && body.is === 'connect' ? streams.get(name) : undefined;
}

function knownInterface(
  { name, verbs, body }: Subresource,
  { resource }: ResourceContext,
): RuntimeTypeName | undefined {
  const found = known.get(name);
  if (found === undefined || found.is !== body.is || found.verbs.length !== verbs.length) return undefined;
  if (!found.verbs.every((verb) => verbs.includes(verb))) return undefined;
  return resource.builtIn ? found.type : found.custom;
}

/** Scales have a fixed type. Other subresources use the type of their request body. */
function argumentText(body: SubresourceBody, context: ResourceContext): string {
  return body.is === 'scale' ? '' : `<${bodyText(body, context)}>`;
}

function bodyText(body: SubresourceBody, context: ResourceContext): string {
  switch (body.is) {
    case 'self':
      return context.resource.names.type;
    case 'scale':
      return context.module.runtimeType('Scale');
    case 'object':
      return typeText(body.schema, context);
    case 'text':
      return context.own(body.options.type);
    case 'connect':
      return context.own(body.connect.options.type);
  }
}

/** Methods of a subresource client by verb. Other verbs have no method. */
const methods: Partial<Record<Verb, readonly string[]>> = {
  create: ['create'],
  delete: ['delete'],
  get: ['get'],
  patch: ['patch', 'apply'],
  update: ['update'],
};

/**
 * Returns a subresource without an interface of its own as a property of the type that `subresource(name)`
 * returns.
 */
function otherText({ name, verbs, body }: Subresource, context: ResourceContext): readonly string[] {
  if (body.is === 'connect') return [];
  const names = verbs.flatMap((verb) => methods[verb] ?? []);
  // An unused import would be an error.
  if (names.length === 0) return [];
  const type = bodyText(body, context);
  if (body.is === 'text') {
    return [`${propertyName(name)}: ${context.module.runtimeType('SubresourceText')}<${type}>`];
  }
  const response =
    'response' in body && body.response !== undefined ? typeText(body.response, context) : type;
  const types = response === type ? type : `${type}, ${response}`;
  const client = `${context.module.runtimeType('SubresourceClient')}<${types}>`;
  return [`${propertyName(name)}: Pick<${client}, ${quotedUnion(names)}>`];
}

/** Kind of a subresource body that the runtime cannot derive. */
export interface BodyKind {
  readonly subresource: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns the kinds of the bodies of subresources without an interface of their own. */
export function bodyKinds(context: ResourceContext): readonly BodyKind[] {
  return context.resource.subresources.flatMap((subresource) => {
    const { name, body } = subresource;
    if (body.is !== 'object' || body.schema.shape !== 'ref') return [];
    if (knownInterface(subresource, context) !== undefined) return [];
    const { folders } = context.output;
    const home = folders.get(folder(body.schema.from ?? context.groupVersion));
    const apiVersion = constantOf(home, body.schema.name, 'apiVersion');
    const kind = constantOf(home, body.schema.name, 'kind');
    return apiVersion === undefined || kind === undefined ? [] : [{ subresource: name, apiVersion, kind }];
  });
}

/** Returns the value of a property whose type is a single literal. */
function constantOf(home: GroupVersion | undefined, type: string, property: string): string | undefined {
  const found = home?.types.find(({ name }) => name === type);
  const schema = found?.properties.find(({ name }) => name === property)?.schema;
  return schema?.shape === 'constant' ? schema.value : undefined;
}

/** Returns the descriptors of connect subresources. */
export function connectConstants(context: ResourceContext): readonly Constant[] {
  return context.resource.subresources.flatMap(({ name, body }) =>
    body.is === 'connect' ? [connectConstant(name, body.connect, context)] : [],
  );
}

function connectConstant(name: string, connect: Connect, context: ResourceContext): Constant {
  const { groupVersion, resource, module } = context;
  const { group, version, apiVersion } = groupVersion;
  const facts = [
    `group: ${quoted(group)}`,
    `version: ${quoted(version)}`,
    `plural: ${quoted(resource.plural)}`,
    `scope: ${quoted(resource.scope)}`,
    `subresource: ${quoted(name)}`,
    `methods: ${stringArray(connect.methods)}`,
    `path: ${literal(connect.path)}`,
  ];
  return {
    name: connect.constant,
    docs: comment(
      [`\`${apiVersion}/${resource.plural}/${name}\`: targets and methods of connections.`],
      tags(context),
      '',
    ),
    type: `${module.runtimeType('ConnectResource')}<${bodyText({ is: 'connect', connect }, context)}>`,
    value: `/* @__PURE__ */ ${module.runtimeValue('defineConnect')}({\n${facts.map((fact) => `  ${fact},\n`).join('')}})`,
  };
}
