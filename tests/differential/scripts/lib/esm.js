export const q = 1;
export default 5;
