/** Paths of the resources of a group version in OpenAPI v3. */

import { fromEntries, type JsonObject } from '@kgen/schema/values/json';
import type { ResourceType, Subresource } from '../../resources/type.ts';
import {
  deleteCollectionQuery,
  deleteQuery,
  type GroupVersionKind,
  listQuery,
  listTypes,
  type Operation,
  patchQuery,
  pathItem,
  responseTypes,
  writeQuery,
} from './operations.ts';

/** Returns the full name of the definition of a kind. */
export type DefinitionName = (of: GroupVersionKind) => string;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const anyType = ['*/*'];

/** Kinds for which the response to a deletion is the object. */
const returning: ReadonlySet<string> = new Set([
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
]);

/** Names of a group version in operations: `AppsV1` and `apps_v1`. */
interface Names {
  readonly prefix: string;
  readonly tag: string;
}

/** Returns the names of a group version. Only the first labels of a built-in group count. */
export function namesOf(group: string, version: string, isCustom: boolean): Names {
  const short = group === '' ? 'core' : isCustom ? group : group.replace(/\.k8s\.io$/, '');
  const parts = short.split(/[.-]/).filter((part) => part !== '');
  const camel = parts.map((part, index) => (index === 0 ? part : capital(part))).join('');
  return { prefix: `${capital(camel)}${capital(version)}`, tag: `${camel}_${version}` };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the paths of one resource. */
export function resourcePaths(type: ResourceType, definition: DefinitionName): JsonObject {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scoped = type.namespaced ? `${root}/namespaces/{namespace}` : root;
  const collection = `${scoped}/${type.plural}`;
  const build = new PathBuilder(type, definition);
  const everywhere = type.namespaced && type.verbs.includes('list') ? `${root}/${type.plural}` : undefined;
  const watched = type.verbs.includes('watch') && type.strategy !== 'custom';
  const watch = `${root}/watch`;
  const scopedWatch = type.namespaced ? `${watch}/namespaces/{namespace}` : watch;
  const found: readonly (readonly [string, readonly Operation[]])[] = [
    ...(everywhere === undefined ? [] : [[everywhere, build.everywhere()] as const]),
    [collection, build.collection()],
    [`${collection}/{name}`, build.object()],
    ...subresourcesOf(type).flatMap((part) => build.subresource(`${collection}/{name}/${part.name}`, part)),
    ...(watched
      ? [
          ...(type.namespaced
            ? [[`${watch}/${type.plural}`, build.watch('ListForAllNamespaces')] as const]
            : []),
          [`${scopedWatch}/${type.plural}`, build.watch('List')] as const,
          [`${scopedWatch}/${type.plural}/{name}`, build.watch('')] as const,
        ]
      : []),
  ];
  return fromEntries(
    found.flatMap(([path, operations]) =>
      operations.length === 0 ? [] : [[path, pathItem(path, operations)] as const],
    ),
  );
}

function subresourcesOf(type: ResourceType): readonly Subresource[] {
  if (type.subresources !== undefined) return type.subresources;
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const verbs = ['get', 'patch', 'update'];
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return [
    ...(type.status ? [{ name: 'status', verbs, kind, connects: false }] : []),
    ...(type.scale === undefined ? [] : [{ name: 'scale', verbs, kind: scale, connects: false }]),
  ];
}

const connectOptions: Readonly<Record<string, readonly string[]>> = {
  attach: ['container', 'stderr', 'stdin', 'stdout', 'tty'],
  exec: ['command', 'container', 'stderr', 'stdin', 'stdout', 'tty'],
  portforward: ['ports'],
  proxy: ['path'],
};
const logQuery = [
  'container',
  'follow',
  'insecureSkipTLSVerifyBackend',
  'limitBytes',
  'pretty',
  'previous',
  'sinceSeconds',
  'stream',
  'tailLines',
  'timestamps',
];

class PathBuilder {
  readonly #type: ResourceType;
  readonly #definition: DefinitionName;
  readonly #names: Names;
  readonly #of: GroupVersionKind;
  readonly #scope: string;

  constructor(type: ResourceType, definition: DefinitionName) {
    this.#type = type;
    this.#definition = definition;
    this.#names = namesOf(type.group, type.version, type.strategy === 'custom');
    this.#of = { group: type.group, version: type.version, kind: type.kind };
    this.#scope = type.namespaced ? 'Namespaced' : '';
  }

  everywhere(): readonly Operation[] {
    return [this.#list(`list${this.#names.prefix}${this.#type.kind}ForAllNamespaces`)];
  }

  collection(): readonly Operation[] {
    const { verbs } = this.#type;
    return [
      ...(verbs.includes('list') ? [this.#list(this.#id('list'))] : []),
      ...(verbs.includes('create') ? [this.#create(this.#id('create'), this.#of)] : []),
      ...(verbs.includes('deletecollection')
        ? [this.#remove(this.#id('delete', '', 'Collection'), true)]
        : []),
    ];
  }

  object(): readonly Operation[] {
    const { verbs } = this.#type;
    return [
      ...(verbs.includes('get') ? [this.#read(this.#id('read'), this.#of)] : []),
      ...(verbs.includes('update') ? [this.#replace(this.#id('replace'), this.#of)] : []),
      ...(verbs.includes('delete') ? [this.#remove(this.#id('delete'), false)] : []),
      ...(verbs.includes('patch') ? [this.#patch(this.#id('patch'), this.#of)] : []),
    ];
  }

  subresource(path: string, part: Subresource): readonly (readonly [string, readonly Operation[]])[] {
    if (part.connects) return this.#connects(path, part);
    const isOther = part.kind.version !== '';
    const of = isOther ? part.kind : { ...this.#of, kind: part.kind.kind };
    const id = (verb: string): string => this.#id(verb, capital(part.name));
    if (part.name === 'log') return [[path, [this.#log(id('read'))]]];
    return [
      [
        path,
        [
          ...(part.verbs.includes('get') ? [this.#read(id('read'), of)] : []),
          ...(part.verbs.includes('update') ? [this.#replace(id('replace'), of)] : []),
          ...(part.verbs.includes('patch') ? [this.#patch(id('patch'), of)] : []),
          ...(part.verbs.includes('create') ? [this.#create(id('create'), of)] : []),
        ],
      ],
    ];
  }

  watch(suffix: '' | 'List' | 'ListForAllNamespaces'): readonly Operation[] {
    const scope = suffix === 'ListForAllNamespaces' ? '' : this.#scope;
    const action = suffix === '' ? 'watch' : 'watchlist';
    return [
      {
        ...this.#list(`watch${this.#names.prefix}${scope}${this.#type.kind}${suffix}`),
        action,
        response: `${meta}.WatchEvent`,
      },
    ];
  }

  #id(verb: string, suffix = '', infix = ''): string {
    return `${verb}${this.#names.prefix}${infix}${this.#scope}${this.#type.kind}${suffix}`;
  }

  #base(
    method: string,
    id: string,
    action: string,
    of: GroupVersionKind,
  ): Omit<Operation, 'query' | 'codes'> {
    const base = { method, id, tag: this.#names.tag, action, of, types: this.#types(responseTypes) };
    return { ...base, response: this.#definition(of) };
  }

  /** Custom resources have no protobuf. */
  #types(types: readonly string[]): readonly string[] {
    if (this.#type.strategy !== 'custom') return types;
    return ['application/json', 'application/yaml'];
  }

  #list(id: string): Operation {
    const list = { ...this.#of, kind: this.#type.listKind };
    const base = this.#base('get', id, 'list', this.#of);
    return {
      ...base,
      query: listQuery,
      codes: [200],
      types: this.#types(listTypes),
      response: this.#definition(list),
    };
  }

  #read(id: string, of: GroupVersionKind): Operation {
    const query = this.#type.strategy === 'custom' ? ['pretty', 'resourceVersion'] : ['pretty'];
    return { ...this.#base('get', id, 'get', of), query, codes: [200] };
  }

  #create(id: string, of: GroupVersionKind): Operation {
    return {
      ...this.#base('post', id, 'post', of),
      query: writeQuery,
      codes: [200, 201, 202],
      body: this.#body(of),
    };
  }

  #replace(id: string, of: GroupVersionKind): Operation {
    return {
      ...this.#base('put', id, 'put', of),
      query: writeQuery,
      codes: [200, 201],
      body: this.#body(of),
    };
  }

  #body(of: GroupVersionKind): NonNullable<Operation['body']> {
    const isCustom = this.#type.strategy === 'custom';
    return { schema: this.#definition(of), types: isCustom ? this.#types([]) : anyType, required: true };
  }

  #patch(id: string, of: GroupVersionKind): Operation {
    const types = [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
      ...(this.#type.strategy === 'custom' ? [] : ['application/strategic-merge-patch+json']),
    ];
    const isCustom = this.#type.strategy === 'custom';
    const body = { schema: `${meta}.Patch`, types, required: true };
    return {
      ...this.#base('patch', id, 'patch', of),
      query: patchQuery,
      codes: isCustom ? [200] : [200, 201],
      body,
    };
  }

  #remove(id: string, isCollection: boolean): Operation {
    const base = this.#base('delete', id, isCollection ? 'deletecollection' : 'delete', this.#of);
    const isCustom = this.#type.strategy === 'custom';
    const body = {
      schema: `${meta}.DeleteOptions`,
      types: isCustom ? this.#types([]) : anyType,
      required: false,
    };
    const response = !isCollection && returnsObject(this.#type) ? base.response : `${meta}.Status`;
    return {
      ...base,
      query: isCollection ? deleteCollectionQuery : deleteQuery,
      codes: isCollection ? [200] : [200, 202],
      ...(isCustom && isCollection ? {} : { body }),
      response,
    };
  }

  #log(id: string): Operation {
    const base = this.#base('get', id, 'get', this.#of);
    return {
      ...base,
      query: logQuery,
      codes: [200],
      types: [...responseTypes, 'text/plain'],
      response: undefined,
    };
  }

  #connects(path: string, part: Subresource): readonly (readonly [string, readonly Operation[]])[] {
    const isProxy = part.name === 'proxy';
    const methods = isProxy ? ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] : ['get', 'post'];
    const of = { ...this.#of, kind: part.kind.kind };
    const operations = (suffix: string): readonly Operation[] =>
      methods.map((method) => ({
        method,
        id: `connect${this.#names.prefix}${capital(method)}${this.#scope}${this.#type.kind}${capital(part.name)}${suffix}`,
        tag: this.#names.tag,
        action: 'connect',
        of,
        query: connectOptions[part.name] ?? [],
        codes: [200],
        types: anyType,
        response: undefined,
      }));
    return [
      [path, operations('')],
      ...(isProxy ? [[`${path}/{path}`, operations('WithPath')] as const] : []),
    ];
  }
}

function returnsObject({ group, plural, strategy }: ResourceType): boolean {
  if (strategy === 'custom') return false;
  if (group === 'storage.k8s.io') return plural !== 'csistoragecapacities';
  return group === 'resource.k8s.io' || (group === '' && returning.has(plural));
}
