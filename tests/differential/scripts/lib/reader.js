// Opens a file relative to itself, not to the script that imports it.
export const text = open('../data/lines.txt');
