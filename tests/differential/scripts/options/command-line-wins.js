// env: K6_ITERATIONS=5
// args: -i 2 -e NAME=value -e EMPTY= --env OTHER=a=b
// The command line wins over the environment; -e sets __ENV only.
export const options = { iterations: 9 };

export default function () {
  console.log(__ENV.NAME, __ENV.EMPTY, __ENV.OTHER, __ENV.NOT_SET);
}
