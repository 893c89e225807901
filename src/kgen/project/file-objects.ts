/** Objects of files, with their places. */
import { isObject, type JsonObject } from '@kgen/schema/values/json';
import { append, type Checked, error, type InputProblem, type SourcePlace } from '../common/problems.ts';
import { faultProblems } from '../input/crd/faults.ts';
import { createRereader } from '../input/reading/reread.ts';
import type { SourceText } from '../input/reading/source.ts';
import { splitDocuments } from '../input/reading/split.ts';
import { createParser } from '../input/reading/yaml.ts';
import { loadYaml } from '../input/sources/load-yaml.ts';

/** An object of a file. */
export interface FileObject {
  /** Path of the file, relative to the project. */
  readonly file: string;
  readonly value: JsonObject;
  /** Returns the place of the part at a path, or of its nearest part that exists. */
  readonly placeAt: (path: readonly (string | number)[]) => SourcePlace;
}

/** Returns the objects of files. */
export function objectsOf(sources: Iterable<SourceText>): Checked<readonly FileObject[]> {
  const objects: FileObject[] = [];
  const problems: InputProblem[] = [];
  const parse = createParser();
  for (const source of sources) {
    const reread = createRereader(source, loadYaml);
    for (const chunk of splitDocuments(source.text)) {
      const parsed = parse(chunk.text);
      const placeAt: FileObject['placeAt'] = (path) => reread(chunk).position(path);
      if (!parsed.ok)
        append(
          problems,
          faultProblems(source, chunk, parsed.fault, () => reread(chunk)),
        );
      else if (isObject(parsed.value)) objects.push({ file: source.file, value: parsed.value, placeAt });
      else if (parsed.value !== undefined)
        problems.push(error('expected a Kubernetes object: correct the file', placeAt([])));
    }
  }
  return { value: objects, problems };
}
