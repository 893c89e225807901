/** Operators without bugs, in different styles: a simulation must not accuse any of them. */
import * as adoption from './adoption.ts';
import * as allocated from './allocated.ts';
import { type CorrectOperator, options } from './apps.ts';
import * as autoscaled from './autoscaled.ts';
import * as backups from './backups.ts';
import * as claims from './claims.ts';
import * as cooperating from './cooperating.ts';
import * as database from './database.ts';
import * as expiring from './expiring.ts';
import * as external from './external.ts';
import * as generations from './generations.ts';
import * as guard from './guard.ts';
import * as hashes from './hashes.ts';
import * as jobs from './jobs.ts';
import * as mergePatch from './merge-patch.ts';
import * as migrations from './migrations.ts';
import * as oldestWins from './oldest-wins.ts';
import * as passwords from './passwords.ts';
import * as paused from './paused.ts';
import * as podNames from './pod-names.ts';
import * as registry from './registry.ts';
import * as suspended from './suspended.ts';
import * as teams from './teams.ts';
import * as tenants from './tenants.ts';
import * as update from './update.ts';
import * as web from './web.ts';

export const correctOperators: Readonly<Record<string, CorrectOperator>> = {
  adoption: { ...adoption, options: { ...options, objects: [adoption.orphan] } },
  allocated: { ...allocated, options },
  claims: { ...claims, options },
  cooperating: { ...cooperating, options },
  external,
  generations: { ...generations, options },
  hashes: { ...hashes, options },
  jobs: { ...jobs, options },
  'merge patch': { ...mergePatch, options },
  'oldest wins': { ...oldestWins, options },
  passwords: { ...passwords, options },
  suspended: { ...suspended, options },
  tenants: { ...tenants, options },
  update: { ...update, options },
  autoscaled,
  backups,
  database,
  expiring,
  guard,
  migrations,
  paused,
  'pod names': podNames,
  registry,
  teams,
  web,
};
