/** Operators with one bug each, by the classes of bugs. */
import { asynchronousWork } from './asynchronous.ts';
import type { PlantedBug } from './bug.ts';
import { missingCleanUp } from './cleanup.ts';
import { disrupted } from './disrupted.ts';
import { errors } from './errors.ts';
import { mistakenIdentities } from './identity.ts';
import { interleaved } from './interleaved.ts';
import { interruptions } from './interrupted.ts';
import { moments } from './moments.ts';
import { outside } from './outside.ts';
import { rates } from './rates.ts';
import { lostKeys } from './shared.ts';
import { staleReads } from './stale.ts';
import { times } from './time.ts';
import { unobservedStates } from './unobserved.ts';

export const plantedBugs: readonly PlantedBug[] = [
  ...staleReads,
  ...interruptions,
  ...unobservedStates,
  ...missingCleanUp,
  ...lostKeys,
  ...mistakenIdentities,
  ...rates,
  ...errors,
  ...asynchronousWork,
  ...times,
  ...outside,
  ...moments,
  ...disrupted,
  ...interleaved,
];
