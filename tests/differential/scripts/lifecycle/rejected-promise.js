// An unhandled rejection ends the iteration with an error; handled ones do not.
export const options = { iterations: 2 };

export default async function () {
  await Promise.reject(new Error('handled')).catch((e) => console.log(e.message));
  if (__ITER === 1) {
    await Promise.reject(new Error('not handled'));
    console.log('never');
  }
  console.log('end of', __ITER);
}
