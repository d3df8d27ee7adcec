// What TypeScript's `experimentalDecorators` mean: the last decorator is applied first, to a class or to a property.
export default function decorate(decorators, target, key, descriptor) {
  const isClass = arguments.length < 3;
  let result = descriptor;
  if (isClass) result = target;
  else if (descriptor === null) result = Object.getOwnPropertyDescriptor(target, key);
  for (let at = decorators.length - 1; at >= 0; at--) {
    const decorator = decorators[at];
    if (!decorator) continue;
    let replaced;
    if (isClass) replaced = decorator(result);
    else if (arguments.length > 3) replaced = decorator(target, key, result);
    else replaced = decorator(target, key);
    result = replaced || result;
  }
  if (!isClass && arguments.length > 3 && result) Object.defineProperty(target, key, result);
  return result;
}
