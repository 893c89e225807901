/**
 * What is loaded later gets from here what the package exports too. If it imported that itself, bundlers would put it
 * into every program that uses the package, for it to be there when the code that is loaded later comes.
 */
import type { Connection } from '../clientset.ts';
import { DiscoveryClient } from '../discovery/client.ts';
import { isNoMatch } from '../discovery/errors.ts';
import { RESTMapper } from '../discovery/rest-mapper.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { controllerOf } from '../objects/owners.ts';
import { labelRequirementsText } from '../selectors/labels.ts';
import { labelRequirements, matchLabels } from '../selectors/match-labels.ts';
import { condition } from '../watch/condition.ts';

/** Clients of one server. */
export interface Clients {
  readonly dynamic: DynamicClient;
  readonly mapper: RESTMapper;
}

/** What applying, deleting and pruning work with. */
export interface Tools {
  readonly open: (connection: Connection) => Clients;
  readonly condition: typeof condition;
  readonly controllerOf: typeof controllerOf;
  readonly isNoMatch: typeof isNoMatch;
  readonly labelRequirements: typeof labelRequirements;
  readonly labelRequirementsText: typeof labelRequirementsText;
  readonly matchLabels: typeof matchLabels;
}

/** Of this copy of the package. */
export const tools: Tools = {
  open: (connection) => {
    const dynamic = new DynamicClient(connection);
    return { dynamic, mapper: new RESTMapper(new DiscoveryClient(dynamic.rest)) };
  },
  condition,
  controllerOf,
  isNoMatch,
  labelRequirements,
  labelRequirementsText,
  matchLabels,
};
