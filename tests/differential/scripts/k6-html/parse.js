// What texts become as pages, and as text again.
import { parseHTML } from 'k6/html';
import { cases } from '../lib/cases.js';
import { shape } from '../lib/pages.js';

export default cases({
  'parseHTML(<input type=radio>).find(input).val()': () => shape(parseHTML('<input type=radio>').find('input').val()),
  'parseHTML(<input type=number>).find(input).val()': () => shape(parseHTML('<input type=number>').find('input').val()),
  'parseHTML(<button>x</button>).find(button).val()': () => shape(parseHTML('<button>x</button>').find('button').val()),
  'parseHTML(<li value=3>x</li>).find(li).val()': () => shape(parseHTML('<li value=3>x</li>').find('li').val()),
  'parseHTML(<meter value=3>x</meter>).find(meter).val()': () => shape(parseHTML('<meter value=3>x</meter>').find('meter').val()),
  'parseHTML(<select><option value=>a</option></select>).find(select).val()': () => shape(parseHTML('<select><option value="">a</option></select>').find('select').val()),
  'parseHTML(<select multiple><option value=>a</option></select>).find(select).val()': () => shape(parseHTML('<select multiple><option value="">a</option></select>').find('select').val()),
  'parseHTML(<textarea></textarea>).find(textarea).val()': () => shape(parseHTML('<textarea></textarea>').find('textarea').val()),
  'parseHTML(<p>x</p>).find(p).text(5)': () => shape(parseHTML('<p>x</p>').find('p').text(5)),
  'parseHTML().size()': () => shape(parseHTML('').size()),
  'parseHTML().html()': () => shape(parseHTML('').html()),
  'parseHTML(x).html()': () => shape(parseHTML('x').html()),
  'parseHTML(5).text()': () => shape(parseHTML(5).text()),
  'parseHTML(null).text()': () => shape(parseHTML(null).text()),
  'parseHTML({}).text()': () => shape(parseHTML({}).text()),
  'parseHTML(<template><b>x</b></template>).find(b).size()': () => shape(parseHTML('<template><b>x</b></template>').find('b').size()),
  'parseHTML(<p a=1 a=2>).find(p).attr(a)': () => shape(parseHTML('<p a=1 a=2>').find('p').attr('a')),
  'parseHTML(<a href=&amp;&eacute;&#x41;>é</a>).find(a).attr(href)': () => shape(parseHTML('<a href="&amp;&eacute;&#x41;">é</a>').find('a').attr('href')),
  'parseHTML(<p>a//u0000b</p>).find(p).text()': () => shape(parseHTML('<p>a\\u0000b</p>').find('p').text()),
  'parseHTML(<table><tr><td>x<p>y</table>).html()': () => shape(parseHTML('<table><tr><td>x<p>y</table>').html()),
  'parseHTML(<pre>//n//nx</pre>).html()': () => shape(parseHTML('<pre>\\n\\nx</pre>').html()),
  'parseHTML(<!DOCTYPE html PUBLIC a b><p>).html()': () => shape(parseHTML('<!DOCTYPE html PUBLIC "a" "b"><p>').html()),
  'parseHTML(<svg xlink:href=a/>).html()': () => shape(parseHTML('<svg xlink:href="a"/>').html()),
  'parseHTML(<script>a<b</script><style>a>b</style>).html()': () => shape(parseHTML('<script>a<b</script><style>a>b</style>').html()),
  'parseHTML(<!-- a > b --><p>).html()': () => shape(parseHTML('<!-- a > b --><p>').html()),
});
