import { count } from './part.js';

// The same instance of the module as the others have.
export const again = () => count();
