// Results of every step in every environment.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environments, prepared } from './environments.mjs';
import { inParallel } from './parallel.mjs';
import { writeProject } from './project.mjs';
import { archivesOf, manifestIn, startRegistry } from './registry.mjs';
import { contextOf, steps } from './steps.mjs';

/**
 * Installs archives in a new project of each environment, and runs the steps there. A failed installation
 * fails all steps of its environment.
 *
 * @param {readonly string[]} paths of the archives
 * @param {object} options
 * @param {readonly string[]} options.names of the environments
 * @param {boolean | undefined} options.isSample whether a sample of the steps runs, two environments at once
 * @param {string} options.logs folder for the output of each environment
 * @param {(text: string) => void} options.print
 */
export async function runMatrix(paths, { names, isSample = false, logs, print }) {
  const archives = archivesOf(paths);
  const manifests = await Promise.all(archives.map(manifestIn));
  const registry = await startRegistry(archives);
  const folder = mkdtempSync(join(tmpdir(), 'kgen-release-'));
  mkdirSync(logs, { recursive: true });
  const unknown = names.filter((name) => environments.every((each) => each.name !== name));
  if (unknown.length > 0) throw new Error(`unknown environments: ${unknown.join(', ')}`);
  const chosen = environments.filter(({ name }) => names.includes(name));
  const row = async (environment) => {
    const place = join(folder, 'projects', fileName(environment));
    writeProject(place, manifests, { ...environment, isSample });
    const ready = prepared(environment, { folder, registry: registry.url });
    const file = join(logs, `${fileName(environment)}.log`);
    rmSync(file, { force: true });
    const report = (text) => appendFileSync(file, text);
    const context = contextOf(ready, { folder: place, report });
    const results = await runSteps(context, { isSample, report, print });
    rmSync(place, { recursive: true, maxRetries: 5 });
    return { environment: environment.name, results };
  };
  try {
    return await inParallel(chosen, isSample ? 2 : 1, row);
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}

const fileName = ({ name }) => name.replace(/[^\w.]+/g, '-');

async function runSteps(context, { isSample, report, print }) {
  const { environment } = context;
  const results = {};
  const own = steps.filter((step) => step.applies(environment) && (step.isSampled || !isSample));
  const started = performance.now();
  try {
    for (const step of own) {
      report(`\n== ${step.name}\n`);
      try {
        if (results.install === 'failed') throw new Error('the packages are not installed');
        await step.run(context);
        results[step.name] = 'passed';
      } catch (error) {
        results[step.name] = 'failed';
        report(`\n${error.message}\n`);
        print(`${environment.name}: ${step.name}: ${error.message}\n`);
      }
    }
  } finally {
    await context.end();
  }
  const passed = Object.values(results).filter((result) => result === 'passed').length;
  const seconds = Math.round((performance.now() - started) / 1000);
  print(`${environment.name}: ${passed} of ${own.length} steps passed, ${seconds} s\n`);
  return results;
}

/** Symbols of results in the table. */
const symbols = { passed: '✓', failed: '✗', undefined: '–' };

/** Returns the results as a table in Markdown, with one line for each environment. */
export function tableOf(rows) {
  const header = ['Environment', ...steps.map((_, index) => String(index + 1)), 'Passed'];
  const lines = rows.map(({ environment, results }) => {
    const all = Object.values(results);
    const passed = `${all.filter((result) => result === 'passed').length} of ${all.length}`;
    return [environment, ...steps.map(({ name }) => symbols[results[name]]), passed];
  });
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Writes the page with the results of a release.
 *
 * @param {{ readonly rows: Parameters<typeof tableOf>[0], readonly sizes: string }} results
 * @param {{ readonly root: string, readonly version: string, readonly date: string }} release
 */
export function writePage({ rows, sizes }, { root, version, date }) {
  const file = join(root, 'docs/environments.md');
  const text = readFileSync(file, 'utf8');
  const list = steps.map(({ name }, index) => `${index + 1}. ${name}\n`).join('');
  const results = `Version ${version}, ${date}.\n\n${tableOf(rows)}\n\n${list}`;
  writeFileSync(file, between(between(text, 'results', results), 'sizes', sizes));
}

/** Replaces the text between two markers. */
function between(text, name, content) {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const from = text.indexOf(start) + start.length;
  return `${text.slice(0, from)}\n${content.trim()}\n\n${text.slice(text.indexOf(end))}`;
}
