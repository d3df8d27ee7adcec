// An option of the wrong type is a configuration error.
export const options = { vus: 'many' };

export default function () {}
