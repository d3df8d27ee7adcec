// args: --vus 3
// Only a number of users: as many iterations as users.
export default function () {}
