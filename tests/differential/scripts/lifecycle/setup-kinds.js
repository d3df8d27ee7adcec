// Setup may return plain values.
export const options = { iterations: 1 };

export function setup() {
  return 'just text';
}

export default function (data) {
  console.log(typeof data, data);
}
