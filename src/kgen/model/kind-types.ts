import { byText } from '../words.ts';
import { factsOf, noFacts } from './facts.ts';
import type { Facts, NamedType, Property, RuntimeType, Shape } from './ir.ts';
import type { KindShape } from './kind.ts';
import { type ObjectClass, renameRefs } from './object-table.ts';
import { plain } from './schema.ts';
import type { KindTypeNames } from './type-names.ts';

/** A kind whose types are to be written out. */
export interface KindIdentity {
  readonly kind: string;
  readonly listKind: string;
  readonly apiVersion: string;
}

/** All types of a kind: its own, its list's and those inside it, with final names everywhere. */
export function typesOfKind(
  identity: KindIdentity,
  shape: KindShape,
  { names, nested }: KindTypeNames,
): readonly NamedType[] {
  const final = shape.classes.map(({ draft }) => nested.get(draft.spot) ?? draft.spot.name);
  const rename = (members: Members): Members => renamed(members, final);
  const { properties, rest, facts } = shape;
  const kind: NamedType = {
    name: names.type,
    role: 'kind',
    path: identity.kind,
    ...rename(rest === undefined ? { properties } : { properties, rest }),
    facts,
    aliases: [],
  };
  const inner = shape.classes.map((each) => nestedType(each, nested, rename));
  return [kind, listType(identity, names.list, names.type), ...inner];
}

type Members = Pick<NamedType, 'properties' | 'rest'>;

function renamed({ properties, rest }: Members, names: readonly string[]): Members {
  const all = properties.map((property) => {
    const schema = renameRefs(property.schema, names);
    return schema === property.schema ? property : { ...property, schema };
  });
  return rest === undefined ? { properties: all } : { properties: all, rest: renameRefs(rest, names) };
}

function nestedType(
  { draft, spots, description }: ObjectClass,
  names: KindTypeNames['nested'],
  rename: (members: Members) => Members,
): NamedType {
  const { spot, node } = draft;
  const nameAt = (at: typeof spot): string => names.get(at) ?? at.name;
  const aliases = spots.filter((other) => other !== spot).map(nameAt);
  return {
    name: nameAt(spot),
    role: 'nested',
    path: spot.path,
    ...rename(draft),
    facts: typeFacts(description, spots.length === 1 ? factsOf(node).rules : noFacts.rules),
    aliases: aliases.sort(byText),
  };
}

/**
 * What holds for the type wherever it is used. Default and deprecation belong to the property, and validation
 * to each place.
 */
function typeFacts(description: string | undefined, rules: Facts['rules']): Facts {
  return description === undefined ? { rules } : { description, rules };
}

/** Lists are read, hardly ever written: what every list has is required. */
function listType({ listKind, apiVersion }: KindIdentity, name: string, itemName: string): NamedType {
  const metadata: RuntimeType = 'ListMeta';
  const items: Shape = {
    shape: 'array',
    items: plain({ shape: 'ref', name: itemName }),
    list: 'atomic',
    mapKeys: [],
  };
  const properties = [
    member('apiVersion', { shape: 'constant', value: apiVersion }, true),
    member('kind', { shape: 'constant', value: listKind }, true),
    member('metadata', { shape: 'runtime', name: metadata }, false),
    member('items', items, false),
  ];
  return { name, role: 'list', path: listKind, properties, facts: noFacts, aliases: [] };
}

function member(name: string, shape: Shape, optional: boolean): Property {
  return { name, schema: plain(shape), optional, defaulted: false };
}
