// Does a fixed amount of work as tests do (objects, text, sorting, patterns) and prints its processor time in
// seconds: `node scripts/reference-work.mjs`. It measures the speed of the machine under its present load.

const names = Array.from({ length: 2_000 }, (_, index) => `object-${(index * 7_919) % 2_000}`);
let length = 0;
for (let round = 0; round < 10; round += 1) {
  const objects = names.map((name, index) => ({
    metadata: { name, labels: { app: name, round: String(round) }, generation: index },
    spec: { ports: [{ name: 'http', port: index }], replicas: index % 7 },
  }));
  const copy = JSON.parse(JSON.stringify(objects));
  copy.sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  const byName = new Map(copy.map((object) => [object.metadata.name, structuredClone(object)]));
  for (const [name, { spec }] of byName) length += name.replace(/(\d)/g, '<$1>').length + spec.replicas;
}
if (length === 0) throw new Error('the work was left out');
const { user, system } = process.cpuUsage();
console.log((user + system) / 1e6);
