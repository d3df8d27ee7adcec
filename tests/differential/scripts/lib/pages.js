// Selections and elements as values that two programs can be compared by.
export function shape(value) {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.toArray === 'function') return value.toArray().map((one) => shape(one.get(0)));
  if (typeof value.nodeName === 'function') {
    const id = typeof value.id === 'function' ? value.id() : '';
    return `<${value.nodeName()}${id ? `#${id}` : ''}>`;
  }
  return value;
}
