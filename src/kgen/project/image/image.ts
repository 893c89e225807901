/** `kgen build`: the program of an operator, and the image or the executable that contains it. */
import { resolve } from 'node:path';
import { type Checked, hasErrors, type InputProblem } from '../../common/problems.ts';
import { packageFacts } from '../../manifests/manifests.ts';
import { isUpToDate, type WritePlan } from '../../write/plan.ts';
import { planOutput, writeOutput } from '../../write/write.ts';
import { bundleOperator } from './bundle.ts';

/** Options of `buildImage`. */
export interface ImageOptions {
  /** Folder of the project. Default: the current one. */
  readonly cwd?: string;
  /** Module that runs the operator. Default: `src/main.ts`. */
  readonly entry?: string;
  /** Folder of the result. Default: `dist`. */
  readonly out?: string;
  /** `dry-run` writes nothing. Default: `write`. */
  readonly mode?: 'write' | 'dry-run';
}

/** Result of `buildImage`. */
export interface ImageResult {
  readonly ok: boolean;
  /** Changes of files in the folder of the result. */
  readonly changes: Pick<WritePlan, 'create' | 'update' | 'remove' | 'unchanged'>;
  /** Bytes that the image has beyond its base. */
  readonly size: number;
  readonly problems: readonly InputProblem[];
}

/**
 * Writes a folder from which an image is built: the program in one file and the licences of its packages in
 * `app`, a Dockerfile, and the source map, which is not part of the image, in `maps`. Only files that kgen
 * has written are replaced.
 */
export async function buildImage(options: ImageOptions = {}): Promise<ImageResult> {
  const { cwd = process.cwd(), entry = 'src/main.ts', out = 'dist', mode = 'write' } = options;
  const base = 'import.meta.url';
  const { value: bundle, problems } = await bundleOperator({ cwd, entry, header: programHeader, base });
  if (bundle === undefined) return { ok: false, changes: noChanges, size: 0, problems };
  const files = new Map([
    ['Dockerfile', dockerfileOf(packageFacts(cwd), out)],
    ['app/operator.mjs', bundle.program],
    ['app/LICENSES.txt', `${licencesHeader}\n\n${bundle.licences}`],
    ['maps/operator.mjs.map', bundle.map],
  ]);
  const folder = { path: resolve(cwd, out), shown: out };
  const { value: plan, problems: clashes }: Checked<WritePlan> = planOutput(folder, {
    files,
    accessors: new Map(),
    definitions: new Map(),
    complete: true,
    isGenerated: (_, text) => beginnings.some((each) => text.startsWith(each)),
  });
  const isWritten = mode === 'write' && !hasErrors(clashes) && !isUpToDate(plan);
  const all = [...problems, ...clashes, ...(isWritten ? writeOutput(folder, plan) : [])];
  const inImage = [...files].filter(([path]) => path.startsWith('app/'));
  const size = inImage.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  return { ok: !hasErrors(all), changes: plan, size, problems: all };
}

const noChanges: ImageResult['changes'] = { create: [], update: [], remove: [], unchanged: [] };

const programHeader = '// Bundled by kgen. DO NOT EDIT.';
const licencesHeader = 'Collected by kgen. DO NOT EDIT.';
const dockerfileHeader = '# Written by kgen build. DO NOT EDIT.';
/** First characters of the files that kgen replaces; a source map has no comments. */
const beginnings = [programHeader, licencesHeader, dockerfileHeader, '{\n  "version": 3,'];

/** Image of the oldest release of Node.js with long-term support that is still maintained in full. */
const baseImage = 'gcr.io/distroless/nodejs24-debian13:nonroot';

function dockerfileOf({ name, version }: ReturnType<typeof packageFacts>, out: string): string {
  return `${dockerfileHeader}
# docker build --tag ${name}:${version} ${out}
FROM ${baseImage}
LABEL org.opencontainers.image.title=${JSON.stringify(name)} org.opencontainers.image.version=${JSON.stringify(version)}
ENV NODE_ENV=production
WORKDIR /app
COPY app .
USER 65532:65532
CMD ["--max-semi-space-size=8", "operator.mjs"]
`;
}
