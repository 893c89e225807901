/** Names of API groups in arguments and messages. */

/** Returns the name of a group in the API. The core group, `''`, may also be written `core`. */
export function groupName(group: string): string {
  return group === 'core' ? '' : group;
}

/** Returns a group for messages: `the core group`, or `group "apps"`. */
export function describeGroup(group: string): string {
  return group === '' ? 'the core group' : `group ${JSON.stringify(group)}`;
}
