/** The smallest object of every kind: only a name. */
import { builtInTypes } from '../../../testserver/resources/builtin/types.ts';
import type { Step } from '../exchange.fixture.ts';
import { clusterCollection, collection, tries } from './steps.fixture.ts';

/** Creates of objects without a specification, which most kinds refuse. */
export const minimalSteps: readonly Step[] = builtInTypes
  .filter((type) => type.verbs.includes('list') && type.verbs.includes('create'))
  .flatMap((type) => {
    const collectionOf = type.namespaced ? collection : clusterCollection;
    return tries(collectionOf(type.apiVersion, type.kind, type.plural), {});
  });
