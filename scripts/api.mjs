// Writes the API report of each package: the declarations of all its entry points in one file, so that a
// change of the public API shows in review. `npm run api` rewrites api/*.api.md; `--check` fails if they
// differ.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['src/kgen', 'src/runtime', 'src/controller', 'src/testserver', 'src/testing'];

/** Returns the entry points of a package with declarations: their specifiers and files. */
function entryPoints(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string' || path.includes('*')
      ? []
      : [{ specifier: name + path.slice(1), file: join(folder, target.types) }],
  );
}

/**
 * Returns the declarations that an entry point exports as one string, without comments, which are not a
 * contract.
 */
function declarationsOf(folder, file, output) {
  const reportFolder = join(output, 'report');
  mkdirSync(reportFolder, { recursive: true });
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { extends: join(root, 'tsconfig.base.json'), files: [file] } },
      apiReport: {
        enabled: true,
        reportFileName: 'entry',
        reportFolder,
        reportTempFolder: join(output, 'temporary'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
  const errors = [];
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel === 'error') errors.push(message.text);
      message.handled = true;
    },
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors.join('\n')}`);
  const report = readFileSync(join(reportFolder, 'entry.api.md'), 'utf8');
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(report) ?? [];
  return code.replace(/^ *\/\/ (@public|\(undocumented\)).*\n/gm, '').trim();
}

function reportOf(folder) {
  const output = mkdtempSync(join(tmpdir(), 'kgen-api-'));
  try {
    const sections = entryPoints(folder).map(
      ({ specifier, file }) =>
        `## \`${specifier}\`\n\n\`\`\`ts\n${declarationsOf(folder, file, output)}\n\`\`\`\n`,
    );
    return `<!-- Written by \`npm run api\`. -->\n\n${sections.join('\n')}`;
  } finally {
    rmSync(output, { recursive: true });
  }
}

const isCheck = process.argv.includes('--check');
mkdirSync(join(root, 'api'), { recursive: true });
for (const path of packages) {
  const folder = join(root, path);
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(root, 'api', `${name.replace('@', '').replace('/', '-')}.api.md`);
  const report = reportOf(folder);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (before === report) continue;
  if (!isCheck) writeFileSync(file, report);
  else {
    console.error(`${file} differs from the declarations: run \`npm run api\` and review the change.`);
    process.exitCode = 1;
  }
}
