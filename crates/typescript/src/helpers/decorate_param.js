// A decorator of a parameter as a decorator of its method.
export default function decorateParam(index, decorator) {
  return (target, key) => decorator(target, key, index);
}
