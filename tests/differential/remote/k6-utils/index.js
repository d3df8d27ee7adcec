// A library in the style of those that k6 scripts import by URL: random values, stages, texts between texts.
import exec from 'k6/execution';
import { hex } from './hex.js';

export function uuidv4() {
  const bytes = new Uint8Array(16);
  crypto.getRandomValues(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = hex(bytes);
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

export function randomIntBetween(min, max) {
  return Math.floor(Math.random() * (max - min + 1)) + min;
}

export function randomItem(list) {
  return list[Math.floor(Math.random() * list.length)];
}

export function randomString(length, charset = 'abcdefghijklmnopqrstuvwxyz') {
  return Array.from({ length }, () => charset[randomIntBetween(0, charset.length - 1)]).join('');
}

export function findBetween(content, left, right, repeat = false) {
  const found = [];
  let from = content.indexOf(left);
  while (from >= 0) {
    const start = from + left.length;
    const end = content.indexOf(right, start);
    if (end < 0) break;
    found.push(content.slice(start, end));
    if (!repeat) return found[0];
    from = content.indexOf(left, end + right.length);
  }
  return repeat ? found : null;
}

const UNITS = { d: 86400000, h: 3600000, m: 60000, s: 1000, ms: 1 };

export function parseDuration(text) {
  if (typeof text !== 'string' || text.length === 0) throw new Error('a duration is a text');
  let sum = 0;
  const rest = text.replace(/([0-9.]+)(ms|[dhms])/g, (_, number, unit) => {
    sum += Number(number) * UNITS[unit];
    return '';
  });
  if (rest !== '') throw new Error(`${rest} is no part of a duration`);
  return sum;
}

export function normalDistributionStages(maxVus, durationSeconds, numberOfStages = 10) {
  const stages = [];
  for (let i = 0; i < numberOfStages; i++) {
    const x = ((i + 0.5) / numberOfStages) * 4 - 2;
    stages.push({ duration: `${durationSeconds / numberOfStages}s`, target: Math.ceil(maxVus * Math.exp(-(x * x) / 2)) });
  }
  return stages.concat({ duration: '1s', target: 0 });
}

export function getCurrentStageIndex() {
  const { stages } = exec.test.options.scenarios[exec.scenario.name];
  if (!stages) throw new Error('this scenario has no stages');
  const elapsed = Date.now() - exec.scenario.startTime;
  let end = 0;
  for (let i = 0; i < stages.length; i++) {
    end += parseDuration(stages[i].duration);
    if (elapsed < end) return i;
  }
  return stages.length - 1;
}

export function tagWithCurrentStageIndex() {
  exec.vu.metrics.tags.stage = getCurrentStageIndex();
}
