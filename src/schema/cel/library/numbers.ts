/** Returns a number as Go prints it with %g: exponents from 1e21 on, and below 1e-4. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  if (value !== 0 && (magnitude < 1e-4 || magnitude >= 1e21))
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}
