// Time that the compiler needs for generated clients: a program that uses one, minus an empty program in the
// same project.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMs, figures, interleaved, median, printAll, wallMs } from './measure.mjs';
import { applications, everyPod, everyPodByPath, everyPodOfClientNode, workflows } from './programs.mjs';
import { makeProject } from './project.mjs';
import { writeWorkflows } from './workflows.mjs';

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

const empty = 'export {};\n';

/** Measures the client of argoproj.io/v1alpha1, whose types are the largest of the corpus. */
export function benchTypecheckCrds({ node, root, corpus, rounds, folder }) {
  const project = makeProject({ root, folder });
  const crds = join(corpus, 'crds/argo-cd');
  wallMs(node, [join(root, 'src/kgen/bin/kgen.js'), crds, '--out', join(project, 'generated')]);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compile = (name, text) => {
    const settings = writeProgram(project, name, text);
    return () => cpuMs(node, [tsc, '-p', settings]);
  };
  const raw = interleaved(rounds, {
    'tsc, empty program': compile('empty', empty),
    'tsc, program with the client of argoproj.io': compile('applications', applications),
  });
  printAll(raw, 'ms of processor time');
  const [base, used] = Object.values(raw).map(median);
  return [
    {
      what: 'type-check of a program with argoproj.io/v1alpha1: processor time over that of an empty one',
      value: used / base,
      unit: '×',
    },
  ];
}

/**
 * Measures the client of large definitions, in which most parts occur many times, compared with that of the
 * same kinds whose `spec` and `status` are free-form.
 */
export function benchTypecheckWorkflows({ node, root, corpus, rounds, folder }) {
  const project = makeProject({ root, folder });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compileOf = (name, isMinimal) => {
    const definitions = mkdtempSync(join(folder, 'workflows-'));
    writeWorkflows(join(corpus, 'openapi/kubernetes-v2.json'), definitions, isMinimal);
    wallMs(node, [join(root, 'src/kgen/bin/kgen.js'), definitions, '--out', join(project, name)]);
    const settings = writeProgram(project, `${name}-program`, workflows(name));
    return () => cpuMs(node, [tsc, '-p', settings]);
  };
  const raw = interleaved(rounds, {
    'tsc, program with the client of workflows': compileOf('workflows', false),
    'tsc, the same kinds without schemas': compileOf('minimal', true),
  });
  printAll(raw, 'ms CPU');
  const [large, minimal] = Object.values(raw);
  return [
    {
      what: 'type-check of a program with the client of workflows over that of the kinds without schemas',
      value: median(large) / median(minimal),
      unit: '×',
    },
  ];
}

/** Measures the whole built-in API. */
export function benchTypecheckKubernetes({ node, root, rounds, project, clientNode }) {
  const compile = compilerFor(node, root);
  const raw = interleaved(rounds, {
    'tsc, empty program': compile(project, 'empty', empty),
    'tsc, one call of the Clientset': compile(project, 'whole', everyPod.whole),
    'tsc, one call of core/v1 alone': compile(project, 'single', everyPod.single),
    'tsc, one call of RESTClient<paths>': compile(project, 'by-path', everyPodByPath),
    ...(clientNode === undefined
      ? {}
      : {
          'tsc, empty program beside client-node': compile(clientNode, 'empty', empty),
          'tsc, one call of client-node': compile(clientNode, 'call', everyPodOfClientNode),
        }),
  });
  printAll(raw, 'ms');
  const [base, whole, single, byPath, theirBase, theirs] = Object.values(raw);
  const over = (values) => ({ ...figures(values, base), unit: 'ms' });
  return [
    {
      what: 'type-check of one call of the Clientset over an empty program',
      ...over(whole),
      ...(theirs === undefined ? {} : { clientNode: figures(theirs, theirBase).value }),
    },
    { what: 'type-check of one call of core/v1 alone over an empty program', ...over(single) },
    { what: 'type-check of one call of RESTClient<paths> over an empty program', ...over(byPath) },
  ];
}

/** Returns a function that writes a program, compiles it, and returns the milliseconds. */
function compilerFor(node, root) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return (project, name, text) => {
    const settings = writeProgram(project, name, text);
    return () => wallMs(node, [tsc, '-p', settings]);
  };
}

/** Writes a program, and returns the path of its settings. */
function writeProgram(project, name, text) {
  const settings = join(project, `${name}.json`);
  writeFileSync(join(project, `${name}.ts`), text);
  writeFileSync(settings, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  return settings;
}
