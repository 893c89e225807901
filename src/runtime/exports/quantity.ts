/** Arithmetic of quantities: `100m`, `1Gi`. */

export type { QuantityFormat, QuantityInput, QuantityValue } from '../values/quantity.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityToNumber,
  quantityValue,
  subtractQuantities,
} from '../values/quantity.ts';
