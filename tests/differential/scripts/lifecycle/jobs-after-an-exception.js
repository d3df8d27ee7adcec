// mask: errors
// What was promised before an exception is done in the iteration that threw, what a timer was to do is not.
export const options = { iterations: 3, vus: 1 };

export default function () {
  const now = __ITER;
  Promise.resolve()
    .then(() => console.log('job of', now, 'in', __ITER))
    .then(() => {
      if (now < 2) throw new Error('later');
    })
    .catch(() => console.log('caught', now, 'in', __ITER));
  setTimeout(() => console.log('timer of', now), 2);
  if (now === 0) throw new Error('now');
}
