/**
 * Completeness of structural schemas: whatever members of `allOf`, `anyOf`, `oneOf` and `not` constrain is
 * defined outside of them, too.
 */
import type { JsonPath } from './places.ts';
import { membersAt, type Objection, type Place, placeAt, placesIn } from './places.ts';

/** Returns objections to parts that only logical members define. */
export function incompleteParts(root: Place): readonly Objection[] {
  return membersComplete(root, root, root.keys);
}

function membersComplete(member: Place, defined: Place | undefined, at: JsonPath): readonly Objection[] {
  const members = [
    ...placeAt(member, 'not'),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => membersAt(member, key)),
  ];
  return members.flatMap((each) => memberComplete(each, defined, at));
}

function memberComplete(member: Place, defined: Place | undefined, at: JsonPath): readonly Objection[] {
  if (defined === undefined)
    return [{ keys: at, reason: 'required', detail: 'because it is defined in', place: member.keys }];
  return [
    ...membersComplete(member, defined, at),
    ...placeAt(member, 'items').flatMap((items) =>
      memberComplete(items, placeAt(defined, 'items')[0], [...at, 'items']),
    ),
    ...placesIn(member, 'properties').flatMap((property) => {
      const own = placesIn(defined, 'properties').find(({ name }) => name === property.name);
      return memberComplete(property, own, [...at, 'properties', property.name]);
    }),
  ];
}
