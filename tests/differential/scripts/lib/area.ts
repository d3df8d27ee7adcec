export interface Shape { w: number; h: number }
export const area = (s: Shape): number => s.w * s.h;
