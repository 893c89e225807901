/** Operators of MyApps with one bug each, and the finding that shows it. */
import { type Operator, type SimulateOptions, samplesOf } from '@kgen/testing';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import * as bugs from '../support/operator-bugs.ts';
import type { PlantedBug } from './planted/bug.ts';

export const smallOptions = {
  crds: ['crds/myapp.yaml'],
  samples: samplesOf(myApps),
  controllers: ['garbageCollection', 'namespaces'],
  // Most of these operators do not restore changed fields.
  without: ['tamper'],
} as const satisfies SimulateOptions;

/** The end of the sentence "finds an operator that …", the rule, and the object that is wrong. */
const rows: readonly (readonly [bug: string, operator: Operator, check: string, story: RegExp])[] = [
  [
    'acts on a stale read',
    bugs.actsOnStaleRead,
    'history',
    /configmaps default\/object-\d-\* \(2\) should not exist/,
  ],
  ['creates twice after a crash', bugs.createsTwiceAfterCrash, 'convergence', /\(2\) should not exist/],
  [
    'forgets an owner reference',
    bugs.forgetsOwnerReference,
    'deletion',
    /configmaps default\/object-\d still exists/,
  ],
  ['adds a finalizer that it never removes', bugs.keepsFinalizer, 'deletion', /\["my.domain\/cleanup"\]/],
  ['wakes itself with its status', bugs.wakesItself, 'requests', /patch myapps\/status default\/object-\d/],
  [
    'retries a creation whose response was lost',
    bugs.retriesLostCreate,
    'convergence',
    /\(2\) should not exist/,
  ],
  ['misses a deletion while it is down', bugs.missesDeletionWhileDown, 'deletion', /object-\d still exists/],
  [
    'ignores a lost leadership',
    bugs.ignoresLeadership,
    'leadership',
    /replica-\d writes while replica-\d leads/,
  ],
  [
    "overwrites another manager's field",
    bugs.overwritesOthers,
    'ownership',
    /object-\d has lost the annotation/,
  ],
  ['depends on the order of a list', bugs.dependsOnOrder, 'restart', /data\.leader is "object-\d"/],
  ['does not handle a rejection', bugs.ignoresRejection, 'rejection', /without a handler/],
  ['does not wait for its write', bugs.doesNotWait, 'floating', /patch configmaps at \S+: await it/],
  ['fetches', bugs.fetches, 'network', /fetch\(\)/],
  ['uses the network', bugs.opensSocket, 'network', /a socket/],
];

export const smallBugs: readonly PlantedBug[] = rows.map(([bug, operator, check, story]) => ({
  ...{ bug, operator, check, story, line: '', foundBy: undefined },
  options: operator === bugs.overwritesOthers ? { ...smallOptions, without: [] } : smallOptions,
}));
