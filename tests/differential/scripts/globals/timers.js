// Timers run after the main function; intervals stop when cleared; the iteration waits for all.
export default function () {
  const order = [];
  setTimeout(() => order.push('50'), 50);
  setTimeout(() => order.push('10'), 10);
  setTimeout((a, b) => order.push(a + b), 30, 'ar', 'gs');
  const cancelled = setTimeout(() => order.push('never'), 20);
  clearTimeout(cancelled);
  let ticks = 0;
  const interval = setInterval(() => {
    ticks += 1;
    if (ticks === 3) {
      clearInterval(interval);
    }
  }, 15);
  Promise.resolve().then(() => order.push('micro'));
  order.push('main');
  setTimeout(() => console.log(order.join(), ticks), 120);
}
