// Files that are opened once and read in pieces.
import fs, { SeekMode } from 'k6/experimental/fs';
import { cases } from '../lib/cases.js';

const file = await fs.open('../data/lines.txt');
const fails = async (promise) => {
  try {
    await promise();
    return 'works';
  } catch (e) {
    return e.name;
  }
};
const missing = await fails(() => fs.open('./nope.txt'));
const folder = await fails(() => fs.open('../data'));
const empty = await fails(() => fs.open(''));

async function from(place, length) {
  await file.seek(place, SeekMode.Start);
  const bytes = new Uint8Array(length);
  const count = await file.read(bytes);
  return [count, bytes];
}

export default cases({
  'the exports': () => [Object.keys(fs).sort(), SeekMode],
  'what cannot be opened': () => [missing, folder, empty],
  'opening a file while the test runs': () => fails(() => fs.open('../data/lines.txt')),
  'stat': () => file.stat(),
  'the path': () => file.path.endsWith('/data/lines.txt'),
  'the beginning': () => from(0, 4),
  'a part': () => from(2, 3),
  'more than there is': async () => (await from(0, 10000))[0] === (await file.stat()).size,
  'behind the end': async () => {
    await from(0, 10000);
    return file.read(new Uint8Array(4));
  },
  'nothing': () => from(0, 0),
  'one part after the other': async () => {
    await file.seek(0, SeekMode.Start);
    const bytes = new Uint8Array(3);
    await file.read(bytes);
    await file.read(bytes);
    return bytes;
  },
  'seek to and fro': async () => [await file.seek(3, SeekMode.Start), await file.seek(1, SeekMode.Current), await file.seek(-2, SeekMode.Current)],
  'seek to before the start': () => fails(() => file.seek(-1, SeekMode.Start)),
  'seek to behind the end': () => fails(() => file.seek(100000, SeekMode.Start)),
  'seek from the end to behind it': () => fails(() => file.seek(1, SeekMode.End)),
  'seek to nowhere': () => fails(() => file.seek()),
  'seek from nowhere': () => fails(() => file.seek(1)),
  'seek from an unknown place': () => fails(() => file.seek(1, 9)),
  'seek to a text': () => fails(() => file.seek('1', 0)),
  'read into nothing': () => fails(() => file.read()),
  'read into an ArrayBuffer': () => fails(() => file.read(new ArrayBuffer(3))),
  'read into other numbers': () => fails(() => file.read(new Uint16Array(3))),
});
