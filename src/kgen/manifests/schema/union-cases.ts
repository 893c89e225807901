/**
 * Unions of objects, which structural schemas express as one object with the members of all cases, and rules
 * that require exactly the members of one case.
 */
import type { JsonObject } from '@kgen/schema/values/json';
import { celField } from '../../notation/rules.ts';
import type { DeclaredObject } from '../declare/declared.ts';

/** The cases of a union. */
export interface UnionCases {
  /** Property whose literals tell the cases apart. Absent if required members do. */
  readonly discriminator?: string;
  /** Values of the discriminator, in the order of the cases. */
  readonly values: readonly string[];
  readonly cases: readonly UnionCase[];
  /** Members that all cases require, without the discriminator. */
  readonly common: readonly string[];
}

interface UnionCase {
  readonly values: readonly string[];
  readonly required: readonly string[];
  /** All members, required ones included. */
  readonly members: readonly string[];
}

/** Returns the cases of a union, or the reason why it has none. */
export function casesOf(members: readonly DeclaredObject[]): UnionCases | { readonly fault: string } {
  const shared = namesIn(members[0]).filter((name) =>
    members.every((member) => namesIn(member).includes(name)),
  );
  const discriminator = shared.find((name) => isDiscriminator(name, members));
  const cases = members.map((member): UnionCase => {
    const own = member.properties.filter(({ name }) => name !== discriminator);
    return {
      values: discriminator === undefined ? [] : valuesOf(discriminator, member),
      required: own.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      members: own.map(({ name }) => name),
    };
  });
  const common = (cases[0]?.required ?? []).filter((name) =>
    cases.every(({ required }) => required.includes(name)),
  );
  const values = cases.flatMap((each) => each.values);
  if (discriminator !== undefined) return { discriminator, values, cases, common };
  const isDistinct = cases.every(({ required }) => required.some((name) => isOnlyIn(name, cases)));
  if (isDistinct) return { values: [], cases, common };
  return {
    fault:
      'is a union of objects without a difference that a rule can check: add a property with another literal to each, or a required property that only it has',
  };
}

function namesIn(member: DeclaredObject | undefined): readonly string[] {
  return (member?.properties ?? []).map(({ name }) => name);
}

function isOnlyIn(name: string, cases: readonly UnionCase[]): boolean {
  return cases.filter(({ members }) => members.includes(name)).length === 1;
}

/** Returns whether each member requires the property, with literals that no other one has. */
function isDiscriminator(name: string, members: readonly DeclaredObject[]): boolean {
  const values = members.flatMap((member) => valuesOf(name, member));
  const isStated = members.every((member) => valuesOf(name, member).length > 0);
  return isStated && new Set(values).size === values.length;
}

function valuesOf(name: string, { properties }: DeclaredObject): readonly string[] {
  const property = properties.find((each) => each.name === name);
  if (property === undefined || property.isOptional) return [];
  const { shape } = property.value;
  if (shape.is !== 'literals' || !shape.values.every((value) => typeof value === 'string')) return [];
  return shape.values.filter((value) => typeof value === 'string');
}

/** Returns the rules that hold for exactly the cases of the union. */
export function caseRules(union: UnionCases): readonly JsonObject[] {
  const { discriminator } = union;
  return discriminator === undefined ? memberCaseRules(union) : discriminatedRules(union, discriminator);
}

function discriminatedRules({ cases, common }: UnionCases, discriminator: string): readonly JsonObject[] {
  const all = [...new Set(cases.flatMap(({ members }) => members))];
  const field = `self.${celField(discriminator)}`;
  return cases.flatMap(({ values, required, members }): readonly JsonObject[] => {
    const present = required.filter((name) => !common.includes(name)).map(has);
    const absent = all.filter((name) => !members.includes(name)).map((name) => `!${has(name)}`);
    const parts = [...present, ...absent];
    if (parts.length === 0) return [];
    const applies =
      values.length === 1
        ? `${field} != ${celText(values[0] ?? '')}`
        : `!(${field} in [${values.map(celText).join(', ')}])`;
    const named = `${discriminator} ${values.join(' or ')}`;
    const needs = required.filter((name) => !common.includes(name));
    const others = all.filter((name) => !members.includes(name));
    const message = [
      ...(needs.length > 0 ? [`requires ${needs.join(', ')}`] : []),
      ...(others.length > 0 ? [`excludes ${others.join(', ')}`] : []),
    ].join(' and ');
    return [{ rule: `${applies} || (${parts.join(' && ')})`, message: `${named} ${message}` }];
  });
}

function memberCaseRules({ cases, common }: UnionCases): readonly JsonObject[] {
  const all = [...new Set(cases.flatMap(({ members }) => members))].filter((name) => !common.includes(name));
  const alternatives = cases.map(({ required, members }) => {
    const present = required.filter((name) => !common.includes(name)).map(has);
    const absent = all.filter((name) => !members.includes(name)).map((name) => `!${has(name)}`);
    return `(${[...present, ...absent].join(' && ')})`;
  });
  const names = cases.map(({ required }) => required.filter((name) => !common.includes(name)).join(' and '));
  return [{ rule: alternatives.join(' || '), message: `exactly one of ${names.join(', ')} must be set` }];
}

function has(name: string): string {
  return `has(self.${celField(name)})`;
}

function celText(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}
