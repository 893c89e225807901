// A file of ten tests: on the test server, with controller-runtime's fake client, and with envtest.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { goProgram } from './informer-client-go.mjs';
import { line, median } from './measure.mjs';

/** Measures whole processes, from their start to their end. The peers have no budget. */
export async function benchTenTests({ node, root, rounds }) {
  const folder = join(root, 'test/bench/testserver');
  const ten = measured('ten tests: kgen', rounds, () => run(node, ['--test', join(folder, 'ten.mjs')]));
  const program = await goProgram(join(folder, 'go'), 'controller-runtime-tests', ['test', '-c']);
  const peers = program === undefined ? [] : peersOf({ node, root, program, rounds });
  return [ten, ...peers];
}

function peersOf({ node, root, program, rounds }) {
  const args = ['-test.v'];
  const fake = { ...process.env, TEN: 'fake' };
  const assets = execFileSync(node, [join(root, 'test/envtest/build.mjs')], { encoding: 'utf8' }).trim();
  const crd = join(root, 'crds/rediscluster.yaml');
  const real = { ...process.env, KUBEBUILDER_ASSETS: assets.split('\n').at(-1), CRD: crd };
  return [
    measured("ten tests: controller-runtime's fake client", rounds, () => run(program, args, fake)),
    measured('ten tests: envtest', rounds, () => run(program, args, real)),
  ];
}

function measured(what, rounds, measure) {
  const runs = Array.from({ length: rounds }, measure);
  const values = runs.map(({ ms }) => ms);
  const passed = Math.min(...runs.map((each) => each.passed));
  const name = `${what}, ${passed} of 10 passed`;
  console.log(line(name, values, 'ms'));
  return { what: name, value: median(values), best: Math.min(...values), unit: 'ms' };
}

function run(command, args, env = process.env) {
  const started = performance.now();
  const { stdout } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { ms: performance.now() - started, passed: (stdout.match(/^(ok \d|--- PASS|✔ )/gm) ?? []).length };
}
