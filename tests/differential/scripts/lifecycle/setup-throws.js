// An exception in setup ends the run with 107.
export function setup() {
  throw new Error('no setup today');
}

export default function () {
  console.log('never');
}
