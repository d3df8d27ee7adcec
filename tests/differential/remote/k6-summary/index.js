// A library in the style of those that k6 scripts import by URL: the summary as text and as jUnit's XML.
const escaped = (text) => text.replace(/[<>&"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

export function humanizeValue(value, metric) {
  if (metric.contains === 'time') return `${value.toFixed(2)}ms`;
  if (metric.type === 'rate') return `${(value * 100).toFixed(2)}%`;
  if (metric.contains === 'data') return `${value} B`;
  return String(value);
}

export function textSummary(data, { indent = ' ' } = {}) {
  const lines = [];
  const walk = (group, depth) => {
    for (const check of group.checks) {
      lines.push(`${indent.repeat(depth)}${check.fails ? '✗' : '✓'} ${check.name} ${check.passes}/${check.passes + check.fails}`);
    }
    for (const inner of group.groups) {
      lines.push(`${indent.repeat(depth)}█ ${inner.name}`);
      walk(inner, depth + 1);
    }
  };
  walk(data.root_group, 1);
  for (const name of Object.keys(data.metrics).sort()) {
    const { type, values } = data.metrics[name];
    lines.push(`${indent}${name} ${type} ${Object.keys(values).sort().join()}`);
  }
  return lines.join('\n');
}

export function jUnit(data, { name = 'k6 thresholds' } = {}) {
  const cases = [];
  let failures = 0;
  for (const metric of Object.keys(data.metrics).sort()) {
    const thresholds = data.metrics[metric].thresholds || {};
    for (const expression of Object.keys(thresholds).sort()) {
      const { ok } = thresholds[expression];
      if (!ok) failures++;
      cases.push(`<testcase name="${escaped(metric)} - ${escaped(expression)}">${ok ? '' : '<failure message="failed" />'}</testcase>`);
    }
  }
  return `<?xml version="1.0"?><testsuites tests="${cases.length}" failures="${failures}"><testsuite name="${escaped(name)}">${cases.join('')}</testsuite></testsuites>`;
}
