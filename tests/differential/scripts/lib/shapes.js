// Default and named exports, and state shared with another module.
import { count } from './counting.js';

export default { name: 'shapes' };

export function area(width, height) {
  return width * height;
}

export const counter = () => count();
