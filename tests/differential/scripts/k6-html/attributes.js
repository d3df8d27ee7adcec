// Every method that only some kinds of elements have, without its attribute and with several values of it.
import { parseHTML } from 'k6/html';
import { cases } from '../lib/cases.js';
import { shape } from '../lib/pages.js';

const IN_TABLE = (html) => `<table><tr>${html}</tr></table>`;
const AROUND = {
  tr: (html) => `<table><tbody>${html}</tbody></table>`,
  td: IN_TABLE,
  th: IN_TABLE,
  col: (html) => `<table><colgroup>${html}</colgroup></table>`,
  thead: (html) => `<table>${html}</table>`,
  option: (html) => `<select>${html}</select>`,
  optgroup: (html) => `<select>${html}</select>`,
};
const SPECIAL = {
  httpEquiv: 'http-equiv', acceptCharset: 'accept-charset', htmlFor: 'for', defaultChecked: 'checked', defaultSelected: 'selected', defaultMuted: 'muted',
};
const VALUES = ['7', 'x', '-3', 'on', 'off', 'post', 'origin', 'text/plain', 'anonymous', 'reset', 'none', 'col', 'A', 'EC', 'captions', 'hard', 'refresh'];
const METHODS = {
  a: 'accessKey download hash host hostname href hrefLang origin password pathname port protocol referrerPolicy rel relList search target text type username',
  area: 'accessKey download hash host hostname href hrefLang origin password pathname port protocol referrerPolicy rel relList search target text type username',
  base: 'href target',
  button: 'accessKey autofocus disabled form formAction formEnctype formNoValidate formTarget labels name tabIndex type value',
  form: 'acceptCharset action autocomplete elements encoding enctype length method name noValidate target',
  fieldset: 'disabled elements form name type validity',
  input: 'accept accessKey alt autocomplete autofocus checked defaultChecked dirName disabled form formAction formEnctype formMethod formNoValidate formTarget height labels list max maxLength min multiple name pattern placeholder readonly required size src step tabIndex type width',
  select: 'autofocus disabled form labels length multiple name options required selectedIndex selectedOptions size tabIndex type value',
  option: 'defaultSelected disabled form index label selected text value',
  optgroup: 'disabled label',
  textarea: 'accessKey autocapitalize autocomplete cols form labels maxLength placeholder readOnly required rows tabIndex type wrap',
  label: 'form htmlFor',
  legend: 'accessKey form',
  output: 'defaultValue form htmlFor labels name type value',
  img: 'alt crossOrigin currentSrc height isMap name referrerPolicy sizes src srcset useMap width',
  iframe: 'allowfullscreen height name referrerPolicy src width',
  embed: 'height src type width',
  object: 'data form height name tabIndex type typeMustMatch useMap width',
  audio: 'autoplay controls crossOrigin currentSrc defaultMuted loop mediaGroup muted preload src textTracks',
  source: 'keySystem media sizes src srcset type',
  track: 'default kind label src srclang',
  script: 'async charset crossOrigin defer noModule src text type',
  style: 'media',
  link: 'crossOrigin href hreflang media referrerPolicy rel relList target type',
  table: 'caption rows sortable tBodies tFoot tHead',
  tr: 'cells rowIndex sectionRowIndex',
  td: 'cellIndex colSpan headers rowSpan',
  th: 'abbr cellIndex colSpan headers rowSpan scope sorted',
  col: 'span',
  thead: 'rows',
  meter: 'high labels low max min optimum',
  progress: 'labels max position value',
  canvas: 'height width',
  data: 'value',
  datalist: 'options',
  keygen: 'autofocus challenge disabled form keytype labels name type',
  li: 'type value',
  map: 'areas name',
  meta: 'content httpEquiv name',
  ins: 'cite datetime',
  ol: 'reversed start type',
  param: 'name value',
  pre: 'name value',
  time: 'datetime',
  title: 'text',
  ul: 'type',
};

const all = {};
for (const [tag, methods] of Object.entries(METHODS)) {
  const element = (attribute) => {
    const html = `<${tag} ${attribute}></${tag}>`;
    return parseHTML(AROUND[tag] ? AROUND[tag](html) : html).find(tag).get(0);
  };
  for (const method of methods.split(' ')) {
    const attribute = SPECIAL[method] || method.toLowerCase();
    all[`${tag} ${method}`] = () => [shape(element('')[method]()), ...VALUES.map((value) => shape(element(`${attribute}="${value}"`)[method]()))];
  }
}

export default cases(all);
