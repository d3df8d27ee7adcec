// mask: errors
// env: K6_FEATURES=nonsense
// A feature flag that there is not is told, and the test runs.
export default function () {
  console.log('runs');
}
