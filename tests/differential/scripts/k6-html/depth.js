// Pages with many elements inside one another, and what buttons say about the submission of their form.
import { parseHTML } from 'k6/html';
import { cases } from '../lib/cases.js';

const all = {};
for (const tag of ['div', 'b', 'p', 'li', 'span']) {
  for (const count of [10, 500, 510, 511, 1000, 20000]) {
    all[`${count} ${tag}`] = () => parseHTML(`<${tag}>`.repeat(count)).find(tag).size();
  }
}
for (const count of [100, 127, 128, 200]) {
  all[`${count} tables`] = () => parseHTML('<table><tr><td>'.repeat(count)).find('table').size();
}
all['closed again'] = () => parseHTML('<div></div>'.repeat(5000)).find('div').size();

const buttons = parseHTML(`
  <form method="post" enctype="text/plain">
    <button id="upper" formmethod="POST"></button><button id="dialog" formmethod="dialog"></button>
    <button id="mixed" formmethod="Get"></button><button id="silent"></button>
    <input id="input" type="submit" formmethod="PoSt" formenctype="TEXT/plain">
    <button id="unknown" formmethod="zz" formenctype="multipart/form-data"></button>
    <button id="empty" formmethod="" formenctype=""></button>
  </form>
  <form id="f" method="POST" enctype="TEXT/PLAIN"><button id="of-upper"></button></form>
  <form method="dialog" enctype="zz"><button id="of-dialog"></button></form>
  <button id="alone"></button><button id="linked" form="f"></button>
  <form method="Get" enctype="multipart/form-data"><input id="of-multipart"></form>`);
for (const id of ['upper', 'dialog', 'mixed', 'silent', 'input', 'unknown', 'empty', 'of-upper', 'of-dialog', 'alone', 'linked', 'of-multipart']) {
  all[`method ${id}`] = () => buttons.find(`#${id}`).get(0).formMethod();
  all[`enctype ${id}`] = () => buttons.find(`#${id}`).get(0).formEnctype();
}

export default cases(all);
