// Unknown options are only warned about.
export const options = { iterations: 2, noSuchOption: true };

export default function () {
  console.log('runs', __ITER);
}
