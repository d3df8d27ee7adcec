// Nothing: what starting and ending costs.
export default function () {}
