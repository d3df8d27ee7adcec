// A script that does not parse: 107.
export default function () {
  const = 5;
}
