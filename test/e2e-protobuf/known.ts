/** Differences between both forms that are as they should be. */

interface Known {
  /** A line of a difference. */
  readonly line: RegExp;
  /** Only servers older than this minor version have it. Default: all. */
  readonly before?: number;
}

const timeless: Known = { line: /\.creationTimestamp: nothing instead of null/, before: 34 };

/** By apiVersion and kind; where every kind has it, by `''`. */
const known: Readonly<Record<string, readonly Known[]>> = {
  // What is not an object of its own has no time of creation. Older servers say so.
  '': [timeless],
  // A server names the types of these templates. In protobuf only a whole object has a place for that.
  'apps/v1/StatefulSet': [
    { line: /\bspec\.volumeClaimTemplates[.[]\d\]?\.(apiVersion|kind): .*\b(nothing|unknown member)/ },
  ],
  // Always there in newer versions, as zero or as an empty object; older servers do not know it.
  'apiextensions.k8s.io/v1/CustomResourceDefinition': [{ line: /gives other bytes/, before: 35 }],
  'resource.k8s.io/v1alpha3/DeviceTaintRule': [
    { line: /\.status: \{\} instead of nothing|gives other bytes/, before: 35 },
  ],
  'storage.k8s.io/v1/CSINode': [{ line: /\.status: \{\} instead of nothing|gives other bytes/, before: 37 }],
};

/** The lines of a kind that say something else. */
export function unknownLines(key: string, minor: number, lines: readonly string[]): readonly string[] {
  const rules = [...(known[key] ?? []), ...(known[''] ?? [])].filter(({ before = 99 }) => minor < before);
  return lines.filter((line) => !rules.some((rule) => rule.line.test(line)));
}
