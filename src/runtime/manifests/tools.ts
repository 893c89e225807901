/**
 * Injects exported modules into lazily loaded code. If that code imported them itself, bundlers would add
 * them to every program that uses the package.
 */
import { DiscoveryClient } from '../discovery/client.ts';
import { isNoMatch } from '../discovery/mapping/errors.ts';
import { RESTMapper } from '../discovery/mapping/rest-mapper.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { controllerOf } from '../objects/owners.ts';
import type { ClientConnection } from '../rest/connection.ts';
import { labelRequirementsText } from '../selectors/labels.ts';
import { labelRequirements, matchLabels } from '../selectors/match-labels.ts';
import { condition } from '../watch/wait/condition.ts';

/** Clients of one server. */
export interface Clients {
  readonly dynamic: DynamicClient;
  readonly mapper: RESTMapper;
}

/** Functions that applying, deleting and pruning use. */
export interface Tools {
  readonly open: (connection: ClientConnection) => Clients;
  readonly condition: typeof condition;
  readonly controllerOf: typeof controllerOf;
  readonly isNoMatch: typeof isNoMatch;
  readonly labelRequirements: typeof labelRequirements;
  readonly labelRequirementsText: typeof labelRequirementsText;
  readonly matchLabels: typeof matchLabels;
}

/** The functions of this copy of the package. */
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
