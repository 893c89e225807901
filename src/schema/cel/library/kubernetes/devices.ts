/**
 * Environment of the expressions that select devices.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
import { bool, dyn, mapOf, string, structOf, type Type } from '../../check/types.ts';
import type { Environment, FieldTypes } from '../../environment.ts';
import { baseFunctions } from '../base.ts';
import { quantityType } from './quantities.ts';

const deviceType = structOf('kubernetes.DRADevice');

const structs: ReadonlyMap<string, FieldTypes> = new Map([
  [
    deviceType.name,
    new Map<string, Type>([
      ['driver', string],
      ['allowMultipleAllocations', bool],
      ['attributes', mapOf(string, mapOf(string, dyn))],
      ['capacity', mapOf(string, mapOf(string, quantityType))],
    ]),
  ],
]);

/** The variable `device`: its driver, and its attributes and capacities by domain and name. */
export const deviceEnvironment: Environment = {
  functions: baseFunctions,
  variables: new Map([['device', deviceType]]),
  structs,
};
