// Tags of the virtual user, set, read, deleted, and seen on samples.
import http from 'k6/http';
import exec from 'k6/execution';
import { check, group } from 'k6';
import { cases, throws } from '../lib/cases.js';

export default cases({
  'a tag is on the requests that follow': () => {
    exec.vu.metrics.tags.mine = 'yes';
    const status = http.get(`${__ENV.BASE}/fast`).status;
    delete exec.vu.metrics.tags.mine;
    return status;
  },
  'a deleted tag is gone': () => http.get(`${__ENV.BASE}/fast`).status,
  'a tag is on checks': () => {
    exec.vu.metrics.tags.seen = 'here';
    check(1, { 'is one': (value) => value === 1 });
    delete exec.vu.metrics.tags.seen;
  },
  'numbers and booleans become text': () => {
    exec.vu.metrics.tags.number = 5;
    exec.vu.metrics.tags.truth = true;
    const seen = [exec.vu.metrics.tags.number, exec.vu.metrics.tags.truth];
    delete exec.vu.metrics.tags.number;
    delete exec.vu.metrics.tags.truth;
    return seen;
  },
  'an object is refused': () => throws(() => { exec.vu.metrics.tags.bad = {}; }),
  'the group tag can be read': () => {
    let seen;
    group('inner', () => { seen = exec.vu.metrics.tags.group; });
    return seen;
  },
  'the group can be set by hand': () => {
    const before = exec.vu.metrics.tags.group;
    exec.vu.metrics.tags.group = '::elsewhere';
    check(1, { 'in a group': () => true });
    exec.vu.metrics.tags.group = before;
    return before;
  },
  'the scenario is a tag': () => exec.vu.metrics.tags.scenario,
  'the old name is the same object': () => {
    exec.vu.tags.alias = 'x';
    const seen = exec.vu.metrics.tags.alias;
    delete exec.vu.tags.alias;
    return seen;
  },
  'metadata is not a tag': () => {
    exec.vu.metrics.metadata.trace = 'abc';
    const seen = [exec.vu.metrics.metadata.trace, exec.vu.metrics.tags.trace];
    http.get(`${__ENV.BASE}/fast`);
    delete exec.vu.metrics.metadata.trace;
    return seen;
  },
});
