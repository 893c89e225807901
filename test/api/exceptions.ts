/**
 * Differences between clients and OpenAPI documents that are intended, each with its reason. An entry that no
 * longer applies fails the test.
 */
import type { Operation } from './operations.ts';

/** Operations without a client method. */
export interface LeftOut {
  readonly why: string;
  readonly is: (operation: Operation) => boolean;
}

export const leftOut: readonly LeftOut[] = [
  {
    why: 'paths below /watch/ are deprecated: replaced by the list with `watch=true`',
    is: ({ action, path }) =>
      /^watch(list)?$/.test(action) && /^\/apis?\/([^/]+\/)?[^/]+\/watch\//.test(path),
  },
];

/** Query parameter of the operations with certain actions. */
export interface Parameter {
  readonly name: string;
  /** Actions of the operations. */
  readonly actions: readonly string[];
  /** Default: all paths. */
  readonly paths?: RegExp;
  /** Present in some documents only: not reported as stale if no document has it. */
  readonly sometimes?: boolean;
  readonly why: string;
}

/** Parameters of the documents that no option sets. */
export const notOffered: readonly Parameter[] = [
  {
    name: 'pretty',
    actions: ['get', 'list', 'post', 'put', 'patch', 'delete', 'deletecollection'],
    why: 'how JSON is laid out: no client sees it',
  },
  {
    name: 'orphanDependents',
    actions: ['delete', 'deletecollection'],
    why: 'deprecated: replaced by propagationPolicy',
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
    why: 'shared with lists in documents; a deletion applies to all selected objects',
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
    why: 'generated on request, and discovery has no verb watch',
  })),
  { name: 'path', actions: ['connect'], why: 'the rest of a path is part of the path' },
];

/** Parameters that clients send and the documents do not have. */
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
    why: 'supported since the first version; documents omit parameters that are times',
  },
];

/** Media type of patches. */
export interface MediaType {
  readonly type: string;
  readonly paths: RegExp;
  /** Present in some documents only: not reported as stale if no document has it. */
  readonly sometimes?: boolean;
  readonly why: string;
}

/** Media types of patches in the documents that no client sends. */
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

/**
 * Methods that send the requests of another method of the same client and are its more convenient variant.
 */
export const forms: Readonly<Record<string, readonly string[]>> = {
  // Logs without a container are those of the one that the pod names.
  get: ['find', 'getLog', 'streamLog'],
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
