// Which selectors find what, those that are none included.
import { parseHTML } from 'k6/html';
import { cases } from '../lib/cases.js';
import { shape } from '../lib/pages.js';

const doc = parseHTML(`<!DOCTYPE html><html lang="en"><head><title>T &amp; t</title><meta name="x" content="y"></head><body class="c1 c2" id="top">
<h1 id="h">Hello <b>bold</b> <i>it</i></h1><!-- comment -->
<ul id="list"><li class="one">1</li><li class="two">2</li><li class="three">3</li><li>4<span>in</span></li></ul>
<div id="d1" data-num="5" data-float="1.5" data-t="true" data-f="false" data-n="null" data-o='{"a":1}' data-arr='[1,2]' data-str="plain" data-empty="" data-camel-case="cc" data-bad='{"a":' data-zero="007" data-exp="1e3"><p>para 1</p>text<p>para 2</p></div>
<a href="/path?q=1#frag" target="_blank" rel="nofollow x" hreflang="de">link</a><a href="http://user:pw@example.com:8080/p/a?x=y#z">abs</a><a>none</a>
<form id="f" action="/submit" method="post"><input type="text" name="t" value="tv"><input type="checkbox" name="c1" value="cv" checked><input type="checkbox" name="c2"><input type="radio" name="r" value="r1"><input type="radio" name="r" value="r2" checked><input type="hidden" name="h" value="hv"><input type="submit" name="s" value="sv"><input type="disabled" name="dis" value="d" disabled><input type="file" name="file"><input name="noval"><input value="noname"><select name="sel"><option value="a">A</option><option value="b" selected>B</option></select><select name="multi" multiple><option selected>m1</option><option>m2</option><option value="m3" selected>M3</option></select><select name="none"><option>n1</option><option>n2</option></select><textarea name="ta">text
area</textarea><button name="b" value="bv">btn</button></form>
<svg viewBox="0 0 1 1"><circle r="1"/></svg><table><tr><td>1</td><td colspan="2">2</td></tr></table><script>var a = "<b>";</script><br><img src="a.png" alt='q"uote'></body></html>`);

export default cases({
  'doc.find(li:first-child).text()': () => shape(doc.find('li:first-child').text()),
  'doc.find(li:last-child).text()': () => shape(doc.find('li:last-child').text()),
  'doc.find(li:nth-child(2)).text()': () => shape(doc.find('li:nth-child(2)').text()),
  'doc.find(li:nth-child(odd)).text()': () => shape(doc.find('li:nth-child(odd)').text()),
  'doc.find(li:nth-child(2n+1)).text()': () => shape(doc.find('li:nth-child(2n+1)').text()),
  'doc.find(li:nth-last-child(1)).text()': () => shape(doc.find('li:nth-last-child(1)').text()),
  'doc.find(li:first).text()': () => shape(doc.find('li:first').text()),
  'doc.find(li:contains(3)).text()': () => shape(doc.find('li:contains("3")').text()),
  'doc.find(li:contains(4in)).text()': () => shape(doc.find('li:contains(4in)').text()),
  'doc.find(li:containsOwn(in)).size()': () => shape(doc.find('li:containsOwn("in")').size()),
  'doc.find(li:has(span)).text()': () => shape(doc.find('li:has(span)').text()),
  'doc.find(li:not(.two)).text()': () => shape(doc.find('li:not(.two)').text()),
  'doc.find(li:not(.two, .one)).text()': () => shape(doc.find('li:not(.two, .one)').text()),
  'doc.find(li:matches(^[12]$)).text()': () => shape(doc.find('li:matches(^[12]$)').text()),
  'doc.find(p:empty).size()': () => shape(doc.find('p:empty').size()),
  'doc.find(br:empty).size()': () => shape(doc.find('br:empty').size()),
  'doc.find(:root).size()': () => shape(doc.find(':root').size()),
  'doc.find(li:only-child).size()': () => shape(doc.find('li:only-child').size()),
  'doc.find(h1 > b).text()': () => shape(doc.find('h1 > b').text()),
  'doc.find(h1>b, h1>i).text()': () => shape(doc.find('h1>b, h1>i').text()),
  'doc.find(h1 ~ ul).size()': () => shape(doc.find('h1 ~ ul').size()),
  'doc.find(h1 + ul).size()': () => shape(doc.find('h1 + ul').size()),
  'doc.find([href^=/]).size()': () => shape(doc.find('[href^="/"]').size()),
  'doc.find([href$=z]).size()': () => shape(doc.find('[href$=z]').size()),
  'doc.find([href*=exam]).size()': () => shape(doc.find('[href*=exam]').size()),
  'doc.find([rel~=x]).size()': () => shape(doc.find('[rel~=x]').size()),
  'doc.find([langor=en]).size()': () => shape(doc.find('[lang|=en]').size()),
  'doc.find([name!=t]).size()': () => shape(doc.find('[name!=t]').size()),
  'doc.find([name#=(^t$)]).size()': () => shape(doc.find('[name#=(^t$)]').size()),
  'doc.find([data-num=5]).size()': () => shape(doc.find('[data-num=5]').size()),
  'doc.find([DATA-NUM=5]).size()': () => shape(doc.find('[DATA-NUM=5]').size()),
  'doc.find(*).size()': () => shape(doc.find('*').size()),
  'doc.find(body *).size()': () => shape(doc.find('body *').size()),
  'doc.find(:input).size()': () => shape(doc.find(':input').size()),
  'doc.find(:checked).size()': () => shape(doc.find(':checked').size()),
  'doc.find(:disabled).size()': () => shape(doc.find(':disabled').size()),
  'doc.find(:enabled).size()': () => shape(doc.find(':enabled').size()),
  'doc.find(:selected).size()': () => shape(doc.find(':selected').size()),
  'doc.find(option:selected).size()': () => shape(doc.find('option:selected').size()),
  'doc.find(:text).size()': () => shape(doc.find(':text').size()),
  'doc.find(a:link).size()': () => shape(doc.find('a:link').size()),
  'doc.find(li:lang(en)).size()': () => shape(doc.find('li:lang(en)').size()),
  'doc.find(li:eq(1)).size()': () => shape(doc.find('li:eq(1)').size()),
  'doc.find(>).size()': () => shape(doc.find('>').size()),
  'doc.find(> body).size()': () => shape(doc.find('> body').size()),
  'doc.find(li[).size()': () => shape(doc.find('li[').size()),
  'doc.find(#1).size()': () => shape(doc.find('#1').size()),
  'doc.find(li:nope).size()': () => shape(doc.find('li:nope').size()),
  'doc.find(.c1.c2).size()': () => shape(doc.find('.c1.c2').size()),
  'doc.find(body.c1#top).size()': () => shape(doc.find('body.c1#top').size()),
  'doc.find([type=radio]:not([checked])).attr(value)': () => shape(doc.find('[type=radio]:not([checked])').attr('value')),
});
