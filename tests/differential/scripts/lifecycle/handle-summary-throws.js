// An exception in handleSummary is logged; the run is as it was.
export default function () {}

export function handleSummary() {
  throw new Error('no summary');
}
