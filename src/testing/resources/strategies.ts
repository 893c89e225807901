import { customStrategy } from './custom.ts';
import { definitionStrategy } from './definitionstrategy.ts';
import { namespaceStrategy } from './namespacestrategy.ts';
import type { Strategy } from './strategy.ts';
import type { ResourceType } from './type.ts';

/** Returns the strategy of a type. */
export function strategyOf(type: ResourceType): Strategy {
  if (type.strategy === 'definition') return definitionStrategy;
  return type.strategy === 'namespace' ? namespaceStrategy : customStrategy;
}
