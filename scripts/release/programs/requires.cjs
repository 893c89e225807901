// Loads every entry point of the packages from CommonJS.
for (const name of require('./entry-points.json')) {
  const exports = Object.keys(require(name));
  if (exports.length === 0) throw new Error(`${name} exports nothing`);
}
