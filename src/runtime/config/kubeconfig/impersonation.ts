/** Impersonation settings of a user of a kubeconfig. */

import { ConfigError } from '../../api/errors.ts';
import type { Impersonation } from '../../api/options.ts';
import { isFields, member } from '../../common/fields.ts';
import { type Entry, textList, textMember } from './document.ts';

/**
 * Parses the members `as`, `as-uid`, `as-groups` and `as-user-extra`; returns `undefined` if there are none.
 * @throws {ConfigError} if the others are set without `as`
 */
export function readImpersonation({ fields }: Entry, where: string): Impersonation | undefined {
  const as = textMember(fields, 'as', where);
  const uid = textMember(fields, 'as-uid', where);
  const groups = textList(member(fields, 'as-groups') ?? [], `${where}: as-groups`);
  const extra = member(fields, 'as-user-extra') ?? {};
  if (!isFields(extra)) throw new ConfigError(`${where}: as-user-extra is not a mapping`);
  const extras = Object.entries(extra).map(([key, value]): [string, readonly string[]] => [
    key,
    textList(value, `${where}: as-user-extra.${key}`),
  ]);
  if (as === undefined) {
    if (uid === undefined && groups.length === 0 && extras.length === 0) return undefined;
    throw new ConfigError(`${where}: as-uid, as-groups and as-user-extra need a user to act as; set as`);
  }
  return {
    user: as,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extras.length > 0 && { extra: Object.fromEntries(extras) }),
  };
}
