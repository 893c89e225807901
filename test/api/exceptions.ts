/** What clients leave out of what documents say, or add to it: each with its reason. An entry that is no longer true fails. */
import type { Operation } from './operations.ts';

/** Operations that no client has. */
export interface LeftOut {
  readonly why: string;
  readonly is: (operation: Operation) => boolean;
}

export const leftOut: readonly LeftOut[] = [
  {
    why: 'paths below /watch/ are deprecated: the list with `watch=true` does the same',
    is: ({ action, path }) =>
      /^watch(list)?$/.test(action) && /^\/apis?\/([^/]+\/)?[^/]+\/watch\//.test(path),
  },
];

/** A query parameter of operations with an action. */
export interface Parameter {
  readonly name: string;
  /** Actions of the operations. */
  readonly actions: readonly string[];
  /** Default: all paths. */
  readonly paths?: RegExp;
  /** Only some documents have it: nothing is said where none does. */
  readonly sometimes?: boolean;
  readonly why: string;
}

/** Parameters that documents have and no option reaches. */
export const notOffered: readonly Parameter[] = [
  {
    name: 'pretty',
    actions: ['get', 'list', 'post', 'put', 'patch', 'delete', 'deletecollection'],
    why: 'how JSON is laid out: no client sees it',
  },
  {
    name: 'orphanDependents',
    actions: ['delete', 'deletecollection'],
    why: 'deprecated: propagationPolicy takes its place',
  },
  {
    name: 'ignoreStoreReadErrorWithClusterBreakingPotential',
    actions: ['delete', 'deletecollection'],
    why: 'an emergency measure for broken storage; RESTClient reaches it',
  },
  {
    name: 'shardSelector',
    actions: ['deletecollection'],
    sometimes: true,
    why: 'servers without its feature gate ignore it, and would delete the objects of all shards',
  },
  ...[
    'limit',
    'continue',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
  ].map((name) => ({
    name,
    actions: ['deletecollection'],
    why: 'shared with lists in documents; a deletion goes over all that the selectors select',
  })),
  {
    name: 'sendInitialEvents',
    actions: ['list'],
    why: 'watches begin with a list; only reflectors, whose tests look at it, stream the first state',
  },
  ...['watch', 'allowWatchBookmarks'].map((name) => ({
    name,
    actions: ['list'],
    paths: /^\/api\/v1\/componentstatuses$/,
    why: 'made up when it is asked for, and discovery has no verb watch',
  })),
  { name: 'path', actions: ['connect'], why: 'the rest of a path stands in the path' },
];

/** Parameters that clients send and documents do not have. */
export const notDocumented: readonly Parameter[] = [
  { name: 'resourceVersion', actions: ['get'], why: 'servers take it for a read from their cache' },
  {
    name: 'timeout',
    actions: ['list'],
    why: 'bounds the work of the server, which timeoutSeconds does for watches only',
  },
  {
    name: 'sinceTime',
    actions: ['get'],
    paths: /\/log$/,
    why: 'servers have known it since the first version; documents leave out what is a time',
  },
];

/** A media type of patches. */
export interface MediaType {
  readonly type: string;
  readonly paths: RegExp;
  /** Only some documents have it: nothing is said where none does. */
  readonly sometimes?: boolean;
  readonly why: string;
}

/** Media types of patches that documents have and no client sends. */
export const notSent: readonly MediaType[] = [
  {
    type: 'application/apply-patch+cbor',
    paths: /^/,
    sometimes: true,
    why: 'bodies are JSON; a feature gate',
  },
  {
    type: 'application/strategic-merge-patch+json',
    paths: /\/scale$/,
    why: 'nothing in a Scale is merged by key, and scales of custom resources take no such patch',
  },
];

/** Methods that make the requests of another one of the same client, and are the more convenient form of it. */
export const forms: Readonly<Record<string, readonly string[]>> = {
  get: ['find'],
  list: ['iterate', 'watch', 'waitFor', 'deleteAndWait'],
  delete: ['deleteAndWait'],
  patch: ['apply'],
  patchStatus: ['applyStatus'],
  patchScale: ['applyScale'],
  patchEphemeralContainers: ['applyEphemeralContainers'],
  patchResize: ['applyResize'],
  patchApproval: ['applyApproval'],
  getLog: ['streamLog'],
};
