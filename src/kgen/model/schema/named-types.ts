/** Final names of nested types. */
import { byText } from '../../common/words.ts';
import type { Facts, NamedType, TypeRole } from '../ir.ts';
import type { ObjectShape } from '../resources/kind.ts';
import { noFacts } from './facts.ts';
import { type FinalClass, type ObjectClass, renameRefs } from './object-table.ts';
import { isProperty, type Spot } from './schema-path.ts';

/** An object type with its name, before nested object types have names. */
export interface TypeDraft {
  readonly name: string;
  readonly role: TypeRole;
  readonly path: string;
  readonly shape: ObjectShape;
  readonly reference?: string;
}

/** Returns the paths of all object types inside a type. */
export function spotsOf({ shape }: TypeDraft): readonly Spot[] {
  return shape.classes.flatMap(({ spots }) => spots);
}

/** Returns a type and its nested types with final names. `nested` contains a name for every path. */
export function namedTypes(draft: TypeDraft, nested: ReadonlyMap<Spot, string>): readonly NamedType[] {
  const { shape, ...identity } = draft;
  const final = shape.classes.map(({ draft: each, variant }) => ({
    name: nested.get(each.spot) ?? each.spot.name,
    variant,
  }));
  const rename = (members: Members): Members => renamed(members, final);
  const { properties, rest, facts } = shape;
  const own: NamedType = {
    ...identity,
    ...rename(rest === undefined ? { properties } : { properties, rest }),
    facts,
    aliases: [],
  };
  return [own, ...shape.classes.map((each) => nestedType(each, nested, rename))];
}

type Members = Pick<NamedType, 'properties' | 'rest'>;

function renamed({ properties, rest }: Members, names: readonly FinalClass[]): Members {
  if (names.length === 0) return rest === undefined ? { properties } : { properties, rest };
  const all = properties.map((property) => {
    const schema = renameRefs(property.schema, names);
    return schema === property.schema ? property : { ...property, schema };
  });
  return rest === undefined ? { properties: all } : { properties: all, rest: renameRefs(rest, names) };
}

function nestedType(
  shared: ObjectClass,
  names: ReadonlyMap<Spot, string>,
  rename: (members: Members) => Members,
): NamedType {
  const { draft, spots } = shared;
  const { spot } = draft;
  const nameAt = (at: Spot): string => names.get(at) ?? at.name;
  const aliases = spots.filter((other) => other !== spot).map(nameAt);
  return {
    name: nameAt(spot),
    role: 'nested',
    path: spot.path,
    ...rename(draft),
    ...(draft.exclusive !== undefined && { exclusive: draft.exclusive }),
    facts: typeFacts(shared),
    aliases: aliases.sort(byText),
  };
}

/**
 * Keeps facts that apply to every use of the type, unless the properties that use it have them. The
 * deprecation belongs to the property.
 */
function typeFacts({ draft, description, own, spots }: ObjectClass): Facts {
  if (spots.every(isProperty)) return noFacts;
  const { keywords, isWhole } = draft.facts;
  const shared = own === undefined ? noFacts : isWhole ? { keywords, isWhole } : { keywords };
  return description === undefined ? shared : { ...shared, description };
}
