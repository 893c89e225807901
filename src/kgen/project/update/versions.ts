/** Versions of kgen and its packages (Semantic Versioning 2.0.0). Pure. */

/** Returns whether a version is lower than another one. Texts that are not versions are not. */
export function isLower(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => versionPattern.exec(text)?.groups);
  if (left === undefined || right === undefined) return false;
  for (const part of ['major', 'minor', 'patch']) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference < 0;
  }
  return isEarlier(left['pre'], right['pre']);
}

const versionPattern = /^(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)(?:-(?<pre>[\w.-]+))?(?:\+[\w.-]+)?$/;

/** A release is later than its pre-releases, whose parts are compared one by one. */
function isEarlier(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined && other === undefined;
  const [parts, others] = [one.split('.'), other.split('.')];
  const index = parts.findIndex((part, place) => part !== others[place]);
  if (index === -1) return parts.length < others.length;
  const [part = '', against] = [parts[index], others[index]];
  if (against === undefined) return false;
  const [isNumber, isOther] = [part, against].map((text) => /^\d+$/.test(text));
  if (isNumber && isOther) return Number(part) < Number(against);
  return isNumber === isOther ? part < against : isNumber === true;
}

/**
 * Raises the packages of kgen in a `package.json` to a version. Ranges keep their operator. Higher versions,
 * and specifications that are not versions, such as `workspace:*`, remain.
 */
export function raiseVersions(manifest: string, version: string): string {
  return manifest.replaceAll(
    /("(?:kgen|@kgen\/[\w-]+)"\s*:\s*"(?:[~^]|>=\s*)?)(\d[\w.+-]*)(?=")/g,
    (whole, before: string, found: string) => (isLower(found, version) ? before + version : whole),
  );
}
