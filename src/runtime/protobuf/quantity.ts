const pattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Whether a text is an amount, such as `500m`, `1Gi` or `1e3`. */
export function isQuantity(text: string): boolean {
  return pattern.test(text);
}
