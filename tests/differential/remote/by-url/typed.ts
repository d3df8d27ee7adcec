export enum Kind { First, Second }
export const name: string = 'typed';
