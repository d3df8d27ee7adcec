// An exception in init code: 107.
throw new Error('broken from the start');

export default function () {}
