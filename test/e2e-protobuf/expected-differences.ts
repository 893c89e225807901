/** Expected differences between both encodings. */

interface Known {
  /** Pattern of a line of a difference. */
  readonly line: RegExp;
  /** Applies only to servers older than this minor version. Default: all. */
  readonly before?: number;
}

const timeless: Known = { line: /\.creationTimestamp: nothing instead of null/, before: 34 };

/** By apiVersion and kind; `''` for differences of all kinds. */
const known: Readonly<Record<string, readonly Known[]>> = {
  // Embedded metadata has no creation time. Older servers write it as null.
  '': [timeless],
  // A server writes the types of these templates. In protobuf only a top-level object has a field for them.
  'apps/v1/StatefulSet': [
    { line: /\bspec\.volumeClaimTemplates[.[]\d\]?\.(apiVersion|kind): .*\b(nothing|unknown member)/ },
  ],
  // Always present in newer versions, as zero or as an empty object; older servers do not have it.
  'apiextensions.k8s.io/v1/CustomResourceDefinition': [{ line: /returns other bytes/, before: 35 }],
  'resource.k8s.io/v1alpha3/DeviceTaintRule': [
    { line: /\.status: \{\} instead of nothing|returns other bytes/, before: 35 },
  ],
  'storage.k8s.io/v1/CSINode': [
    { line: /\.status: \{\} instead of nothing|returns other bytes/, before: 37 },
  ],
};

/** Returns the lines of a kind that are not expected. */
export function unexpectedLines(key: string, minor: number, lines: readonly string[]): readonly string[] {
  const rules = [...(known[key] ?? []), ...(known[''] ?? [])].filter(({ before = 99 }) => minor < before);
  return lines.filter((line) => !rules.some((rule) => rule.line.test(line)));
}
