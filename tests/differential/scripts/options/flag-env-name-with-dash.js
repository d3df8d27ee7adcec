// args: -e A-B=1
// A variable whose name no shell could set.
export default function () {}
