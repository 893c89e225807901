/** End of the watches of a resource. */

import type { ActionOf } from '../schedule/actions.ts';
import type { Fault } from './fault.ts';
import { drawnResource } from './hold.ts';

/** The watches of a resource lose their connection, or end with 410. */
export const interrupt: Fault<ActionOf<'interrupt'>> = {
  classes: [],
  singles: ['cut watch', 'expired watch'],
  singleOf: ({ how }) => (how === 'cut' ? 'cut watch' : 'expired watch'),
  plan: (draw) => {
    const resource = drawnResource(draw);
    const how = draw.dice.chance(0.5) ? 'cut' : 'expire';
    return resource === undefined ? undefined : { do: 'interrupt', resource, how };
  },
  text: ({ resource, how }) =>
    `the watches of ${resource} ${how === 'cut' ? 'lose their connection' : 'expire (410)'}`,
  begin: ({ cluster: { watches } }) => ({
    perform: ({ resource, how }) => {
      const count = how === 'cut' ? watches.cut({ resource }) : watches.expire({ resource });
      return count === 0 ? 'there is none' : '';
    },
  }),
};
