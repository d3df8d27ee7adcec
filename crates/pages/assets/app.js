/*! https://github.com/leeoniya/uPlot (v1.6.32) */
var uPlot=function(){"use strict";const l="u-off",e="u-label",t="width",n="height",i="top",o="bottom",s="left",r="right",u="#000",a=u+"0",f="mousemove",c="mousedown",h="mouseup",d="mouseenter",p="mouseleave",m="dblclick",g="change",x="dppxchange",w="--",_="undefined"!=typeof window,b=_?document:null,v=_?window:null,k=_?navigator:null;let y,M;function S(l,e){if(null!=e){let t=l.classList;!t.contains(e)&&t.add(e)}}function T(l,e){let t=l.classList;t.contains(e)&&t.remove(e)}function E(l,e,t){l.style[e]=t+"px"}function z(l,e,t,n){let i=b.createElement(l);return null!=e&&S(i,e),null!=t&&t.insertBefore(i,n),i}function D(l,e){return z("div",l,e)}const P=new WeakMap;function A(e,t,n,i,o){let s="translate("+t+"px,"+n+"px)";s!=P.get(e)&&(e.style.transform=s,P.set(e,s),0>t||0>n||t>i||n>o?S(e,l):T(e,l))}const W=new WeakMap;function Y(l,e,t){let n=e+t;n!=W.get(l)&&(W.set(l,n),l.style.background=e,l.style.borderColor=t)}const C=new WeakMap;function H(l,e,t,n){let i=e+""+t;i!=C.get(l)&&(C.set(l,i),l.style.height=t+"px",l.style.width=e+"px",l.style.marginLeft=n?-e/2+"px":0,l.style.marginTop=n?-t/2+"px":0)}const F={passive:!0},R={...F,capture:!0};function G(l,e,t,n){e.addEventListener(l,t,n?R:F)}function I(l,e,t){e.removeEventListener(l,t,F)}function L(l,e,t,n){let i;t=t||0;let o=2147483647>=(n=n||e.length-1);for(;n-t>1;)i=o?t+n>>1:sl((t+n)/2),l>e[i]?t=i:n=i;return l-e[t]>e[n]-l?n:t}function O(l){return(e,t,n)=>{let i=-1,o=-1;for(let o=t;n>=o;o++)if(l(e[o])){i=o;break}for(let i=n;i>=t;i--)if(l(e[i])){o=i;break}return[i,o]}}_&&function l(){let e=devicePixelRatio;y!=e&&(y=e,M&&I(g,M,l),M=matchMedia(`(min-resolution: ${y-.001}dppx) and (max-resolution: ${y+.001}dppx)`),G(g,M,l),v.dispatchEvent(new CustomEvent(x)))}();const N=l=>null!=l,j=l=>null!=l&&l>0,U=O(N),V=O(j);function B(l,e,t,n){let i=hl(l),o=hl(e);l==e&&(-1==i?(l*=t,e/=t):(l/=t,e*=t));let s=10==t?dl:pl,r=1==o?ul:sl,u=(1==i?sl:ul)(s(ol(l))),a=r(s(ol(e))),f=cl(t,u),c=cl(t,a);return 10==t&&(0>u&&(f=Al(f,-u)),0>a&&(c=Al(c,-a))),n||2==t?(l=f*i,e=c*o):(l=Pl(l,f),e=Dl(e,c)),[l,e]}function $(l,e,t,n){let i=B(l,e,t,n);return 0==l&&(i[0]=0),0==e&&(i[1]=0),i}const J=.1,q={mode:3,pad:J},K={pad:0,soft:null,mode:0},X={min:K,max:K};function Z(l,e,t,n){return Ol(t)?ll(l,e,t):(K.pad=t,K.soft=n?0:null,K.mode=n?3:0,ll(l,e,X))}function Q(l,e){return null==l?e:l}function ll(l,e,t){let n=t.min,i=t.max,o=Q(n.pad,0),s=Q(i.pad,0),r=Q(n.hard,-gl),u=Q(i.hard,gl),a=Q(n.soft,gl),f=Q(i.soft,-gl),c=Q(n.mode,0),h=Q(i.mode,0),d=e-l,p=dl(d),m=fl(ol(l),ol(e)),g=dl(m),x=ol(g-p);(1e-24>d||x>10)&&(d=0,0!=l&&0!=e||(d=1e-24,2==c&&a!=gl&&(o=0),2==h&&f!=-gl&&(s=0)));let w=d||m||1e3,_=dl(w),b=cl(10,sl(_)),v=Al(Pl(l-w*(0==d?0==l?.1:1:o),b/10),24),k=a>l||1!=c&&(3!=c||v>a)&&(2!=c||a>v)?gl:a,y=fl(r,k>v&&l>=k?k:al(k,v)),M=Al(Dl(e+w*(0==d?0==e?.1:1:s),b/10),24),S=e>f||1!=h&&(3!=h||f>M)&&(2!=h||M>f)?-gl:f,T=al(u,M>S&&S>=e?S:fl(S,M));return y==T&&0==y&&(T=100),[y,T]}const el=new Intl.NumberFormat(_?k.language:"en-US"),tl=l=>el.format(l),nl=Math,il=nl.PI,ol=nl.abs,sl=nl.floor,rl=nl.round,ul=nl.ceil,al=nl.min,fl=nl.max,cl=nl.pow,hl=nl.sign,dl=nl.log10,pl=nl.log2,ml=(l,e=1)=>nl.asinh(l/e),gl=1/0;function xl(l){return 1+(0|dl((l^l>>31)-(l>>31)))}function wl(l,e,t){return al(fl(l,e),t)}function _l(l){return"function"==typeof l}function bl(l){return _l(l)?l:()=>l}const vl=l=>l,kl=(l,e)=>e,yl=()=>null,Ml=()=>!0,Sl=(l,e)=>l==e,Tl=/\.\d*?(?=9{6,}|0{6,})/gm,El=l=>{if(Il(l)||Wl.has(l))return l;const e=""+l,t=e.match(Tl);if(null==t)return l;let n=t[0].length-1;if(-1!=e.indexOf("e-")){let[l,t]=e.split("e");return+`${El(l)}e${t}`}return Al(l,n)};function zl(l,e){return El(Al(El(l/e))*e)}function Dl(l,e){return El(ul(El(l/e))*e)}function Pl(l,e){return El(sl(El(l/e))*e)}function Al(l,e=0){if(Il(l))return l;let t=10**e;return rl(l*t*(1+Number.EPSILON))/t}const Wl=new Map;function Yl(l){return((""+l).split(".")[1]||"").length}function Cl(l,e,t,n){let i=[],o=n.map(Yl);for(let s=e;t>s;s++){let e=ol(s),t=Al(cl(l,s),e);for(let r=0;n.length>r;r++){let u=10==l?+`${n[r]}e${s}`:n[r]*t,a=(0>s?e:0)+(o[r]>s?o[r]:0),f=10==l?u:Al(u,a);i.push(f),Wl.set(f,a)}}return i}const Hl={},Fl=[],Rl=[null,null],Gl=Array.isArray,Il=Number.isInteger;function Ll(l){return"string"==typeof l}function Ol(l){let e=!1;if(null!=l){let t=l.constructor;e=null==t||t==Object}return e}function Nl(l){return null!=l&&"object"==typeof l}const jl=Object.getPrototypeOf(Uint8Array),Ul="__proto__";function Vl(l,e=Ol){let t;if(Gl(l)){let n=l.find((l=>null!=l));if(Gl(n)||e(n)){t=Array(l.length);for(let n=0;l.length>n;n++)t[n]=Vl(l[n],e)}else t=l.slice()}else if(l instanceof jl)t=l.slice();else if(e(l)){t={};for(let n in l)n!=Ul&&(t[n]=Vl(l[n],e))}else t=l;return t}function Bl(l){let e=arguments;for(let t=1;e.length>t;t++){let n=e[t];for(let e in n)e!=Ul&&(Ol(l[e])?Bl(l[e],Vl(n[e])):l[e]=Vl(n[e]))}return l}function $l(l,e,t){for(let n,i=0,o=-1;e.length>i;i++){let s=e[i];if(s>o){for(n=s-1;n>=0&&null==l[n];)l[n--]=null;for(n=s+1;t>n&&null==l[n];)l[o=n++]=null}}}const Jl="undefined"==typeof queueMicrotask?l=>Promise.resolve().then(l):queueMicrotask,ql=["January","February","March","April","May","June","July","August","September","October","November","December"],Kl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Xl(l){return l.slice(0,3)}const Zl=Kl.map(Xl),Ql=ql.map(Xl),le={MMMM:ql,MMM:Ql,WWWW:Kl,WWW:Zl};function ee(l){return(10>l?"0":"")+l}const te={YYYY:l=>l.getFullYear(),YY:l=>(l.getFullYear()+"").slice(2),MMMM:(l,e)=>e.MMMM[l.getMonth()],MMM:(l,e)=>e.MMM[l.getMonth()],MM:l=>ee(l.getMonth()+1),M:l=>l.getMonth()+1,DD:l=>ee(l.getDate()),D:l=>l.getDate(),WWWW:(l,e)=>e.WWWW[l.getDay()],WWW:(l,e)=>e.WWW[l.getDay()],HH:l=>ee(l.getHours()),H:l=>l.getHours(),h:l=>{let e=l.getHours();return 0==e?12:e>12?e-12:e},AA:l=>12>l.getHours()?"AM":"PM",aa:l=>12>l.getHours()?"am":"pm",a:l=>12>l.getHours()?"a":"p",mm:l=>ee(l.getMinutes()),m:l=>l.getMinutes(),ss:l=>ee(l.getSeconds()),s:l=>l.getSeconds(),fff:l=>function(l){return(10>l?"00":100>l?"0":"")+l}(l.getMilliseconds())};function ne(l,e){e=e||le;let t,n=[],i=/\{([a-z]+)\}|[^{]+/gi;for(;t=i.exec(l);)n.push("{"==t[0][0]?te[t[1]]:t[0]);return l=>{let t="";for(let i=0;n.length>i;i++)t+="string"==typeof n[i]?n[i]:n[i](l,e);return t}}const ie=(new Intl.DateTimeFormat).resolvedOptions().timeZone,oe=l=>l%1==0,se=[1,2,2.5,5],re=Cl(10,-32,0,se),ue=Cl(10,0,32,se),ae=ue.filter(oe),fe=re.concat(ue),ce="{YYYY}",he="\n"+ce,de="{M}/{D}",pe="\n"+de,me=pe+"/{YY}",ge="{aa}",xe="{h}:{mm}"+ge,we="\n"+xe,_e=":{ss}",be=null;function ve(l){let e=1e3*l,t=60*e,n=60*t,i=24*n,o=30*i,s=365*i;return[(1==l?Cl(10,0,3,se).filter(oe):Cl(10,-3,0,se)).concat([e,5*e,10*e,15*e,30*e,t,5*t,10*t,15*t,30*t,n,2*n,3*n,4*n,6*n,8*n,12*n,i,2*i,3*i,4*i,5*i,6*i,7*i,8*i,9*i,10*i,15*i,o,2*o,3*o,4*o,6*o,s,2*s,5*s,10*s,25*s,50*s,100*s]),[[s,ce,be,be,be,be,be,be,1],[28*i,"{MMM}",he,be,be,be,be,be,1],[i,de,he,be,be,be,be,be,1],[n,"{h}"+ge,me,be,pe,be,be,be,1],[t,xe,me,be,pe,be,be,be,1],[e,_e,me+" "+xe,be,pe+" "+xe,be,we,be,1],[l,_e+".{fff}",me+" "+xe,be,pe+" "+xe,be,we,be,1]],function(e){return(r,u,a,f,c,h)=>{let d=[],p=c>=s,m=c>=o&&s>c,g=e(a),x=Al(g*l,3),w=Pe(g.getFullYear(),p?0:g.getMonth(),m||p?1:g.getDate()),_=Al(w*l,3);if(m||p){let t=m?c/o:0,n=p?c/s:0,i=x==_?x:Al(Pe(w.getFullYear()+n,w.getMonth()+t,1)*l,3),r=new Date(rl(i/l)),u=r.getFullYear(),a=r.getMonth();for(let o=0;f>=i;o++){let s=Pe(u+n*o,a+t*o,1),r=s-e(Al(s*l,3));i=Al((+s+r)*l,3),i>f||d.push(i)}}else{let o=i>c?c:i,s=_+(sl(a)-sl(x))+Dl(x-_,o);d.push(s);let p=e(s),m=p.getHours()+p.getMinutes()/t+p.getSeconds()/n,g=c/n,w=h/r.axes[u]._space;for(;s=Al(s+c,1==l?0:3),f>=s;)if(g>1){let l=sl(Al(m+g,6))%24,t=e(s).getHours()-l;t>1&&(t=-1),s-=t*n,m=(m+g)%24,.7>Al((s-d[d.length-1])/c,3)*w||d.push(s)}else d.push(s)}return d}}]}const[ke,ye,Me]=ve(1),[Se,Te,Ee]=ve(.001);function ze(l,e){return l.map((l=>l.map(((t,n)=>0==n||8==n||null==t?t:e(1==n||0==l[8]?t:l[1]+t)))))}function De(l,e){return(t,n,i,o,s)=>{let r,u,a,f,c,h,d=e.find((l=>s>=l[0]))||e[e.length-1];return n.map((e=>{let t=l(e),n=t.getFullYear(),i=t.getMonth(),o=t.getDate(),s=t.getHours(),p=t.getMinutes(),m=t.getSeconds(),g=n!=r&&d[2]||i!=u&&d[3]||o!=a&&d[4]||s!=f&&d[5]||p!=c&&d[6]||m!=h&&d[7]||d[1];return r=n,u=i,a=o,f=s,c=p,h=m,g(t)}))}}function Pe(l,e,t){return new Date(l,e,t)}function Ae(l,e){return e(l)}function We(l,e){return(t,n,i,o)=>null==o?w:e(l(n))}Cl(2,-53,53,[1]);const Ye={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(l,e){let t=l.series[e];return t.width?t.stroke(l,e):t.points.width?t.points.stroke(l,e):null},fill:function(l,e){return l.series[e].fill(l,e)},dash:"solid"},idx:null,idxs:null,values:[]},Ce=[0,0];function He(l,e,t,n=!0){return l=>{0==l.button&&(!n||l.target==e)&&t(l)}}function Fe(l,e,t,n=!0){return l=>{(!n||l.target==e)&&t(l)}}const Re={show:!0,x:!0,y:!0,lock:!1,move:function(l,e,t){return Ce[0]=e,Ce[1]=t,Ce},points:{one:!1,show:function(l,e){let i=l.cursor.points,o=D(),s=i.size(l,e);E(o,t,s),E(o,n,s);let r=s/-2;E(o,"marginLeft",r),E(o,"marginTop",r);let u=i.width(l,e,s);return u&&E(o,"borderWidth",u),o},size:function(l,e){return l.series[e].points.size},width:0,stroke:function(l,e){let t=l.series[e].points;return t._stroke||t._fill},fill:function(l,e){let t=l.series[e].points;return t._fill||t._stroke}},bind:{mousedown:He,mouseup:He,click:He,dblclick:He,mousemove:Fe,mouseleave:Fe,mouseenter:Fe},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(l,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(l,e,t,n,i)=>n-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ge={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ie=Bl({},Ge,{filter:kl}),Le=Bl({},Ie,{size:10}),Oe=Bl({},Ge,{show:!1}),Ne='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',je="bold "+Ne,Ue={show:!0,scale:"x",stroke:u,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:je,side:2,grid:Ie,ticks:Le,border:Oe,font:Ne,lineGap:1.5,rotate:0},Ve={show:!0,scale:"x",auto:!1,sorted:1,min:gl,max:-gl,idxs:[]};function Be(l,e){return e.map((l=>null==l?"":tl(l)))}function $e(l,e,t,n,i,o,s){let r=[],u=Wl.get(i)||0;for(let l=t=s?t:Al(Dl(t,i),u);n>=l;l=Al(l+i,u))r.push(Object.is(l,-0)?0:l);return r}function Je(l,e,t,n,i){const o=[],s=l.scales[l.axes[e].scale].log,r=sl((10==s?dl:pl)(t));i=cl(s,r),10==s&&(i=fe[L(i,fe)]);let u=t,a=i*s;10==s&&(a=fe[L(a,fe)]);do{o.push(u),u+=i,10!=s||Wl.has(u)||(u=Al(u,Wl.get(i))),a>u||(a=(i=u)*s,10==s&&(a=fe[L(a,fe)]))}while(n>=u);return o}function qe(l,e,t,n,i){let o=l.scales[l.axes[e].scale].asinh,s=n>o?Je(l,e,fl(o,t),n,i):[o],r=0>n||t>0?[]:[0];return(-o>t?Je(l,e,fl(o,-n),-t,i):[o]).reverse().map((l=>-l)).concat(r,s)}const Ke=/./,Xe=/[12357]/,Ze=/[125]/,Qe=/1/,lt=(l,e,t,n)=>l.map(((l,i)=>4==e&&0==l||i%n==0&&t.test(l.toExponential()[0>l?1:0])?l:null));function et(l,e,t){let n=l.axes[t],i=n.scale,o=l.scales[i],s=l.valToPos,r=n._space,u=s(10,i),a=s(9,i)-u<r?s(7,i)-u<r?s(5,i)-u<r?Qe:Ze:Xe:Ke;if(a==Qe){let l=ol(s(1,i)-u);if(r>l)return lt(e.slice().reverse(),o.distr,a,ul(r/l)).reverse()}return lt(e,o.distr,a,1)}function tt(l,e,t){let n=l.axes[t],i=n.scale,o=n._space,s=l.valToPos,r=ol(s(1,i)-s(2,i));return o>r?lt(e.slice().reverse(),3,Ke,ul(o/r)).reverse():e}function nt(l,e,t,n){return null==n?w:null==e?"":tl(e)}const it={show:!0,scale:"y",stroke:u,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:je,side:3,grid:Ie,ticks:Le,border:Oe,font:Ne,lineGap:1.5,rotate:0},ot={scale:null,auto:!0,sorted:0,min:gl,max:-gl},st=(l,e,t,n,i)=>i,rt={show:!0,auto:!0,sorted:0,gaps:st,alpha:1,facets:[Bl({},ot,{scale:"x"}),Bl({},ot,{scale:"y"})]},ut={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:st,alpha:1,points:{show:function(l,e){let{scale:t,idxs:n}=l.series[0],i=l._data[0],o=l.valToPos(i[n[0]],t,!0),s=l.valToPos(i[n[1]],t,!0);return ol(s-o)/(l.series[e].points.space*y)>=n[1]-n[0]},filter:null},values:null,min:gl,max:-gl,idxs:[],path:null,clip:null};function at(l,e,t){return t/10}const ft={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},ct=Bl({},ft,{time:!1,ori:1}),ht={};function dt(l){let e=ht[l];return e||(e={key:l,plots:[],sub(l){e.plots.push(l)},unsub(l){e.plots=e.plots.filter((e=>e!=l))},pub(l,t,n,i,o,s,r){for(let u=0;e.plots.length>u;u++)e.plots[u]!=t&&e.plots[u].pub(l,t,n,i,o,s,r)}},null!=l&&(ht[l]=e)),e}function pt(l,e,t){const n=l.mode,i=l.series[e],o=2==n?l._data[e]:l._data,s=l.scales,r=l.bbox;let u=o[0],a=2==n?o[1]:o[e],f=2==n?s[i.facets[0].scale]:s[l.series[0].scale],c=2==n?s[i.facets[1].scale]:s[i.scale],h=r.left,d=r.top,p=r.width,m=r.height,g=l.valToPosH,x=l.valToPosV;return 0==f.ori?t(i,u,a,f,c,g,x,h,d,p,m,kt,Mt,Tt,zt,Pt):t(i,u,a,f,c,x,g,d,h,m,p,yt,St,Et,Dt,At)}function mt(l,e){let t=0,n=0,i=Q(l.bands,Fl);for(let l=0;i.length>l;l++){let o=i[l];o.series[0]==e?t=o.dir:o.series[1]==e&&(n|=1==o.dir?1:2)}return[t,1==n?-1:2==n?1:3==n?2:0]}function gt(l,e,t,n,i){let o=l.series[e],s=l.scales[2==l.mode?o.facets[1].scale:o.scale];return-1==i?s.min:1==i?s.max:3==s.distr?1==s.dir?s.min:s.max:0}function xt(l,e,t,n,i,o){return pt(l,e,((l,e,s,r,u,a,f,c,h,d,p)=>{let m=l.pxRound;const g=0==r.ori?Mt:St;let x,w;1==r.dir*(0==r.ori?1:-1)?(x=t,w=n):(x=n,w=t);let _=m(a(e[x],r,d,c)),b=m(f(s[x],u,p,h)),v=m(a(e[w],r,d,c)),k=m(f(1==o?u.max:u.min,u,p,h)),y=new Path2D(i);return g(y,v,k),g(y,_,k),g(y,_,b),y}))}function wt(l,e,t,n,i,o){let s=null;if(l.length>0){s=new Path2D;const r=0==e?Tt:Et;let u=t;for(let e=0;l.length>e;e++){let t=l[e];if(t[1]>t[0]){let l=t[0]-u;l>0&&r(s,u,n,l,n+o),u=t[1]}}let a=t+i-u,f=10;a>0&&r(s,u,n-f/2,a,n+o+f)}return s}function _t(l,e,t,n,i,o,s){let r=[],u=l.length;for(let a=1==i?t:n;a>=t&&n>=a;a+=i)if(null===e[a]){let f=a,c=a;if(1==i)for(;++a<=n&&null===e[a];)c=a;else for(;--a>=t&&null===e[a];)c=a;let h=o(l[f]),d=c==f?h:o(l[c]),p=f-i;h=s>0||0>p||p>=u?h:o(l[p]);let m=c+i;d=0>s||0>m||m>=u?d:o(l[m]),h>d||r.push([h,d])}return r}function bt(l){return 0==l?vl:1==l?rl:e=>zl(e,l)}function vt(l){let e=0==l?kt:yt,t=0==l?(l,e,t,n,i,o)=>{l.arcTo(e,t,n,i,o)}:(l,e,t,n,i,o)=>{l.arcTo(t,e,i,n,o)},n=0==l?(l,e,t,n,i)=>{l.rect(e,t,n,i)}:(l,e,t,n,i)=>{l.rect(t,e,i,n)};return(l,i,o,s,r,u=0,a=0)=>{0==u&&0==a?n(l,i,o,s,r):(u=al(u,s/2,r/2),a=al(a,s/2,r/2),e(l,i+u,o),t(l,i+s,o,i+s,o+r,u),t(l,i+s,o+r,i,o+r,a),t(l,i,o+r,i,o,a),t(l,i,o,i+s,o,u),l.closePath())}}const kt=(l,e,t)=>{l.moveTo(e,t)},yt=(l,e,t)=>{l.moveTo(t,e)},Mt=(l,e,t)=>{l.lineTo(e,t)},St=(l,e,t)=>{l.lineTo(t,e)},Tt=vt(0),Et=vt(1),zt=(l,e,t,n,i,o)=>{l.arc(e,t,n,i,o)},Dt=(l,e,t,n,i,o)=>{l.arc(t,e,n,i,o)},Pt=(l,e,t,n,i,o,s)=>{l.bezierCurveTo(e,t,n,i,o,s)},At=(l,e,t,n,i,o,s)=>{l.bezierCurveTo(t,e,i,n,s,o)};function Wt(){return(l,e,t,n,i)=>pt(l,e,((e,o,s,r,u,a,f,c,h,d,p)=>{let m,g,{pxRound:x,points:w}=e;0==r.ori?(m=kt,g=zt):(m=yt,g=Dt);const _=Al(w.width*y,3);let b=(w.size-w.width)/2*y,v=Al(2*b,3),k=new Path2D,M=new Path2D,{left:S,top:T,width:E,height:z}=l.bbox;Tt(M,S-v,T-v,E+2*v,z+2*v);const D=l=>{if(null!=s[l]){let e=x(a(o[l],r,d,c)),t=x(f(s[l],u,p,h));m(k,e+b,t),g(k,e,t,b,0,2*il)}};if(i)i.forEach(D);else for(let l=t;n>=l;l++)D(l);return{stroke:_>0?k:null,fill:k,clip:M,flags:3}}))}function Yt(l){return(e,t,n,i,o,s)=>{n!=i&&(o!=n&&s!=n&&l(e,t,n),o!=i&&s!=i&&l(e,t,i),l(e,t,s))}}const Ct=Yt(Mt),Ht=Yt(St);function Ft(l){const e=Q(l?.alignGaps,0);return(l,t,n,i)=>pt(l,t,((o,s,r,u,a,f,c,h,d,p,m)=>{[n,i]=U(r,n,i);let g,x,w=o.pxRound,_=l=>w(f(l,u,p,h)),b=l=>w(c(l,a,m,d));0==u.ori?(g=Mt,x=Ct):(g=St,x=Ht);const v=u.dir*(0==u.ori?1:-1),k={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},y=k.stroke;let M=!1;if(i-n<4*p)for(let l=1==v?n:i;l>=n&&i>=l;l+=v){let e=r[l];null===e?M=!0:null!=e&&g(y,_(s[l]),b(e))}else{let e,t,o,a=e=>l.posToVal(e,u.key,!0),f=null,c=null,h=_(s[1==v?n:i]),d=_(s[n]),p=_(s[i]),m=a(1==v?d+1:p-1);for(let l=1==v?n:i;l>=n&&i>=l;l+=v){let n=s[l],i=(1==v?m>n:n>m)?h:_(n),o=r[l];i==h?null!=o?(t=o,null==f?(g(y,i,b(t)),e=f=c=t):f>t?f=t:t>c&&(c=t)):null===o&&(M=!0):(null!=f&&x(y,h,b(f),b(c),b(e),b(t)),null!=o?(t=o,g(y,i,b(t)),f=c=e=t):(f=c=null,null===o&&(M=!0)),h=i,m=a(h+v))}null!=f&&f!=c&&o!=h&&x(y,h,b(f),b(c),b(e),b(t))}let[S,T]=mt(l,t);if(null!=o.fill||0!=S){let e=k.fill=new Path2D(y),r=b(o.fillTo(l,t,o.min,o.max,S)),u=_(s[n]),a=_(s[i]);-1==v&&([a,u]=[u,a]),g(e,a,r),g(e,u,r)}if(!o.spanGaps){let a=[];M&&a.push(..._t(s,r,n,i,v,_,e)),k.gaps=a=o.gaps(l,t,n,i,a),k.clip=wt(a,u.ori,h,d,p,m)}return 0!=T&&(k.band=2==T?[xt(l,t,n,i,y,-1),xt(l,t,n,i,y,1)]:xt(l,t,n,i,y,T)),k}))}function Rt(l,e,t,n,i,o,s=gl){if(l.length>1){let r=null;for(let u=0,a=1/0;l.length>u;u++)if(void 0!==e[u]){if(null!=r){let e=ol(l[u]-l[r]);a>e&&(a=e,s=ol(t(l[u],n,i,o)-t(l[r],n,i,o)))}r=u}}return s}function Gt(l,e,t,n,i){const o=l.length;if(2>o)return null;const s=new Path2D;if(t(s,l[0],e[0]),2==o)n(s,l[1],e[1]);else{let t=Array(o),n=Array(o-1),r=Array(o-1),u=Array(o-1);for(let t=0;o-1>t;t++)r[t]=e[t+1]-e[t],u[t]=l[t+1]-l[t],n[t]=r[t]/u[t];t[0]=n[0];for(let l=1;o-1>l;l++)0===n[l]||0===n[l-1]||n[l-1]>0!=n[l]>0?t[l]=0:(t[l]=3*(u[l-1]+u[l])/((2*u[l]+u[l-1])/n[l-1]+(u[l]+2*u[l-1])/n[l]),isFinite(t[l])||(t[l]=0));t[o-1]=n[o-2];for(let n=0;o-1>n;n++)i(s,l[n]+u[n]/3,e[n]+t[n]*u[n]/3,l[n+1]-u[n]/3,e[n+1]-t[n+1]*u[n]/3,l[n+1],e[n+1])}return s}const It=new Set;function Lt(){for(let l of It)l.syncRect(!0)}_&&(G("resize",v,Lt),G("scroll",v,Lt,!0),G(x,v,(()=>{en.pxRatio=y})));const Ot=Ft(),Nt=Wt();function jt(l,e,t,n){return(n?[l[0],l[1]].concat(l.slice(2)):[l[0]].concat(l.slice(1))).map(((l,n)=>Ut(l,n,e,t)))}function Ut(l,e,t,n){return Bl({},0==e?t:n,l)}function Vt(l,e,t){return null==e?Rl:[e,t]}const Bt=Vt;function $t(l,e,t){return null==e?Rl:Z(e,t,J,!0)}function Jt(l,e,t,n){return null==e?Rl:B(e,t,l.scales[n].log,!1)}const qt=Jt;function Kt(l,e,t,n){return null==e?Rl:$(e,t,l.scales[n].log,!1)}const Xt=Kt;function Zt(l,e,t,n,i){let o=fl(xl(l),xl(e)),s=e-l,r=L(i/n*s,t);do{let l=t[r],e=n*l/s;if(e>=i&&17>=o+(5>l?Wl.get(l):0))return[l,e]}while(++r<t.length);return[0,0]}function Qt(l){let e,t;return[l=l.replace(/(\d+)px/,((l,n)=>(e=rl((t=+n)*y))+"px")),e,t]}function ln(l){l.show&&[l.font,l.labelFont].forEach((l=>{let e=Al(l[2]*y,1);l[0]=l[0].replace(/[0-9.]+px/,e+"px"),l[1]=e}))}function en(u,g,_){const k={mode:Q(u.mode,1)},M=k.mode;function P(l,e,t,n){let i=e.valToPct(l);return n+t*(-1==e.dir?1-i:i)}function W(l,e,t,n){let i=e.valToPct(l);return n+t*(-1==e.dir?i:1-i)}function C(l,e,t,n){return 0==e.ori?P(l,e,t,n):W(l,e,t,n)}k.valToPosH=P,k.valToPosV=W;let F=!1;k.status=0;const R=k.root=D("uplot");null!=u.id&&(R.id=u.id),S(R,u.class),u.title&&(D("u-title",R).textContent=u.title);const O=z("canvas"),K=k.ctx=O.getContext("2d"),X=D("u-wrap",R);G("click",X,(l=>{l.target===el&&(Nn!=Gn||jn!=In)&&Zn.click(k,l)}),!0);const ll=k.under=D("u-under",X);X.appendChild(O);const el=k.over=D("u-over",X),tl=+Q((u=Vl(u)).pxAlign,1),sl=bt(tl);(u.plugins||[]).forEach((l=>{l.opts&&(u=l.opts(k,u)||u)}));const hl=u.ms||.001,pl=k.series=1==M?jt(u.series||[],Ve,ut,!1):function(l,e){return l.map(((l,t)=>0==t?{}:Bl({},e,l)))}(u.series||[null],rt),xl=k.axes=jt(u.axes||[],Ue,it,!0),vl=k.scales={},Tl=k.bands=u.bands||[];Tl.forEach((l=>{l.fill=bl(l.fill||null),l.dir=Q(l.dir,-1)}));const El=2==M?pl[1].facets[0].scale:pl[0].scale,Dl={axes:function(){for(let l=0;xl.length>l;l++){let e=xl[l];if(!e.show||!e._show)continue;let t,n,u=e.side,a=u%2,f=e.stroke(k,l),c=0==u||3==u?-1:1,[h,d]=e._found;if(null!=e.label){let s=rl((e._lpos+e.labelGap*c)*y);_n(e.labelFont[0],f,"center",2==u?i:o),K.save(),1==a?(t=n=0,K.translate(s,rl(lt+st/2)),K.rotate((3==u?-il:il)/2)):(t=rl(Qe+ot/2),n=s);let r=_l(e.label)?e.label(k,l,h,d):e.label;K.fillText(r,t,n),K.restore()}if(0==d)continue;let p=vl[e.scale],m=0==a?ot:st,g=0==a?Qe:lt,x=e._splits,w=2==p.distr?x.map((l=>pn[l])):x,_=2==p.distr?pn[x[1]]-pn[x[0]]:h,b=e.ticks,v=e.border,M=b.show?b.size:0,S=rl(M*y),T=rl((2==e.alignTo?e._size-M-e.gap:e.gap)*y),E=e._rotate*-il/180,z=sl(e._pos*y),D=z+(S+T)*c;n=0==a?D:0,t=1==a?D:0,_n(e.font[0],f,1==e.align?s:2==e.align?r:E>0?s:0>E?r:0==a?"center":3==u?r:s,E||1==a?"middle":2==u?i:o);let P=e.font[1]*e.lineGap,A=x.map((l=>sl(C(l,p,m,g)))),W=e._values;for(let l=0;W.length>l;l++){let e=W[l];if(null!=e){0==a?t=A[l]:n=A[l],e=""+e;let i=-1==e.indexOf("\n")?[e]:e.split(/\n/gm);for(let l=0;i.length>l;l++){let e=i[l];E?(K.save(),K.translate(t,n+l*P),K.rotate(E),K.fillText(e,0,0),K.restore()):K.fillText(e,t,n+l*P)}}}b.show&&zn(A,b.filter(k,w,l,d,_),a,u,z,S,Al(b.width*y,3),b.stroke(k,l),b.dash,b.cap);let Y=e.grid;Y.show&&zn(A,Y.filter(k,w,l,d,_),a,0==a?2:1,0==a?lt:Qe,0==a?st:ot,Al(Y.width*y,3),Y.stroke(k,l),Y.dash,Y.cap),v.show&&zn([z],[1],0==a?1:0,0==a?1:2,1==a?lt:Qe,1==a?st:ot,Al(v.width*y,3),v.stroke(k,l),v.dash,v.cap)}Ci("drawAxes")},series:function(){if(Gt>0){let l=pl.some((l=>l._focus))&&dn!=Tt.alpha;l&&(K.globalAlpha=dn=Tt.alpha),pl.forEach(((l,e)=>{if(e>0&&l.show&&(kn(e,!1),kn(e,!0),null==l._paths)){let t=dn;dn!=l.alpha&&(K.globalAlpha=dn=l.alpha);let n=2==M?[0,g[e][0].length-1]:function(l){let e=wl(Lt-1,0,Gt-1),t=wl(en+1,0,Gt-1);for(;null==l[e]&&e>0;)e--;for(;null==l[t]&&Gt-1>t;)t++;return[e,t]}(g[e]);l._paths=l.paths(k,e,n[0],n[1]),dn!=t&&(K.globalAlpha=dn=t)}})),pl.forEach(((l,e)=>{if(e>0&&l.show){let t=dn;dn!=l.alpha&&(K.globalAlpha=dn=l.alpha),null!=l._paths&&yn(e,!1);{let t=null!=l._paths?l._paths.gaps:null,n=l.points.show(k,e,Lt,en,t),i=l.points.filter(k,e,n,t);(n||i)&&(l.points._paths=l.points.paths(k,e,Lt,en,i),yn(e,!0))}dn!=t&&(K.globalAlpha=dn=t),Ci("drawSeries",e)}})),l&&(K.globalAlpha=dn=1)}}},Pl=(u.drawOrder||["axes","series"]).map((l=>Dl[l]));function Cl(l){const e=3==l.distr?e=>dl(e>0?e:l.clamp(k,e,l.min,l.max,l.key)):4==l.distr?e=>ml(e,l.asinh):100==l.distr?e=>l.fwd(e):l=>l;return t=>{let n=e(t),{_min:i,_max:o}=l;return(n-i)/(o-i)}}function Il(l){let e=vl[l];if(null==e){let t=(u.scales||Hl)[l]||Hl;if(null!=t.from){Il(t.from);let e=Bl({},vl[t.from],t,{key:l});e.valToPct=Cl(e),vl[l]=e}else{e=vl[l]=Bl({},l==El?ft:ct,t),e.key=l;let n=e.time,i=e.range,o=Gl(i);if((l!=El||2==M&&!n)&&(!o||null!=i[0]&&null!=i[1]||(i={min:null==i[0]?q:{mode:1,hard:i[0],soft:i[0]},max:null==i[1]?q:{mode:1,hard:i[1],soft:i[1]}},o=!1),!o&&Ol(i))){let l=i;i=(e,t,n)=>null==t?Rl:Z(t,n,l)}e.range=bl(i||(n?Bt:l==El?3==e.distr?qt:4==e.distr?Xt:Vt:3==e.distr?Jt:4==e.distr?Kt:$t)),e.auto=bl(!o&&e.auto),e.clamp=bl(e.clamp||at),e._min=e._max=null,e.valToPct=Cl(e)}}}Il("x"),Il("y"),1==M&&pl.forEach((l=>{Il(l.scale)})),xl.forEach((l=>{Il(l.scale)}));for(let l in u.scales)Il(l);const jl=vl[El],Ul=jl.distr;let $l,ql;0==jl.ori?(S(R,"u-hz"),$l=P,ql=W):(S(R,"u-vt"),$l=W,ql=P);const Kl={};for(let l in vl){let e=vl[l];null==e.min&&null==e.max||(Kl[l]={min:e.min,max:e.max},e.min=e.max=null)}const Xl=u.tzDate||(l=>new Date(rl(l/hl))),Zl=u.fmtDate||ne,Ql=1==hl?Me(Xl):Ee(Xl),le=De(Xl,ze(1==hl?ye:Te,Zl)),ee=We(Xl,Ae("{YYYY}-{MM}-{DD} {h}:{mm}{aa}",Zl)),te=[],ie=k.legend=Bl({},Ye,u.legend),oe=k.cursor=Bl({},Re,{drag:{y:2==M}},u.cursor),se=ie.show,re=oe.show,ue=ie.markers;let ce,he,de;ie.idxs=te,ue.width=bl(ue.width),ue.dash=bl(ue.dash),ue.stroke=bl(ue.stroke),ue.fill=bl(ue.fill);let pe,me=[],ge=[],xe=!1,we={};if(ie.live){const l=pl[1]?pl[1].values:null;xe=null!=l,pe=xe?l(k,1,0):{_:0};for(let l in pe)we[l]=w}if(se)if(ce=z("table","u-legend",R),de=z("tbody",null,ce),ie.mount(k,ce),xe){he=z("thead",null,ce,de);let l=z("tr",null,he);for(var _e in z("th",null,l),pe)z("th",e,l).textContent=_e}else S(ce,"u-inline"),ie.live&&S(ce,"u-live");const be={show:!0},ve={show:!1},Pe=new Map;function Ce(l,e,t,n=!0){const i=Pe.get(e)||{},o=oe.bind[l](k,e,t,n);o&&(G(l,e,i[l]=o),Pe.set(e,i))}function He(l,e){const t=Pe.get(e)||{};for(let n in t)null!=l&&n!=l||(I(n,e,t[n]),delete t[n]);null==l&&Pe.delete(e)}let Fe=0,Ge=0,Ie=0,Le=0,Oe=0,Ne=0,je=Oe,Ke=Ne,Xe=Ie,Ze=Le,Qe=0,lt=0,ot=0,st=0;k.bbox={};let ht=!1,pt=!1,mt=!1,xt=!1,wt=!1,_t=!1;function vt(l,e,t){(t||l!=k.width||e!=k.height)&&kt(l,e),An(!1),mt=!0,pt=!0,Jn()}function kt(l,e){k.width=Fe=Ie=l,k.height=Ge=Le=e,Oe=Ne=0,function(){let l=!1,e=!1,t=!1,n=!1;xl.forEach((i=>{if(i.show&&i._show){let{side:o,_size:s}=i,r=s+(null!=i.label?i.labelSize:0);r>0&&(o%2?(Ie-=r,3==o?(Oe+=r,n=!0):t=!0):(Le-=r,0==o?(Ne+=r,l=!0):e=!0))}})),Ct[0]=l,Ct[1]=t,Ct[2]=e,Ct[3]=n,Ie-=Rt[1]+Rt[3],Oe+=Rt[3],Le-=Rt[2]+Rt[0],Ne+=Rt[0]}(),function(){let l=Oe+Ie,e=Ne+Le,t=Oe,n=Ne;function i(i,o){switch(i){case 1:return l+=o,l-o;case 2:return e+=o,e-o;case 3:return t-=o,t+o;case 0:return n-=o,n+o}}xl.forEach((l=>{if(l.show&&l._show){let e=l.side;l._pos=i(e,l._size),null!=l.label&&(l._lpos=i(e,l.labelSize))}}))}();let t=k.bbox;Qe=t.left=zl(Oe*y,.5),lt=t.top=zl(Ne*y,.5),ot=t.width=zl(Ie*y,.5),st=t.height=zl(Le*y,.5)}const yt=3;if(k.setSize=function({width:l,height:e}){vt(l,e)},null==oe.dataIdx){let l=oe.hover,e=l.skip=new Set(l.skip??[]);e.add(void 0);let t=l.prox=bl(l.prox),n=l.bias??=0;oe.dataIdx=(l,i,o,s)=>{if(0==i)return o;let r=o,u=t(l,i,o,s)??gl,a=u>=0&&gl>u,f=0==jl.ori?Ie:Le,c=oe.left,h=g[0],d=g[i];if(e.has(d[o])){r=null;let l,t=null,i=null;if(0==n||-1==n)for(l=o;null==t&&l-- >0;)e.has(d[l])||(t=l);if(0==n||1==n)for(l=o;null==i&&l++<d.length;)e.has(d[l])||(i=l);if(null!=t||null!=i)if(a){let l=c-(null==t?-1/0:$l(h[t],jl,f,0)),e=(null==i?1/0:$l(h[i],jl,f,0))-c;l>e?e>u||(r=i):l>u||(r=t)}else r=null==i?t:null==t||o-t>i-o?i:t}else a&&ol(c-$l(h[o],jl,f,0))>u&&(r=null);return r}}const Mt=l=>{oe.event=l};oe.idxs=te,oe._lock=!1;let St=oe.points;St.show=bl(St.show),St.size=bl(St.size),St.stroke=bl(St.stroke),St.width=bl(St.width),St.fill=bl(St.fill);const Tt=k.focus=Bl({},u.focus||{alpha:.3},oe.focus),Et=Tt.prox>=0,zt=Et&&St.one;let Dt=[],Pt=[],At=[];function Wt(l,e){let t=St.show(k,e);if(t instanceof HTMLElement)return S(t,"u-cursor-pt"),S(t,l.class),A(t,-10,-10,Ie,Le),el.insertBefore(t,Dt[e]),t}function Yt(t,n){if(1==M||n>0){let l=1==M&&vl[t.scale].time,e=t.value;t.value=l?Ll(e)?We(Xl,Ae(e,Zl)):e||ee:e||nt,t.label=t.label||(l?"Time":"Value")}if(zt||n>0){t.width=null==t.width?1:t.width,t.paths=t.paths||Ot||yl,t.fillTo=bl(t.fillTo||gt),t.pxAlign=+Q(t.pxAlign,tl),t.pxRound=bt(t.pxAlign),t.stroke=bl(t.stroke||null),t.fill=bl(t.fill||null),t._stroke=t._fill=t._paths=t._focus=null;let l=function(l){return Al(1*(3+2*(l||1)),3)}(fl(1,t.width)),e=t.points=Bl({},{size:l,width:fl(1,.2*l),stroke:t.stroke,space:2*l,paths:Nt,_stroke:null,_fill:null},t.points);e.show=bl(e.show),e.filter=bl(e.filter),e.fill=bl(e.fill),e.stroke=bl(e.stroke),e.paths=bl(e.paths),e.pxAlign=t.pxAlign}if(se){let i=function(t,n){if(0==n&&(xe||!ie.live||2==M))return Rl;let i=[],o=z("tr","u-series",de,de.childNodes[n]);S(o,t.class),t.show||S(o,l);let s=z("th",null,o);if(ue.show){let l=D("u-marker",s);if(n>0){let e=ue.width(k,n);e&&(l.style.border=e+"px "+ue.dash(k,n)+" "+ue.stroke(k,n)),l.style.background=ue.fill(k,n)}}let r=D(e,s);for(var u in t.label instanceof HTMLElement?r.appendChild(t.label):r.textContent=t.label,n>0&&(ue.show||(r.style.color=t.width>0?ue.stroke(k,n):ue.fill(k,n)),Ce("click",s,(l=>{if(oe._lock)return;Mt(l);let e=pl.indexOf(t);if((l.ctrlKey||l.metaKey)!=ie.isolate){let l=pl.some(((l,t)=>t>0&&t!=e&&l.show));pl.forEach(((t,n)=>{n>0&&oi(n,l?n==e?be:ve:be,!0,Fi.setSeries)}))}else oi(e,{show:!t.show},!0,Fi.setSeries)}),!1),Et&&Ce(d,s,(l=>{oe._lock||(Mt(l),oi(pl.indexOf(t),ai,!0,Fi.setSeries))}),!1)),pe){let l=z("td","u-value",o);l.textContent="--",i.push(l)}return[o,i]}(t,n);me.splice(n,0,i[0]),ge.splice(n,0,i[1]),ie.values.push(null)}if(re){te.splice(n,0,null);let l=null;zt?0==n&&(l=Wt(t,n)):n>0&&(l=Wt(t,n)),Dt.splice(n,0,l),Pt.splice(n,0,0),At.splice(n,0,0)}Ci("addSeries",n)}k.addSeries=function(l,e){e=null==e?pl.length:e,l=1==M?Ut(l,e,Ve,ut):Ut(l,e,{},rt),pl.splice(e,0,l),Yt(pl[e],e)},k.delSeries=function(l){if(pl.splice(l,1),se){ie.values.splice(l,1),ge.splice(l,1);let e=me.splice(l,1)[0];He(null,e.firstChild),e.remove()}re&&(te.splice(l,1),Dt.splice(l,1)[0].remove(),Pt.splice(l,1),At.splice(l,1)),Ci("delSeries",l)};const Ct=[!1,!1,!1,!1];function Ht(l,e,t){let[n,i,o,s]=t,r=e%2,u=0;return 0==r&&(s||i)&&(u=0==e&&!n||2==e&&!o?rl(Ue.size/3):0),1==r&&(n||o)&&(u=1==e&&!i||3==e&&!s?rl(it.size/2):0),u}const Ft=k.padding=(u.padding||[Ht,Ht,Ht,Ht]).map((l=>bl(Q(l,Ht)))),Rt=k._padding=Ft.map(((l,e)=>l(k,e,Ct,0)));let Gt,Lt=null,en=null;const tn=1==M?pl[0].idxs:null;let nn,on,sn,rn,un,an,fn,cn,hn,dn,pn=null,mn=!1;function gn(l,e){if(k.data=k._data=g=null==l?[]:l,2==M){Gt=0;for(let l=1;pl.length>l;l++)Gt+=g[l][0].length}else{0==g.length&&(k.data=k._data=g=[[]]),pn=g[0],Gt=pn.length;let l=g;if(2==Ul){l=g.slice();let e=l[0]=Array(Gt);for(let l=0;Gt>l;l++)e[l]=l}k._data=g=l}if(An(!0),Ci("setData"),2==Ul&&(mt=!0),!1!==e){let l=jl;l.auto(k,mn)?xn():ii(El,l.min,l.max),xt=xt||oe.left>=0,_t=!0,Jn()}}function xn(){let l,e;mn=!0,1==M&&(Gt>0?(Lt=tn[0]=0,en=tn[1]=Gt-1,l=g[0][Lt],e=g[0][en],2==Ul?(l=Lt,e=en):l==e&&(3==Ul?[l,e]=B(l,l,jl.log,!1):4==Ul?[l,e]=$(l,l,jl.log,!1):jl.time?e=l+rl(86400/hl):[l,e]=Z(l,e,J,!0))):(Lt=tn[0]=l=null,en=tn[1]=e=null)),ii(El,l,e)}function wn(l,e,t,n,i,o){l??=a,t??=Fl,n??="butt",i??=a,o??="round",l!=nn&&(K.strokeStyle=nn=l),i!=on&&(K.fillStyle=on=i),e!=sn&&(K.lineWidth=sn=e),o!=un&&(K.lineJoin=un=o),n!=an&&(K.lineCap=an=n),t!=rn&&K.setLineDash(rn=t)}function _n(l,e,t,n){e!=on&&(K.fillStyle=on=e),l!=fn&&(K.font=fn=l),t!=cn&&(K.textAlign=cn=t),n!=hn&&(K.textBaseline=hn=n)}function bn(l,e,t,n,i=0){if(n.length>0&&l.auto(k,mn)&&(null==e||null==e.min)){let e=Q(Lt,0),o=Q(en,n.length-1),s=null==t.min?function(l,e,t,n=0,i=!1){let o=i?V:U,s=i?j:N;[e,t]=o(l,e,t);let r=l[e],u=l[e];if(e>-1)if(1==n)r=l[e],u=l[t];else if(-1==n)r=l[t],u=l[e];else for(let n=e;t>=n;n++){let e=l[n];s(e)&&(r>e?r=e:e>u&&(u=e))}return[r??gl,u??-gl]}(n,e,o,i,3==l.distr):[t.min,t.max];l.min=al(l.min,t.min=s[0]),l.max=fl(l.max,t.max=s[1])}}k.setData=gn;const vn={min:null,max:null};function kn(l,e){let t=e?pl[l].points:pl[l];t._stroke=t.stroke(k,l),t._fill=t.fill(k,l)}function yn(l,e){let t=e?pl[l].points:pl[l],{stroke:n,fill:i,clip:o,flags:s,_stroke:r=t._stroke,_fill:u=t._fill,_width:a=t.width}=t._paths;a=Al(a*y,3);let f=null,c=a%2/2;e&&null==u&&(u=a>0?"#fff":r);let h=1==t.pxAlign&&c>0;if(h&&K.translate(c,c),!e){let l=Qe-a/2,e=lt-a/2,t=ot+a,n=st+a;f=new Path2D,f.rect(l,e,t,n)}e?Sn(r,a,t.dash,t.cap,u,n,i,s,o):function(l,e,t,n,i,o,s,r,u,a,f){let c=!1;0!=u&&Tl.forEach(((h,d)=>{if(h.series[0]==l){let l,p=pl[h.series[1]],m=g[h.series[1]],x=(p._paths||Hl).band;Gl(x)&&(x=1==h.dir?x[0]:x[1]);let w=null;p.show&&x&&function(l,e,t){for(e=Q(e,0),t=Q(t,l.length-1);t>=e;){if(null!=l[e])return!0;e++}return!1}(m,Lt,en)?(w=h.fill(k,d)||o,l=p._paths.clip):x=null,Sn(e,t,n,i,w,s,r,u,a,f,l,x),c=!0}})),c||Sn(e,t,n,i,o,s,r,u,a,f)}(l,r,a,t.dash,t.cap,u,n,i,s,f,o),h&&K.translate(-c,-c)}const Mn=3;function Sn(l,e,t,n,i,o,s,r,u,a,f,c){wn(l,e,t,n,i),(u||a||c)&&(K.save(),u&&K.clip(u),a&&K.clip(a)),c?(r&Mn)==Mn?(K.clip(c),f&&K.clip(f),En(i,s),Tn(l,o,e)):2&r?(En(i,s),K.clip(c),Tn(l,o,e)):1&r&&(K.save(),K.clip(c),f&&K.clip(f),En(i,s),K.restore(),Tn(l,o,e)):(En(i,s),Tn(l,o,e)),(u||a||c)&&K.restore()}function Tn(l,e,t){t>0&&(e instanceof Map?e.forEach(((l,e)=>{K.strokeStyle=nn=e,K.stroke(l)})):null!=e&&l&&K.stroke(e))}function En(l,e){e instanceof Map?e.forEach(((l,e)=>{K.fillStyle=on=e,K.fill(l)})):null!=e&&l&&K.fill(e)}function zn(l,e,t,n,i,o,s,r,u,a){let f=s%2/2;1==tl&&K.translate(f,f),wn(r,s,u,a,r),K.beginPath();let c,h,d,p,m=i+(0==n||3==n?-o:o);0==t?(h=i,p=m):(c=i,d=m);for(let n=0;l.length>n;n++)null!=e[n]&&(0==t?c=d=l[n]:h=p=l[n],K.moveTo(c,h),K.lineTo(d,p));K.stroke(),1==tl&&K.translate(-f,-f)}function Dn(l){let e=!0;return xl.forEach(((t,n)=>{if(!t.show)return;let i=vl[t.scale];if(null==i.min)return void(t._show&&(e=!1,t._show=!1,An(!1)));t._show||(e=!1,t._show=!0,An(!1));let o=t.side,s=o%2,{min:r,max:u}=i,[a,f]=function(l,e,t,n){let i,o=xl[l];if(n>0){let s=o._space=o.space(k,l,e,t,n);i=Zt(e,t,o._incrs=o.incrs(k,l,e,t,n,s),n,s)}else i=[0,0];return o._found=i}(n,r,u,0==s?Ie:Le);if(0==f)return;let c=t._splits=t.splits(k,n,r,u,a,f,2==i.distr),h=2==i.distr?c.map((l=>pn[l])):c,d=2==i.distr?pn[c[1]]-pn[c[0]]:a,p=t._values=t.values(k,t.filter(k,h,n,f,d),n,f,d);t._rotate=2==o?t.rotate(k,p,n,f):0;let m=t._size;t._size=ul(t.size(k,p,n,l)),null!=m&&t._size!=m&&(e=!1)})),e}function Pn(l){let e=!0;return Ft.forEach(((t,n)=>{let i=t(k,n,Ct,l);i!=Rt[n]&&(e=!1),Rt[n]=i})),e}function An(l){pl.forEach(((e,t)=>{t>0&&(e._paths=null,l&&(1==M?(e.min=null,e.max=null):e.facets.forEach((l=>{l.min=null,l.max=null}))))}))}let Wn,Yn,Cn,Hn,Fn,Rn,Gn,In,Ln,On,Nn,jn,Un=!1,Vn=!1,Bn=[];function $n(){Vn=!1;for(let l=0;Bn.length>l;l++)Ci(...Bn[l]);Bn.length=0}function Jn(){Un||(Jl(qn),Un=!0)}function qn(){if(ht&&(function(){for(let l in vl){let e=vl[l];null==Kl[l]&&(null==e.min||null!=Kl[El]&&e.auto(k,mn))&&(Kl[l]=vn)}for(let l in vl){let e=vl[l];null==Kl[l]&&null!=e.from&&null!=Kl[e.from]&&(Kl[l]=vn)}null!=Kl[El]&&An(!0);let l={};for(let e in Kl){let t=Kl[e];if(null!=t){let n=l[e]=Vl(vl[e],Nl);if(null!=t.min)Bl(n,t);else if(e!=El||2==M)if(0==Gt&&null==n.from){let l=n.range(k,null,null,e);n.min=l[0],n.max=l[1]}else n.min=gl,n.max=-gl}}if(Gt>0){pl.forEach(((e,t)=>{if(1==M){let n=e.scale,i=Kl[n];if(null==i)return;let o=l[n];if(0==t){let l=o.range(k,o.min,o.max,n);o.min=l[0],o.max=l[1],Lt=L(o.min,g[0]),en=L(o.max,g[0]),en-Lt>1&&(o.min>g[0][Lt]&&Lt++,g[0][en]>o.max&&en--),e.min=pn[Lt],e.max=pn[en]}else e.show&&e.auto&&bn(o,i,e,g[t],e.sorted);e.idxs[0]=Lt,e.idxs[1]=en}else if(t>0&&e.show&&e.auto){let[n,i]=e.facets,o=n.scale,s=i.scale,[r,u]=g[t],a=l[o],f=l[s];null!=a&&bn(a,Kl[o],n,r,n.sorted),null!=f&&bn(f,Kl[s],i,u,i.sorted),e.min=i.min,e.max=i.max}}));for(let e in l){let t=l[e],n=Kl[e];if(null==t.from&&(null==n||null==n.min)){let l=t.range(k,t.min==gl?null:t.min,t.max==-gl?null:t.max,e);t.min=l[0],t.max=l[1]}}}for(let e in l){let t=l[e];if(null!=t.from){let n=l[t.from];if(null==n.min)t.min=t.max=null;else{let l=t.range(k,n.min,n.max,e);t.min=l[0],t.max=l[1]}}}let e={},t=!1;for(let n in l){let i=l[n],o=vl[n];if(o.min!=i.min||o.max!=i.max){o.min=i.min,o.max=i.max;let l=o.distr;o._min=3==l?dl(o.min):4==l?ml(o.min,o.asinh):100==l?o.fwd(o.min):o.min,o._max=3==l?dl(o.max):4==l?ml(o.max,o.asinh):100==l?o.fwd(o.max):o.max,e[n]=t=!0}}if(t){pl.forEach(((l,t)=>{2==M?t>0&&e.y&&(l._paths=null):e[l.scale]&&(l._paths=null)}));for(let l in e)mt=!0,Ci("setScale",l);re&&oe.left>=0&&(xt=_t=!0)}for(let l in Kl)Kl[l]=null}(),ht=!1),mt&&(function(){let l=!1,e=0;for(;!l;){e++;let t=Dn(e),n=Pn(e);l=e==yt||t&&n,l||(kt(k.width,k.height),pt=!0)}}(),mt=!1),pt){if(E(ll,s,Oe),E(ll,i,Ne),E(ll,t,Ie),E(ll,n,Le),E(el,s,Oe),E(el,i,Ne),E(el,t,Ie),E(el,n,Le),E(X,t,Fe),E(X,n,Ge),O.width=rl(Fe*y),O.height=rl(Ge*y),xl.forEach((({_el:e,_show:t,_size:n,_pos:i,side:o})=>{if(null!=e)if(t){let t=o%2==1;E(e,t?"left":"top",i-(3===o||0===o?n:0)),E(e,t?"width":"height",n),E(e,t?"top":"left",t?Ne:Oe),E(e,t?"height":"width",t?Le:Ie),T(e,l)}else S(e,l)})),nn=on=sn=un=an=fn=cn=hn=rn=null,dn=1,_i(!0),Oe!=je||Ne!=Ke||Ie!=Xe||Le!=Ze){An(!1);let l=Ie/Xe,e=Le/Ze;if(re&&!xt&&oe.left>=0){oe.left*=l,oe.top*=e,Cn&&A(Cn,rl(oe.left),0,Ie,Le),Hn&&A(Hn,0,rl(oe.top),Ie,Le);for(let t=0;Dt.length>t;t++){let n=Dt[t];null!=n&&(Pt[t]*=l,At[t]*=e,A(n,ul(Pt[t]),ul(At[t]),Ie,Le))}}if(ei.show&&!wt&&ei.left>=0&&ei.width>0){ei.left*=l,ei.width*=l,ei.top*=e,ei.height*=e;for(let l in ki)E(ti,l,ei[l])}je=Oe,Ke=Ne,Xe=Ie,Ze=Le}Ci("setSize"),pt=!1}Fe>0&&Ge>0&&(K.clearRect(0,0,O.width,O.height),Ci("drawClear"),Pl.forEach((l=>l())),Ci("draw")),ei.show&&wt&&(ni(ei),wt=!1),re&&xt&&(xi(null,!0,!1),xt=!1),ie.show&&ie.live&&_t&&(mi(),_t=!1),F||(F=!0,k.status=1,Ci("ready")),mn=!1,Un=!1}function Kn(l,e){let t=vl[l];if(null==t.from){if(0==Gt){let n=t.range(k,e.min,e.max,l);e.min=n[0],e.max=n[1]}if(e.min>e.max){let l=e.min;e.min=e.max,e.max=l}if(Gt>1&&null!=e.min&&null!=e.max&&1e-16>e.max-e.min)return;l==El&&2==t.distr&&Gt>0&&(e.min=L(e.min,g[0]),e.max=L(e.max,g[0]),e.min==e.max&&e.max++),Kl[l]=e,ht=!0,Jn()}}k.batch=function(l,e=!1){Un=!0,Vn=e,l(k),qn(),e&&Bn.length>0&&queueMicrotask($n)},k.redraw=(l,e)=>{mt=e||!1,!1!==l?ii(El,jl.min,jl.max):Jn()},k.setScale=Kn;let Xn=!1;const Zn=oe.drag;let Qn=Zn.x,li=Zn.y;re&&(oe.x&&(Wn=D("u-cursor-x",el)),oe.y&&(Yn=D("u-cursor-y",el)),0==jl.ori?(Cn=Wn,Hn=Yn):(Cn=Yn,Hn=Wn),Nn=oe.left,jn=oe.top);const ei=k.select=Bl({show:!0,over:!0,left:0,width:0,top:0,height:0},u.select),ti=ei.show?D("u-select",ei.over?el:ll):null;function ni(l,e){if(ei.show){for(let e in l)ei[e]=l[e],e in ki&&E(ti,e,l[e]);!1!==e&&Ci("setSelect")}}function ii(l,e,t){Kn(l,{min:e,max:t})}function oi(e,t,n,i){null!=t.focus&&function(l){if(l!=ui){let e=null==l,t=1!=Tt.alpha;pl.forEach(((n,i)=>{if(1==M||i>0){let o=e||0==i||i==l;n._focus=e?null:o,t&&function(l,e){pl[l].alpha=e,re&&null!=Dt[l]&&(Dt[l].style.opacity=e),se&&me[l]&&(me[l].style.opacity=e)}(i,o?1:Tt.alpha)}})),ui=l,t&&Jn()}}(e),null!=t.show&&pl.forEach(((n,i)=>{0>=i||e!=i&&null!=e||(n.show=t.show,function(e){if(pl[e].show)se&&T(me[e],l);else if(se&&S(me[e],l),re){let l=zt?Dt[0]:Dt[e];null!=l&&A(l,-10,-10,Ie,Le)}}(i),2==M?(ii(n.facets[0].scale,null,null),ii(n.facets[1].scale,null,null)):ii(n.scale,null,null),Jn())})),!1!==n&&Ci("setSeries",e,t),i&&Ii("setSeries",k,e,t)}let si,ri,ui;k.setSelect=ni,k.setSeries=oi,k.addBand=function(l,e){l.fill=bl(l.fill||null),l.dir=Q(l.dir,-1),Tl.splice(e=null==e?Tl.length:e,0,l)},k.setBand=function(l,e){Bl(Tl[l],e)},k.delBand=function(l){null==l?Tl.length=0:Tl.splice(l,1)};const ai={focus:!0};function fi(l,e,t){let n=vl[e];t&&(l=l/y-(1==n.ori?Ne:Oe));let i=Ie;1==n.ori&&(i=Le,l=i-l),-1==n.dir&&(l=i-l);let o=n._min,s=o+l/i*(n._max-o),r=n.distr;return 3==r?cl(10,s):4==r?((l,e=1)=>nl.sinh(l)*e)(s,n.asinh):100==r?n.bwd(s):s}function ci(l,e){E(ti,s,ei.left=l),E(ti,t,ei.width=e)}function hi(l,e){E(ti,i,ei.top=l),E(ti,n,ei.height=e)}se&&Et&&Ce(p,ce,(l=>{oe._lock||(Mt(l),null!=ui&&oi(null,ai,!0,Fi.setSeries))})),k.valToIdx=l=>L(l,g[0]),k.posToIdx=function(l,e){return L(fi(l,El,e),g[0],Lt,en)},k.posToVal=fi,k.valToPos=(l,e,t)=>0==vl[e].ori?P(l,vl[e],t?ot:Ie,t?Qe:0):W(l,vl[e],t?st:Le,t?lt:0),k.setCursor=(l,e,t)=>{Nn=l.left,jn=l.top,xi(null,e,t)};let di=0==jl.ori?ci:hi,pi=1==jl.ori?ci:hi;function mi(l,e){if(null!=l&&(l.idxs?l.idxs.forEach(((l,e)=>{te[e]=l})):(l=>void 0===l)(l.idx)||te.fill(l.idx),ie.idx=te[0]),se&&ie.live){for(let l=0;pl.length>l;l++)(l>0||1==M&&!xe)&&gi(l,te[l]);!function(){if(se&&ie.live)for(let l=2==M?1:0;pl.length>l;l++){if(0==l&&xe)continue;let e=ie.values[l],t=0;for(let n in e)ge[l][t++].firstChild.nodeValue=e[n]}}()}_t=!1,!1!==e&&Ci("setLegend")}function gi(l,e){let t,n=pl[l],i=0==l&&2==Ul?pn:g[l];xe?t=n.values(k,l,e)??we:(t=n.value(k,null==e?null:i[e],l,e),t=null==t?we:{_:t}),ie.values[l]=t}function xi(l,e,t){let n;Ln=Nn,On=jn,[Nn,jn]=oe.move(k,Nn,jn),oe.left=Nn,oe.top=jn,re&&(Cn&&A(Cn,rl(Nn),0,Ie,Le),Hn&&A(Hn,0,rl(jn),Ie,Le)),si=gl,ri=null;let i=0==jl.ori?Ie:Le,o=1==jl.ori?Ie:Le;if(0>Nn||0==Gt||Lt>en){n=oe.idx=null;for(let l=0;pl.length>l;l++){let e=Dt[l];null!=e&&A(e,-10,-10,Ie,Le)}Et&&oi(null,ai,!0,null==l&&Fi.setSeries),ie.live&&(te.fill(n),_t=!0)}else{let l,e,t;1==M&&(l=0==jl.ori?Nn:jn,e=fi(l,El),n=oe.idx=L(e,g[0],Lt,en),t=$l(g[0][n],jl,i,0));let s=-10,r=-10,u=0,a=0,f=!0,c="",h="";for(let l=2==M?1:0;pl.length>l;l++){let d=pl[l],p=te[l],m=null==p?null:1==M?g[l][p]:g[l][1][p],x=oe.dataIdx(k,l,n,e),w=null==x?null:1==M?g[l][x]:g[l][1][x];if(_t=_t||w!=m||x!=p,te[l]=x,l>0&&d.show){let e=null==x?-10:x==n?t:$l(1==M?g[0][x]:g[l][0][x],jl,i,0),p=null==w?-10:ql(w,1==M?vl[d.scale]:vl[d.facets[1].scale],o,0);if(Et&&null!=w){let e=1==jl.ori?Nn:jn,t=ol(Tt.dist(k,l,x,p,e));if(si>t){let n=Tt.bias;if(0!=n){let i=fi(e,d.scale),o=0>i?-1:1;o!=(0>w?-1:1)||(1==o?1==n?i>w:w>i:1==n?w>i:i>w)||(si=t,ri=l)}else si=t,ri=l}}if(_t||zt){let t,n;0==jl.ori?(t=e,n=p):(t=p,n=e);let i,o,d,m,g,x,w=!0,_=St.bbox;if(null!=_){w=!1;let e=_(k,l);d=e.left,m=e.top,i=e.width,o=e.height}else d=t,m=n,i=o=St.size(k,l);if(x=St.fill(k,l),g=St.stroke(k,l),zt)l!=ri||si>Tt.prox||(s=d,r=m,u=i,a=o,f=w,c=x,h=g);else{let e=Dt[l];null!=e&&(Pt[l]=d,At[l]=m,H(e,i,o,w),Y(e,x,g),A(e,ul(d),ul(m),Ie,Le))}}}}if(zt){let l=Tt.prox;if(_t||(null==ui?l>=si:si>l||ri!=ui)){let l=Dt[0];null!=l&&(Pt[0]=s,At[0]=r,H(l,u,a,f),Y(l,c,h),A(l,ul(s),ul(r),Ie,Le))}}}if(ei.show&&Xn)if(null!=l){let[e,t]=Fi.scales,[n,s]=Fi.match,[r,u]=l.cursor.sync.scales,a=l.cursor.drag;if(Qn=a._x,li=a._y,Qn||li){let a,f,c,h,d,{left:p,top:m,width:g,height:x}=l.select,w=l.scales[r].ori,_=l.posToVal,b=null!=e&&n(e,r),v=null!=t&&s(t,u);b&&Qn?(0==w?(a=p,f=g):(a=m,f=x),c=vl[e],h=$l(_(a,r),c,i,0),d=$l(_(a+f,r),c,i,0),di(al(h,d),ol(d-h))):di(0,i),v&&li?(1==w?(a=p,f=g):(a=m,f=x),c=vl[t],h=ql(_(a,u),c,o,0),d=ql(_(a+f,u),c,o,0),pi(al(h,d),ol(d-h))):pi(0,o)}else yi()}else{let l=ol(Ln-Fn),e=ol(On-Rn);if(1==jl.ori){let t=l;l=e,e=t}Qn=Zn.x&&l>=Zn.dist,li=Zn.y&&e>=Zn.dist;let t,n,s=Zn.uni;null!=s?Qn&&li&&(Qn=l>=s,li=e>=s,Qn||li||(e>l?li=!0:Qn=!0)):Zn.x&&Zn.y&&(Qn||li)&&(Qn=li=!0),Qn&&(0==jl.ori?(t=Gn,n=Nn):(t=In,n=jn),di(al(t,n),ol(n-t)),li||pi(0,o)),li&&(1==jl.ori?(t=Gn,n=Nn):(t=In,n=jn),pi(al(t,n),ol(n-t)),Qn||di(0,i)),Qn||li||(di(0,0),pi(0,0))}if(Zn._x=Qn,Zn._y=li,null==l){if(t){if(null!=Ri){let[l,e]=Fi.scales;Fi.values[0]=null!=l?fi(0==jl.ori?Nn:jn,l):null,Fi.values[1]=null!=e?fi(1==jl.ori?Nn:jn,e):null}Ii(f,k,Nn,jn,Ie,Le,n)}if(Et){let l=t&&Fi.setSeries,e=Tt.prox;null==ui?si>e||oi(ri,ai,!0,l):si>e?oi(null,ai,!0,l):ri!=ui&&oi(ri,ai,!0,l)}}_t&&(ie.idx=n,mi()),!1!==e&&Ci("setCursor")}k.setLegend=mi;let wi=null;function _i(l=!1){l?wi=null:(wi=el.getBoundingClientRect(),Ci("syncRect",wi))}function bi(l,e,t,n,i,o){oe._lock||Xn&&null!=l&&0==l.movementX&&0==l.movementY||(vi(l,e,t,n,i,o,0,!1,null!=l),null!=l?xi(null,!0,!0):xi(e,!0,!1))}function vi(l,e,t,n,i,o,s,r,u){if(null==wi&&_i(!1),Mt(l),null!=l)t=l.clientX-wi.left,n=l.clientY-wi.top;else{if(0>t||0>n)return Nn=-10,void(jn=-10);let[l,s]=Fi.scales,r=e.cursor.sync,[u,a]=r.values,[f,c]=r.scales,[h,d]=Fi.match,p=e.axes[0].side%2==1,m=0==jl.ori?Ie:Le,g=1==jl.ori?Ie:Le,x=p?o:i,w=p?i:o,_=p?n:t,b=p?t:n;if(t=null!=f?h(l,f)?C(u,vl[l],m,0):-10:m*(_/x),n=null!=c?d(s,c)?C(a,vl[s],g,0):-10:g*(b/w),1==jl.ori){let l=t;t=n,n=l}}!u||null!=e&&e.cursor.event.type!=f||(t>1&&Ie-1>t||(t=zl(t,Ie)),n>1&&Le-1>n||(n=zl(n,Le))),r?(Fn=t,Rn=n,[Gn,In]=oe.move(k,t,n)):(Nn=t,jn=n)}Object.defineProperty(k,"rect",{get:()=>(null==wi&&_i(!1),wi)});const ki={width:0,height:0,left:0,top:0};function yi(){ni(ki,!1)}let Mi,Si,Ti,Ei;function zi(l,e,t,n,i,o){Xn=!0,Qn=li=Zn._x=Zn._y=!1,vi(l,e,t,n,i,o,0,!0,!1),null!=l&&(Ce(h,b,Di,!1),Ii(c,k,Gn,In,Ie,Le,null));let{left:s,top:r,width:u,height:a}=ei;Mi=s,Si=r,Ti=u,Ei=a}function Di(l,e,t,n,i,o){Xn=Zn._x=Zn._y=!1,vi(l,e,t,n,i,o,0,!1,!0);let{left:s,top:r,width:u,height:a}=ei,f=u>0||a>0,c=Mi!=s||Si!=r||Ti!=u||Ei!=a;if(f&&c&&ni(ei),Zn.setScale&&f&&c){let l=s,e=u,t=r,n=a;if(1==jl.ori&&(l=r,e=a,t=s,n=u),Qn&&ii(El,fi(l,El),fi(l+e,El)),li)for(let l in vl){let e=vl[l];l!=El&&null==e.from&&e.min!=gl&&ii(l,fi(t+n,l),fi(t,l))}yi()}else oe.lock&&(oe._lock=!oe._lock,xi(e,!0,null!=l));null!=l&&(He(h,b),Ii(h,k,Nn,jn,Ie,Le,null))}function Pi(l){oe._lock||(Mt(l),xn(),yi(),null!=l&&Ii(m,k,Nn,jn,Ie,Le,null))}function Ai(){xl.forEach(ln),vt(k.width,k.height,!0)}G(x,v,Ai);const Wi={};Wi.mousedown=zi,Wi.mousemove=bi,Wi.mouseup=Di,Wi.dblclick=Pi,Wi.setSeries=(l,e,t,n)=>{-1!=(t=(0,Fi.match[2])(k,e,t))&&oi(t,n,!0,!1)},re&&(Ce(c,el,zi),Ce(f,el,bi),Ce(d,el,(l=>{Mt(l),_i(!1)})),Ce(p,el,(function(l){if(oe._lock)return;Mt(l);let e=Xn;if(Xn){let l,e,t=!0,n=!0,i=10;0==jl.ori?(l=Qn,e=li):(l=li,e=Qn),l&&e&&(t=i>=Nn||Nn>=Ie-i,n=i>=jn||jn>=Le-i),l&&t&&(Nn=Gn>Nn?0:Ie),e&&n&&(jn=In>jn?0:Le),xi(null,!0,!0),Xn=!1}Nn=-10,jn=-10,te.fill(null),xi(null,!0,!0),e&&(Xn=e)})),Ce(m,el,Pi),It.add(k),k.syncRect=_i);const Yi=k.hooks=u.hooks||{};function Ci(l,e,t){Vn?Bn.push([l,e,t]):l in Yi&&Yi[l].forEach((l=>{l.call(null,k,e,t)}))}(u.plugins||[]).forEach((l=>{for(let e in l.hooks)Yi[e]=(Yi[e]||[]).concat(l.hooks[e])}));const Hi=(l,e,t)=>t,Fi=Bl({key:null,setSeries:!1,filters:{pub:Ml,sub:Ml},scales:[El,pl[1]?pl[1].scale:null],match:[Sl,Sl,Hi],values:[null,null]},oe.sync);2==Fi.match.length&&Fi.match.push(Hi),oe.sync=Fi;const Ri=Fi.key,Gi=dt(Ri);function Ii(l,e,t,n,i,o,s){Fi.filters.pub(l,e,t,n,i,o,s)&&Gi.pub(l,e,t,n,i,o,s)}function Li(){Ci("init",u,g),gn(g||u.data,!1),Kl[El]?Kn(El,Kl[El]):xn(),wt=ei.show&&(ei.width>0||ei.height>0),xt=_t=!0,vt(u.width,u.height)}return Gi.sub(k),k.pub=function(l,e,t,n,i,o,s){Fi.filters.sub(l,e,t,n,i,o,s)&&Wi[l](null,e,t,n,i,o,s)},k.destroy=function(){Gi.unsub(k),It.delete(k),Pe.clear(),I(x,v,Ai),R.remove(),ce?.remove(),Ci("destroy")},pl.forEach(Yt),xl.forEach((function(l,e){if(l._show=l.show,l.show){let t=vl[l.scale];null==t&&(l.scale=l.side%2?pl[1].scale:El,t=vl[l.scale]);let n=t.time;l.size=bl(l.size),l.space=bl(l.space),l.rotate=bl(l.rotate),Gl(l.incrs)&&l.incrs.forEach((l=>{!Wl.has(l)&&Wl.set(l,Yl(l))})),l.incrs=bl(l.incrs||(2==t.distr?ae:n?1==hl?ke:Se:fe)),l.splits=bl(l.splits||(n&&1==t.distr?Ql:3==t.distr?Je:4==t.distr?qe:$e)),l.stroke=bl(l.stroke),l.grid.stroke=bl(l.grid.stroke),l.ticks.stroke=bl(l.ticks.stroke),l.border.stroke=bl(l.border.stroke);let i=l.values;l.values=Gl(i)&&!Gl(i[0])?bl(i):n?Gl(i)?De(Xl,ze(i,Zl)):Ll(i)?function(l,e){let t=ne(e);return(e,n)=>n.map((e=>t(l(e))))}(Xl,i):i||le:i||Be,l.filter=bl(l.filter||(3>t.distr||10!=t.log?3==t.distr&&2==t.log?tt:kl:et)),l.font=Qt(l.font),l.labelFont=Qt(l.labelFont),l._size=l.size(k,null,e,0),l._space=l._rotate=l._incrs=l._found=l._splits=l._values=null,l._size>0&&(Ct[e]=!0,l._el=D("u-axis",X))}})),_?_ instanceof HTMLElement?(_.appendChild(R),Li()):_(k,Li):Li(),k}en.assign=Bl,en.fmtNum=tl,en.rangeNum=Z,en.rangeLog=B,en.rangeAsinh=$,en.orient=pt,en.pxRatio=y,en.join=function(l,e){if(function(l){let e=l[0][0],t=e.length;for(let n=1;l.length>n;n++){let i=l[n][0];if(i.length!=t)return!1;if(i!=e)for(let l=0;t>l;l++)if(i[l]!=e[l])return!1}return!0}(l)){let e=l[0].slice();for(let t=1;l.length>t;t++)e.push(...l[t].slice(1));return function(l,e=100){const t=l.length;if(1>=t)return!0;let n=0,i=t-1;for(;i>=n&&null==l[n];)n++;for(;i>=n&&null==l[i];)i--;if(n>=i)return!0;const o=fl(1,sl((i-n+1)/e));for(let e=l[n],t=n+o;i>=t;t+=o){const n=l[t];if(null!=n){if(e>=n)return!1;e=n}}return!0}(e[0])||(e=function(l){let e=l[0],t=e.length,n=Array(t);for(let l=0;n.length>l;l++)n[l]=l;n.sort(((l,t)=>e[l]-e[t]));let i=[];for(let e=0;l.length>e;e++){let o=l[e],s=Array(t);for(let l=0;t>l;l++)s[l]=o[n[l]];i.push(s)}return i}(e)),e}let t=new Set;for(let e=0;l.length>e;e++){let n=l[e][0],i=n.length;for(let l=0;i>l;l++)t.add(n[l])}let n=[Array.from(t).sort(((l,e)=>l-e))],i=n[0].length,o=new Map;for(let l=0;i>l;l++)o.set(n[0][l],l);for(let t=0;l.length>t;t++){let s=l[t],r=s[0];for(let l=1;s.length>l;l++){let u=s[l],a=Array(i).fill(void 0),f=e?e[t][l]:1,c=[];for(let l=0;u.length>l;l++){let e=u[l],t=o.get(r[l]);null===e?0!=f&&(a[t]=e,2==f&&c.push(t)):a[t]=e}$l(a,c,i),n.push(a)}}return n},en.fmtDate=ne,en.tzDate=function(l,e){let t;return"UTC"==e||"Etc/UTC"==e?t=new Date(+l+6e4*l.getTimezoneOffset()):e==ie?t=l:(t=new Date(l.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(l.getMilliseconds())),t},en.sync=dt;{en.addGap=function(l,e,t){let n=l[l.length-1];n&&n[0]==e?n[1]=t:l.push([e,t])},en.clipGaps=wt;let l=en.paths={points:Wt};l.linear=Ft,l.stepped=function(l){const e=Q(l.align,1),t=Q(l.ascDesc,!1),n=Q(l.alignGaps,0),i=Q(l.extend,!1);return(l,o,s,r)=>pt(l,o,((u,a,f,c,h,d,p,m,g,x,w)=>{[s,r]=U(f,s,r);let _=u.pxRound,{left:b,width:v}=l.bbox,k=l=>_(d(l,c,x,m)),M=l=>_(p(l,h,w,g)),S=0==c.ori?Mt:St;const T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},E=T.stroke,z=c.dir*(0==c.ori?1:-1);let D=M(f[1==z?s:r]),P=k(a[1==z?s:r]),A=P,W=P;i&&-1==e&&(W=b,S(E,W,D)),S(E,P,D);for(let l=1==z?s:r;l>=s&&r>=l;l+=z){let t=f[l];if(null==t)continue;let n=k(a[l]),i=M(t);1==e?S(E,n,D):S(E,A,i),S(E,n,i),D=i,A=n}let Y=A;i&&1==e&&(Y=b+v,S(E,Y,D));let[C,H]=mt(l,o);if(null!=u.fill||0!=C){let e=T.fill=new Path2D(E),t=M(u.fillTo(l,o,u.min,u.max,C));S(e,Y,t),S(e,W,t)}if(!u.spanGaps){let i=[];i.push(..._t(a,f,s,r,z,k,n));let h=u.width*y/2,d=t||1==e?h:-h,p=t||-1==e?-h:h;i.forEach((l=>{l[0]+=d,l[1]+=p})),T.gaps=i=u.gaps(l,o,s,r,i),T.clip=wt(i,c.ori,m,g,x,w)}return 0!=H&&(T.band=2==H?[xt(l,o,s,r,E,-1),xt(l,o,s,r,E,1)]:xt(l,o,s,r,E,H)),T}))},l.bars=function(l){const e=Q((l=l||Hl).size,[.6,gl,1]),t=l.align||0,n=l.gap||0;let i=l.radius;i=null==i?[0,0]:"number"==typeof i?[i,0]:i;const o=bl(i),s=1-e[0],r=Q(e[1],gl),u=Q(e[2],1),a=Q(l.disp,Hl),f=Q(l.each,(()=>{})),{fill:c,stroke:h}=a;return(l,e,i,d)=>pt(l,e,((p,m,g,x,w,_,b,v,k,M,S)=>{let T,E,z=p.pxRound,D=t,P=n*y,A=r*y,W=u*y;0==x.ori?[T,E]=o(l,e):[E,T]=o(l,e);const Y=x.dir*(0==x.ori?1:-1);let C,H,F,R=0==x.ori?Tt:Et,G=0==x.ori?f:(l,e,t,n,i,o,s)=>{f(l,e,t,i,n,s,o)},I=Q(l.bands,Fl).find((l=>l.series[0]==e)),L=p.fillTo(l,e,p.min,p.max,null!=I?I.dir:0),O=z(b(L,w,S,k)),N=M,j=z(p.width*y),U=!1,V=null,B=null,$=null,J=null;null==c||0!=j&&null==h||(U=!0,V=c.values(l,e,i,d),B=new Map,new Set(V).forEach((l=>{null!=l&&B.set(l,new Path2D)})),j>0&&($=h.values(l,e,i,d),J=new Map,new Set($).forEach((l=>{null!=l&&J.set(l,new Path2D)}))));let{x0:q,size:K}=a;if(null!=q&&null!=K){D=1,m=q.values(l,e,i,d),2==q.unit&&(m=m.map((e=>l.posToVal(v+e*M,x.key,!0))));let t=K.values(l,e,i,d);H=2==K.unit?t[0]*M:_(t[0],x,M,v)-_(0,x,M,v),N=Rt(m,g,_,x,M,v,N),F=N-H+P}else N=Rt(m,g,_,x,M,v,N),F=N*s+P,H=N-F;1>F&&(F=0),H/2>j||(j=0),5>F&&(z=vl);let X=F>0;H=z(wl(N-F-(X?j:0),W,A)),C=(0==D?H/2:D==Y?0:H)-D*Y*((0==D?P/2:0)+(X?j/2:0));const Z={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},ll=U?null:new Path2D;let el=null;if(null!=I)el=l.data[I.series[1]];else{let{y0:t,y1:n}=a;null!=t&&null!=n&&(g=n.values(l,e,i,d),el=t.values(l,e,i,d))}let tl=T*H,nl=E*H;for(let t=1==Y?i:d;t>=i&&d>=t;t+=Y){let n=g[t];if(null==n)continue;if(null!=el){let l=el[t]??0;if(n-l==0)continue;O=b(l,w,S,k)}let i=_(2!=x.distr||null!=a?m[t]:t,x,M,v),o=b(Q(n,L),w,S,k),s=z(i-C),r=z(fl(o,O)),u=z(al(o,O)),f=r-u;if(null!=n){let i=0>n?nl:tl,o=0>n?tl:nl;U?(j>0&&null!=$[t]&&R(J.get($[t]),s,u+sl(j/2),H,fl(0,f-j),i,o),null!=V[t]&&R(B.get(V[t]),s,u+sl(j/2),H,fl(0,f-j),i,o)):R(ll,s,u+sl(j/2),H,fl(0,f-j),i,o),G(l,e,t,s-j/2,u,H+j,f)}}return j>0?Z.stroke=U?J:ll:U||(Z._fill=0==p.width?p._fill:p._stroke??p._fill,Z.width=0),Z.fill=U?B:ll,Z}))},l.spline=function(l){return function(l,e){const t=Q(e?.alignGaps,0);return(e,n,i,o)=>pt(e,n,((s,r,u,a,f,c,h,d,p,m,g)=>{[i,o]=U(u,i,o);let x,w,_,b=s.pxRound,v=l=>b(c(l,a,m,d)),k=l=>b(h(l,f,g,p));0==a.ori?(x=kt,_=Mt,w=Pt):(x=yt,_=St,w=At);const y=a.dir*(0==a.ori?1:-1);let M=v(r[1==y?i:o]),S=M,T=[],E=[];for(let l=1==y?i:o;l>=i&&o>=l;l+=y)if(null!=u[l]){let e=v(r[l]);T.push(S=e),E.push(k(u[l]))}const z={stroke:l(T,E,x,_,w,b),fill:null,clip:null,band:null,gaps:null,flags:1},D=z.stroke;let[P,A]=mt(e,n);if(null!=s.fill||0!=P){let l=z.fill=new Path2D(D),t=k(s.fillTo(e,n,s.min,s.max,P));_(l,S,t),_(l,M,t)}if(!s.spanGaps){let l=[];l.push(..._t(r,u,i,o,y,v,t)),z.gaps=l=s.gaps(e,n,i,o,l),z.clip=wt(l,a.ori,d,p,m,g)}return 0!=A&&(z.band=2==A?[xt(e,n,i,o,D,-1),xt(e,n,i,o,D,1)]:xt(e,n,i,o,D,A)),z}))}(Gt,l)}}return en}();
(() => {
"use strict";
const module_dom = (() => {
"use strict";
function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	assign(element, attributes);
	add(element, children);
	return element;
}
function svg(tag, attributes = {}, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	assign(element, attributes);
	add(element, children);
	return element;
}
function fill(element, ...children) {
	element.replaceChildren();
	add(element, children);
}
function assign(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") {
			element.addEventListener(name, value);
		} else if (value !== null && value !== undefined && value !== false) {
			element.setAttribute(name, value === true ? "" : String(value));
		}
	}
}
function add(element, children) {
	for (const child of children) {
		if (Array.isArray(child)) {
			add(element, child);
		} else if (child !== null && child !== undefined && child !== false) {
			element.append(typeof child === "number" ? String(child) : child);
		}
	}
}
let made = 0;
function uniqueId() {
	made += 1;
	return `n${made}`;
}
return { h, svg, fill, uniqueId };
})();
const module_format = (() => {
"use strict";
const MISSING = "–";
const GAP = "\xA0";
function digits(value, significant) {
	if (value === 0) return "0";
	const before = Math.floor(Math.log10(Math.abs(value))) + 1;
	return value.toLocaleString("en", {
		minimumFractionDigits: 0,
		maximumFractionDigits: Math.max(0, significant - before)
	});
}
function duration(ms) {
	if (ms === null || ms === undefined || !Number.isFinite(ms)) return MISSING;
	const size = Math.abs(ms);
	if (size === 0) return `0${GAP}ms`;
	if (size < .001) return `${digits(ms * 1e6, 3)}${GAP}ns`;
	if (size < 1) return `${digits(ms * 1e3, 3)}${GAP}µs`;
	if (size < 1e3) return `${digits(ms, 3)}${GAP}ms`;
	if (size < 6e4) return `${digits(ms / 1e3, 3)}${GAP}s`;
	return clock(ms / 1e3);
}
function count(value) {
	if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
	return Math.round(value).toLocaleString("en");
}
function plain(value) {
	if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
	return Math.abs(value) >= 1e4 ? count(value) : digits(value, 4);
}
function rate(value) {
	return value === null || value === undefined ? MISSING : `${value >= 1e3 ? count(value) : digits(value, 3)}/s`;
}
function percent(share) {
	if (share === null || share === undefined || !Number.isFinite(share)) return MISSING;
	const value = share * 100;
	if (value === 0 || value === 100) return `${value}${GAP}%`;
	if (value < .01) return `<0.01${GAP}%`;
	if (value > 99.99 && value < 100) return `>99.99${GAP}%`;
	const places = value < 1 || value > 99 && value < 100 ? 2 : 1;
	return `${value.toLocaleString("en", { maximumFractionDigits: places })}${GAP}%`;
}
function bytes(value) {
	if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
	const units = [
		"B",
		"kB",
		"MB",
		"GB",
		"TB",
		"PB"
	];
	let size = Math.abs(value);
	let at = 0;
	while (size >= 1e3 && at < units.length - 1) {
		size /= 1e3;
		at += 1;
	}
	return `${value < 0 ? "-" : ""}${digits(size, 3)}${GAP}${units[at] ?? ""}`;
}
function clock(seconds) {
	if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
	const tenths = Math.round(seconds * 10);
	const whole = Math.floor(tenths / 10);
	const two = (n) => String(n).padStart(2, "0");
	const hours = Math.floor(whole / 3600);
	const minutes = Math.floor(whole / 60) % 60;
	const fraction = tenths % 10 === 0 || whole >= 600 ? "" : `.${tenths % 10}`;
	const end = `${two(whole % 60)}${fraction}`;
	return hours > 0 ? `${hours}:${two(minutes)}:${end}` : `${minutes}:${end}`;
}
function span(seconds) {
	if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
	if (seconds < 60) return `${digits(seconds, 3)}${GAP}s`;
	const whole = Math.round(seconds);
	const parts = [
		[Math.floor(whole / 3600), "h"],
		[Math.floor(whole / 60) % 60, "min"],
		[whole % 60, "s"]
	];
	return parts.filter(([n]) => n > 0).map(([n, unit]) => `${n}${GAP}${unit}`).join(" ");
}
function inUnit(value, contains) {
	if (contains === "time") return duration(value);
	if (contains === "data") return bytes(value);
	return plain(value);
}
function many(n, one, more = `${one}s`) {
	return `${count(n)} ${n === 1 ? one : more}`;
}
function moment(unixMs) {
	return new Date(unixMs).toLocaleString(undefined, {
		dateStyle: "medium",
		timeStyle: "medium"
	});
}
return { duration, count, plain, rate, percent, bytes, clock, span, inUnit, many, moment };
})();
const module_app_api = (() => {
"use strict";
const { h } = module_dom;
class Refused extends Error {
	hint;
	constructor(message, hint) {
		super(message);
		this.hint = hint;
	}
}
async function call(method, path, body) {
	let response;
	try {
		response = await fetch(`/api/v1/${path}`, {
			method,
			headers: body === undefined ? {} : { "content-type": "application/json" },
			body: body === undefined ? null : JSON.stringify(body)
		});
	} catch {
		throw new Refused("the server does not answer", "is netload still running?");
	}
	if (response.status === 204) return undefined;
	const document = await response.json().catch(() => ({}));
	if (response.ok) return document;
	const error = document.error;
	throw new Refused(error?.message ?? `the server answered ${response.status}`, error?.hint ?? "");
}
const get = (path) => call("GET", path);
const post = (path, body = {}) => call("POST", path, body);
const remove = (path) => call("DELETE", path);
function problem(error) {
	const hint = error instanceof Refused ? error.hint : "";
	const message = error instanceof Error ? error.message : String(error);
	const sentence = message.charAt(0).toUpperCase() + message.slice(1);
	return h("p", {
		class: "mark bad",
		role: "alert"
	}, sentence, hint ? h("span", { class: "hint" }, ` – ${hint}`) : null);
}
return { Refused, get, post, remove, problem };
})();
const module_app_curve = (() => {
"use strict";
const { h, svg } = module_dom;
const { clock, plain } = module_format;
const WIDTH = 640;
const HEIGHT = 160;
const LEFT = 56;
const BELOW = 22;
const ABOVE = 10;
function drawing(curves) {
	const units = [...new Set(curves.map((curve) => curve.unit))];
	return h("div", { class: "curves" }, units.map((unit) => one(unit, curves.filter((curve) => curve.unit === unit))));
}
function one(unit, curves) {
	const all = curves.flatMap((curve) => curve.points);
	const end = Math.max(...all.map(([t]) => t), 1e-9);
	const most = Math.max(...all.map(([, y]) => y), 1e-9);
	const x = (t) => LEFT + t / end * (WIDTH - LEFT - 4);
	const y = (value) => ABOVE + (1 - value / most) * (HEIGHT - ABOVE - BELOW);
	const floor = y(0);
	const shapes = curves.map(({ points }, at) => {
		const line = points.map(([t, value]) => `${x(t).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
		const from = x(points[0]?.[0] ?? 0).toFixed(1);
		const until = x(points[points.length - 1]?.[0] ?? 0).toFixed(1);
		return [svg("polygon", {
			class: `area line-${at % 6}`,
			points: `${from},${floor} ${line} ${until},${floor}`
		}), svg("polyline", {
			class: `stroke line-${at % 6}`,
			points: line
		})];
	});
	const words = `From 0 to ${plain(most)} ${unit} at most, over ${clock(end)}.`;
	const label = (at, text, anchor) => svg("text", {
		x: at[0],
		y: at[1],
		"text-anchor": anchor
	}, text);
	return h("figure", { class: "curve" }, h("figcaption", {}, `Load in ${unit}`), svg("svg", {
		viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
		role: "img",
		"aria-label": words
	}, svg("line", {
		class: "axis",
		x1: LEFT,
		x2: WIDTH,
		y1: floor,
		y2: floor
	}), svg("line", {
		class: "axis faint",
		x1: LEFT,
		x2: WIDTH,
		y1: y(most),
		y2: y(most)
	}), shapes, label([LEFT - 6, y(most) + 4], plain(most), "end"), label([LEFT - 6, floor + 4], "0", "end"), label([LEFT, HEIGHT - 4], "0:00", "start"), label([WIDTH - 2, HEIGHT - 4], clock(end), "end")));
}
return { drawing };
})();
const module_app_compare = (() => {
"use strict";
const { fill, h } = module_dom;
const { count, duration, moment, percent, plain, rate } = module_format;
const { get, problem } = module_app_api;
const { drawing } = module_app_curve;
const TONES = {
	better: "good",
	same: "plain",
	worse: "bad"
};
const WORDS = {
	better: "The newer run is better.",
	same: "Both are the same, within what matters.",
	worse: "The newer run is worse."
};
function comparePage(content, before, after) {
	let gone = false;
	const place = h("div", {}, h("p", { class: "loading" }, "Comparing"));
	fill(content, h("h1", {}, "Two runs side by side"), place);
	const of = (id) => get(`runs/${encodeURIComponent(id)}/view`);
	const compared = get(`compare?before=${encodeURIComponent(before)}&after=${encodeURIComponent(after)}`);
	Promise.all([
		compared,
		of(before),
		of(after)
	]).then(([comparison, one, other]) => {
		if (!gone) fill(place, page(comparison, one, other));
	}).catch((error) => {
		if (!gone) fill(place, problem(error));
	});
	return () => {
		gone = true;
	};
}
function page(comparison, before, after) {
	const share = percent(comparison.margin.relative);
	return [
		h("section", {
			class: `verdict ${TONES[comparison.verdict] ?? "warning"}`,
			"aria-label": "Verdict"
		}, h("p", { class: "word" }, comparison.verdict), h("p", {}, WORDS[comparison.verdict] ?? "The runs are too short or too uneven to tell.", ` Changes below ${share} do not count.`)),
		...comparison.caveats.map((caveat) => h("p", { class: "mark warning" }, caveat)),
		h("section", { "aria-labelledby": "runs-heading" }, h("h2", { id: "runs-heading" }, "The runs"), h("div", { class: "columns even" }, side("Before", before, comparison.sides[0]), side("After", after, comparison.sides[1]))),
		section("whole", "The whole run", comparison.rows),
		...comparison.names.length > 0 ? [section("names", "By name; these do not decide", comparison.names)] : [],
		h("section", { "aria-labelledby": "time-heading" }, h("h2", { id: "time-heading" }, "Over time"), h("div", { class: "columns even" }, figure("Before", before), figure("After", after)))
	];
}
function side(title, view, facts) {
	const labels = Object.entries(view.head.labels).map(([name, value]) => `${name}=${value}`);
	return h("div", { class: "side" }, h("h3", {}, title), h("p", {}, h("a", { href: `#/runs/${view.head.id}` }, view.head.title || view.head.id)), h("p", { class: "hint" }, [
		moment(view.head.started_ms),
		...labels,
		`${count(facts?.requests)} requests`,
		`${count(facts?.windows)} windows`
	].join(" · ")));
}
function section(id, title, rows) {
	const heads = [
		"What",
		"Before",
		"After",
		"Change",
		"Between",
		"Verdict"
	];
	const number = (text) => h("td", { class: "number" }, text);
	return h("section", { "aria-labelledby": `${id}-heading` }, h("h2", { id: `${id}-heading` }, title), h("div", {
		class: "scroll",
		tabindex: 0,
		role: "region",
		"aria-label": title
	}, h("table", {}, h("caption", { class: "hidden" }, title), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, named(row)), number(value(row, row.a)), number(value(row, row.b)), number(signed(row.change)), number(row.interval ? `${signed(row.interval[0])} to ${signed(row.interval[1])}` : "–"), h("td", {}, h("span", { class: `mark ${TONES[row.verdict] ?? "warning"}` }, row.verdict), row.why ? h("span", { class: "hint" }, ` ${row.why}`) : null)))))));
}
function named(row) {
	const part = typeof row.part === "object" && row.part !== null ? Object.values(row.part).map(String).join(" ") : "";
	const what = part && part !== "whole" ? `${part}: ` : "";
	return `${what}${row.metric} ${row.stat}`;
}
function value(row, number) {
	if (row.stat === "rate") return rate(number);
	return row.stat === "share" ? percent(number) : duration(number);
}
function signed(change) {
	const text = percent(Math.abs(change));
	return change === 0 ? text : `${change < 0 ? "−" : "+"}${text}`;
}
function figure(title, view) {
	const line = (scenario, unit, t, column) => {
		const points = t.flatMap((at, i) => {
			const y = column?.[i];
			return typeof y === "number" ? [[at, y]] : [];
		});
		return points.length > 1 ? [{
			scenario,
			unit,
			points
		}] : [];
	};
	const curves = [...line(title, "requests/s", view.rows.t, view.rows.rate), ...line(title, "ms at p95", view.latency.t, view.latency.net.p95)];
	return h("div", {}, h("h3", {}, title), curves.length > 0 ? drawing(curves) : h("p", { class: "hint" }, `Too short to draw: ${plain(view.rows.t.length)} seconds.`));
}
return { comparePage };
})();
const module_app_history = (() => {
"use strict";
const { fill, h } = module_dom;
const { duration, moment, percent, rate, span } = module_format;
const { get, problem, remove } = module_app_api;
const QUIET = 200;
function historyPage(content) {
	const chosen = new Set();
	const place = h("div", {});
	const trouble = h("div", {});
	const compare = h("button", {
		type: "button",
		class: "main",
		disabled: true,
		click: () => sideBySide()
	}, "Compare");
	const forget = h("button", {
		type: "button",
		class: "danger",
		disabled: true,
		click: () => void gone()
	}, "Forget");
	const search = h("input", {
		type: "search",
		placeholder: "Title, or label=value",
		"aria-label": "Search in the history"
	});
	fill(content, h("h1", {}, "History"), h("p", { class: "actions" }, search, compare, forget), h("p", { class: "hint" }, "Choose two runs to put them side by side; the older one is what the newer is compared with."), trouble, place);
	let timer = 0;
	let asked = 0;
	const settle = () => {
		compare.disabled = chosen.size !== 2;
		forget.disabled = chosen.size === 0;
	};
	const load = async () => {
		asked += 1;
		const own = asked;
		try {
			const query = search.value.trim() ? `?text=${encodeURIComponent(search.value.trim())}` : "";
			const { running, runs } = await get(`runs${query}`);
			if (own !== asked) return;
			fill(trouble);
			const live = new Set(running.map((run) => run.id));
			fill(place, runs.length > 0 ? table(runs, live, chosen, settle) : h("p", {}, "There are no runs here yet."));
		} catch (error) {
			if (own === asked) fill(trouble, problem(error));
		}
	};
	const sideBySide = () => {
		const [before, after] = [...chosen].sort();
		location.hash = `#/compare/${before}/${after}`;
	};
	const gone = async () => {
		const many = chosen.size === 1 ? "this run" : `these ${chosen.size} runs`;
		if (!confirm(`Take ${many} out of the history for good?`)) return;
		try {
			for (const id of chosen) await remove(`runs/${encodeURIComponent(id)}`);
			chosen.clear();
			settle();
		} catch (error) {
			fill(trouble, problem(error));
		}
		await load();
	};
	search.addEventListener("input", () => {
		clearTimeout(timer);
		timer = window.setTimeout(() => void load(), QUIET);
	});
	void load();
	return () => {
		clearTimeout(timer);
		asked += 1;
	};
}
function table(runs, live, chosen, settle) {
	const heads = [
		"",
		"When",
		"What",
		"Labels",
		"Took",
		"Rate",
		"p95",
		"Failed",
		"Generator",
		"Exit"
	];
	const row = (run) => {
		const box = h("input", {
			type: "checkbox",
			"aria-label": `Choose ${run.title} of ${run.id}`
		});
		box.checked = chosen.has(run.id);
		box.addEventListener("change", () => {
			if (box.checked) chosen.add(run.id);
			else chosen.delete(run.id);
			settle();
		});
		const number = (text) => h("td", { class: "number" }, text);
		const running = live.has(run.id) || run.state === "running";
		return h("tr", {}, h("td", {}, box), h("td", {}, moment(run.started_unix_ns / 1e6)), h("th", { scope: "row" }, h("a", { href: `#/runs/${run.id}` }, run.title || run.id)), h("td", {}, h("ul", { class: "labels" }, Object.entries(run.labels).map(([name, value]) => h("li", {}, `${name}=${value}`)))), number(run.elapsed_ns ? span(run.elapsed_ns / 1e9) : "–"), number(rate(run.rate)), number(duration(run.p95_ms)), number(percent(run.failed_share)), h("td", {}, run.verdict ?? "–"), h("td", { class: "number" }, running ? "running" : run.state === "interrupted" ? "interrupted" : String(run.exit_code ?? "–")));
	};
	return h("div", {
		class: "scroll",
		tabindex: 0,
		role: "region",
		"aria-label": "Earlier runs"
	}, h("table", { class: "history" }, h("caption", { class: "hidden" }, "Earlier runs, the newest first"), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, runs.map(row))));
}
return { historyPage };
})();
const module_theme = (() => {
"use strict";
const CHOSEN = "netload-theme";
const listeners = new Set();
function palette() {
	const style = getComputedStyle(document.documentElement);
	const one = (name) => style.getPropertyValue(`--${name}`).trim();
	const several = (name, n) => Array.from({ length: n }, (_, i) => one(`${name}-${i}`));
	return {
		text: one("text"),
		faint: one("faint"),
		grid: one("grid"),
		surface: one("surface"),
		bands: several("band", 6),
		lines: several("line", 6),
		bad: one("bad"),
		warning: one("warning"),
		heat: several("heat", 6)
	};
}
function onTheme(listener) {
	listeners.add(listener);
}
function offTheme(listener) {
	listeners.delete(listener);
}
function isDark() {
	const chosen = document.documentElement.dataset["theme"];
	return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
function toggle() {
	const theme = isDark() ? "light" : "dark";
	document.documentElement.dataset["theme"] = theme;
	try {
		localStorage.setItem(CHOSEN, theme);
	} catch {}
	tell();
}
function follow() {
	try {
		const chosen = localStorage.getItem(CHOSEN);
		if (chosen) document.documentElement.dataset["theme"] = chosen;
	} catch {}
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
	let before;
	addEventListener("beforeprint", () => {
		before = document.documentElement.dataset["theme"];
		document.documentElement.dataset["theme"] = "light";
		tell();
	});
	addEventListener("afterprint", () => {
		if (before) document.documentElement.dataset["theme"] = before;
		else delete document.documentElement.dataset["theme"];
		tell();
	});
}
function tell() {
	for (const listener of listeners) listener();
}
return { palette, onTheme, offTheme, isDark, toggle, follow };
})();
const module_charts_figure = (() => {
"use strict";
const { fill, h, uniqueId } = module_dom;
const { clock } = module_format;
const { offTheme, onTheme, palette } = module_theme;
const together = new Set();
const CURSOR = "time";
const NUMBERS = 60;
class Figure {
	element;
	plot = null;
	canvas;
	summary;
	redrawn = () => this.redraw();
	watcher;
	logarithmic = true;
	range = null;
	width = 0;
	spec;
	constructor(spec) {
		this.spec = spec;
		const id = uniqueId();
		this.summary = h("p", {
			class: "summary",
			id: `${id}-s`
		});
		this.canvas = h("div", {
			class: "canvas",
			role: "img",
			"aria-labelledby": `${id}-t`,
			"aria-describedby": `${id}-s`
		});
		const body = h("div", {});
		const details = h("details", { class: "numbers" }, h("summary", {}, "Numbers"), body);
		details.addEventListener("toggle", () => this.list(details, body));
		this.element = h("figure", {
			class: "chart",
			"data-chart": spec.id
		}, h("figcaption", {}, h("h3", { id: `${id}-t` }, spec.title), spec.scales ? this.scaleSwitch() : null), this.summary, this.canvas, spec.hint ? h("p", { class: "hint" }, spec.hint) : null, details);
		this.watcher = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
		this.watcher.observe(this.canvas);
		onTheme(this.redrawn);
		if (spec.overTime) together.add(this);
	}
	redraw() {
		this.width = this.canvas.clientWidth;
		if (this.width === 0) return;
		const drawing = this.spec.draw(palette(), this.logarithmic);
		this.plot?.destroy();
		this.plot = null;
		this.element.hidden = drawing === null;
		if (drawing === null) return;
		fill(this.summary, drawing.summary);
		const options = {
			...drawing.options,
			width: this.width,
			height: this.spec.height ?? 260,
			cursor: {
				drag: {
					x: this.spec.overTime,
					y: false
				},
				points: { size: 6 },
				...this.spec.overTime ? { sync: {
					key: CURSOR,
					setSeries: false,
					scales: ["x", null]
				} } : {},
				...drawing.options.cursor
			},
			hooks: this.spec.overTime ? withZoom(drawing.options.hooks ?? {}, this) : drawing.options.hooks ?? {}
		};
		fill(this.canvas);
		this.plot = new uPlot(options, drawing.data, this.canvas);
		if (this.range) this.plot.setScale("x", {
			min: this.range[0],
			max: this.range[1]
		});
	}
	refresh() {
		const drawing = this.plot ? this.spec.draw(palette(), this.logarithmic) : null;
		const painted = drawing?.options.hooks !== undefined;
		if (!drawing || !this.plot || painted || drawing.data.length !== this.plot.data.length) {
			this.redraw();
			return;
		}
		fill(this.summary, drawing.summary);
		this.plot.setData(drawing.data, this.range === null);
		if (this.range !== null) this.plot.redraw();
	}
	show(range) {
		this.range = range;
		if (!this.plot) return;
		const data = this.plot.data[0];
		const all = [data[0] ?? 0, data[data.length - 1] ?? 1];
		const [min, max] = range ?? all;
		this.plot.setScale("x", {
			min,
			max
		});
	}
	destroy() {
		this.watcher.disconnect();
		offTheme(this.redrawn);
		together.delete(this);
		this.plot?.destroy();
	}
	fit() {
		const width = this.canvas.clientWidth;
		if (width === 0 || width === this.width) return;
		if (this.plot) {
			this.width = width;
			this.plot.setSize({
				width,
				height: this.spec.height ?? 260
			});
		} else {
			this.redraw();
		}
	}
	scaleSwitch() {
		const button = h("button", {
			type: "button",
			class: "quiet",
			"aria-pressed": "true"
		}, "Log scale");
		button.addEventListener("click", () => {
			this.logarithmic = !this.logarithmic;
			button.setAttribute("aria-pressed", String(this.logarithmic));
			this.redraw();
		});
		return button;
	}
	list(details, body) {
		if (!details.open) return;
		const drawing = this.spec.draw(palette(), this.logarithmic);
		const numbers = drawing?.numbers?.() ?? (drawing && this.plot ? overTime(drawing) : {
			heads: [],
			rows: []
		});
		fill(body, h("div", {
			class: "scroll",
			tabindex: 0,
			role: "region",
			"aria-label": `Numbers of ${this.spec.title}`
		}, h("table", {}, h("caption", { class: "hidden" }, this.spec.title), h("thead", {}, h("tr", {}, numbers.heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, numbers.rows.map((row) => h("tr", {}, row.map((cell, at) => at === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: "number" }, cell))))))));
	}
}
function showTime(range) {
	for (const figure of together) figure.show(range);
}
function chartNamed(id) {
	return document.querySelector(`[data-chart="${CSS.escape(id)}"]`);
}
function timeAxes(colours, format, logarithmic = false) {
	const common = {
		stroke: colours.faint,
		grid: {
			stroke: colours.grid,
			width: 1
		},
		ticks: { show: false },
		font: "12px system-ui, sans-serif"
	};
	return [{
		...common,
		size: 30,
		space: 60,
		incrs: STEPS,
		values: (_, ticks) => ticks.map((t) => clock(t))
	}, {
		...common,
		size: 70,
		values: (_, ticks) => ticks.map((tick) => logarithmic && !roundTick(tick) ? "" : format(tick))
	}];
}
function timeScale() {
	return { x: {
		time: false,
		range: (plot, min, max) => [min <= (plot.data[0][0] ?? 0) ? 0 : min, max]
	} };
}
const STEPS = [
	.1,
	.2,
	.5,
	1,
	2,
	5,
	10,
	15,
	30,
	60,
	120,
	300,
	600,
	900,
	1800,
	3600,
	7200,
	14400,
	43200,
	86400
];
function roundTick(tick) {
	const first = tick / 10 ** Math.floor(Math.log10(tick) + 1e-9);
	return [
		1,
		2,
		5
	].some((n) => Math.abs(first - n) < 1e-6);
}
function withZoom(hooks, figure) {
	return {
		...hooks,
		setSelect: [...hooks.setSelect ?? [], (plot) => {
			if (plot.select.width < 4) return;
			const min = plot.posToVal(plot.select.left, "x");
			const max = plot.posToVal(plot.select.left + plot.select.width, "x");
			for (const other of together) if (other !== figure) other.show([min, max]);
			figure.show([min, max]);
		}],
		ready: [...hooks.ready ?? [], (plot) => plot.over.addEventListener("dblclick", () => showTime(null))]
	};
}
function overTime(drawing) {
	const series = drawing.options.series;
	const [x, ...columns] = drawing.data;
	if (!x) return {
		heads: [],
		rows: []
	};
	const step = Math.ceil(x.length / NUMBERS);
	const rows = [];
	for (let at = 0; at < x.length; at += step) {
		rows.push([clock(x[at]), ...columns.map((column, of) => {
			const value = column[at];
			const format = series[of + 1]?.value;
			return typeof format === "function" ? String(format(null, value, of + 1, at)) : String(value ?? "–");
		})]);
	}
	return {
		heads: ["Time", ...series.slice(1).map((one) => String(one.label))],
		rows
	};
}
return { Figure, showTime, chartNamed, timeAxes, timeScale };
})();
const module_live = (() => {
"use strict";
const ROWS = 7200;
const PER_OCTAVE = 8;
const SIMPLE = [
	"rate",
	"planned",
	"started",
	"dropped",
	"failed",
	"vus",
	"vus_max"
];
const TRENDS = [
	"net",
	"gross",
	"tare",
	"response"
];
function append(view, row) {
	const { rows } = view;
	if (rows.t.length > 0 && row.t <= (rows.t[rows.t.length - 1] ?? 0)) return;
	if (rows.t.length >= ROWS) halve(view);
	rows.t.push(row.t);
	rows.span.push(row.span);
	for (const name of SIMPLE) rows[name].push(row[name]);
	percentiles(view.latency, row);
	heat(view, row);
	const { totals } = view;
	const times = (value) => Math.round((value ?? 0) * row.span);
	view.elapsed_s = row.t;
	totals.requests += times(row.rate);
	totals.failed += times(row.failed);
	totals.started += times(row.started);
	totals.dropped += times(row.dropped);
	if (row.planned !== null) totals.planned = (totals.planned ?? 0) + times(row.planned);
	totals.vus_max = Math.max(totals.vus_max, row.vus_max ?? 0);
}
function percentiles(latency, row) {
	const before = latency.t.length;
	latency.t.push(row.t);
	latency.span.push(row.span);
	for (const trend of TRENDS) {
		const names = new Set([...Object.keys(latency[trend]), ...Object.keys(row[trend])]);
		for (const name of names) {
			const column = latency[trend][name] ??= Array(before).fill(null);
			column.push(row[trend][name] ?? null);
		}
	}
}
function heat(view, row) {
	if (!view.heat) {
		if (row.heat.counts.length === 0) return;
		view.heat = {
			per_octave: PER_OCTAVE,
			low: row.heat.low,
			t: [row.t - row.span],
			counts: []
		};
	}
	const map = view.heat;
	if (row.heat.counts.length > 0 && row.heat.low < map.low) {
		const more = map.low - row.heat.low;
		for (const column of map.counts) column.unshift(...Array(more).fill(0));
		map.low = row.heat.low;
	}
	const before = Array(row.heat.counts.length > 0 ? row.heat.low - map.low : 0).fill(0);
	map.counts.push([...before, ...row.heat.counts]);
	map.t.push(row.t);
}
function halve(view) {
	const thin = (column) => column.filter((_, at) => at % 2 === 1);
	const { rows, latency } = view;
	rows.t = thin(rows.t);
	rows.span = thin(rows.span).map((span) => span * 2);
	for (const name of SIMPLE) rows[name] = thin(rows[name]);
	latency.t = thin(latency.t);
	latency.span = thin(latency.span);
	for (const trend of TRENDS) {
		for (const [name, column] of Object.entries(latency[trend])) latency[trend][name] = thin(column);
	}
}
return { append };
})();
const module_charts_lines = (() => {
"use strict";
const { timeAxes, timeScale } = module_charts_figure;
function lines(colours, t, all, format, summary, logarithmic = false) {
	const shown = all.filter((line) => line.values.some((value) => value !== null));
	if (shown.length === 0 || t.length === 0) return null;
	const series = [{}, ...shown.map((line) => ({
		label: line.label,
		stroke: line.colour,
		width: 1.5,
		...line.dashed ? { dash: [6, 4] } : {},
		...line.filled ? { fill: `${line.colour}22` } : {},
		...line.stepped ? { paths: stepped() } : {},
		points: { show: t.length < 3 },
		value: (_, value) => value === null ? "–" : format(value)
	}))];
	series[0] = timeSeries();
	const values = shown.map((line) => logarithmic ? line.values.map(positive) : line.values);
	return {
		summary,
		data: [t, ...values],
		options: {
			series,
			axes: timeAxes(colours, format, logarithmic) ?? [],
			scales: {
				...timeScale(),
				y: logarithmic ? { distr: 3 } : { range: fromZero }
			}
		}
	};
}
function timeSeries() {
	return {
		label: "Time",
		value: (_, value) => value === null || value === undefined ? "–" : clockOf(value)
	};
}
function clockOf(seconds) {
	const whole = Math.round(seconds);
	const two = (n) => String(n).padStart(2, "0");
	const hours = Math.floor(whole / 3600);
	const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
	return hours > 0 ? `${hours}:${rest}` : rest;
}
function fromZero(_, __, most) {
	return [0, most > 0 ? most * 1.08 : 1];
}
function positive(value) {
	return value !== null && value > 0 ? value : null;
}
function stepped() {
	const paths = uPlot.paths.stepped;
	return paths ? paths({ align: -1 }) : undefined;
}
return { lines, timeSeries, positive };
})();
const module_tables = (() => {
"use strict";
const { fill, h } = module_dom;
const AT_FIRST = 20;
function table(spec) {
	const heads = spec.heads.filter((head, at) => at === 0 || spec.rows.some((row) => has(head.cell(row))));
	let order = null;
	let filter = "";
	let all = spec.rows.length <= AT_FIRST + 5;
	const body = h("tbody", {});
	const note = h("p", {
		class: "note",
		"aria-live": "polite"
	});
	const buttons = heads.map((head, at) => head.by ? h("button", {
		type: "button",
		class: "sort",
		title: head.about,
		click: () => sort(at)
	}, head.title) : h("span", { title: head.about }, head.title));
	const cells = heads.map((head, at) => h("th", {
		scope: "col",
		class: head.number ? "number" : null
	}, buttons[at]));
	const sort = (at) => {
		const first = heads[at]?.number ?? false;
		order = order?.head === at ? {
			head: at,
			down: !order.down
		} : {
			head: at,
			down: first
		};
		for (const [other, cell] of cells.entries()) {
			if (other === at) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
			else cell.removeAttribute("aria-sort");
		}
		show();
	};
	const show = () => {
		const words = filter.toLowerCase();
		let rows = words ? spec.rows.filter((row) => spec.text?.(row).toLowerCase().includes(words)) : spec.rows;
		const by = order ? heads[order.head]?.by : undefined;
		if (order && by) rows = sorted(rows, by, order.down);
		const shown = all ? rows : rows.slice(0, AT_FIRST);
		fill(body, shown.map((row) => h("tr", {}, heads.map((head, at) => at === 0 ? h("th", { scope: "row" }, head.cell(row)) : h("td", { class: head.number ? "number" : null }, head.cell(row))))));
		const more = rows.length - shown.length;
		fill(note, more > 0 ? `${shown.length} of ${rows.length} ${spec.things} ` : words ? `${rows.length} ${spec.things} ` : null, more > 0 ? h("button", {
			type: "button",
			click: () => (all = true, show())
		}, "Show all") : null);
	};
	show();
	const search = spec.text && spec.rows.length > AT_FIRST ? h("input", {
		type: "search",
		placeholder: `Filter ${spec.things}`,
		"aria-label": `Filter ${spec.things}`,
		input: (event) => {
			filter = event.target.value;
			show();
		}
	}) : null;
	return h("div", { class: "table" }, search, h("div", {
		class: "scroll",
		tabindex: 0,
		role: "region",
		"aria-label": spec.caption
	}, h("table", {}, h("caption", {}, spec.caption), h("thead", {}, h("tr", {}, cells)), body)), note);
}
function has(cell) {
	return cell !== null && cell !== undefined && cell !== false && cell !== "–" && cell !== "";
}
function sorted(rows, by, down) {
	return rows.toSorted((a, b) => {
		const [x, y] = [by(a) ?? null, by(b) ?? null];
		if (x === null || y === null) return Number(x === null) - Number(y === null);
		const order = typeof x === "string" || typeof y === "string" ? String(x).localeCompare(String(y), "en", { numeric: true }) : x - y;
		return down ? -order : order;
	});
}
return { table };
})();
const module_sections_generator = (() => {
"use strict";
const { Figure } = module_charts_figure;
const { lines } = module_charts_lines;
const { h } = module_dom;
const format = module_format;
const { table } = module_tables;
function generatorTexts(view) {
	const generator = view.generator;
	if (!generator) return [h("p", { class: "note" }, "The verdict on the generator is given at the end of a run.")];
	const out = [];
	const clean = generator.clean_window;
	if (clean && generator.verdict !== "clean") {
		out.push(h("p", {}, `In the ${format.span(clean.seconds)} that nothing touched: net p50 ${format.duration(clean.net.p50)}, p99 ${format.duration(clean.net.p99)}; gross p50 ${format.duration(clean.gross.p50)}, p99 ${format.duration(clean.gross.p99)}.`));
	}
	for (const sentence of generator.contradictions) out.push(h("p", { class: "mark bad" }, sentence));
	if (generator.episodes.length > 0) {
		out.push(table({
			caption: "When the generator was not clean",
			things: "stretches",
			rows: generator.episodes,
			heads: [
				{
					title: "Verdict",
					cell: (e) => e.verdict
				},
				{
					title: "From",
					cell: (e) => format.clock(e.since_s),
					number: true
				},
				{
					title: "To",
					cell: (e) => format.clock(e.until_s),
					number: true
				},
				{
					title: "Cause",
					cell: (e) => e.cause
				},
				{
					title: "In numbers",
					cell: (e) => e.detail
				}
			]
		}));
	}
	if (generator.unread.length > 0) {
		const words = generator.unread.map((one) => `${one.quantity} (${one.reason})`).join("; ");
		out.push(h("p", { class: "note" }, `Could not be read on this machine: ${words}.`));
	}
	return out;
}
function generatorCharts(view) {
	const generator = view.generator;
	if (!generator || generator.evidence.length === 0) return [];
	const evidence = generator.evidence;
	const t = evidence.map((e) => e.at_s + e.span_s);
	const column = (of) => evidence.map((e) => of(e) ?? null);
	const some = (values) => values.some((value) => value !== null && value > .001) ? values : [];
	return [new Figure({
		id: "generator",
		title: "The generator's resources",
		hint: "Shares of the time or of the limit. The busiest worker near 100 % means that netload had no more to give.",
		overTime: true,
		draw: (colours) => {
			const [a = "", b = "", c = "", d = "", e = "", f = ""] = colours.lines;
			const run = column((one) => one.worker_run);
			const most = Math.max(0, ...run.filter((value) => value !== null));
			return lines(colours, t, [
				{
					label: "busiest worker",
					values: run,
					colour: a
				},
				{
					label: "waiting for a CPU",
					values: some(column((one) => one.worker_wait)),
					colour: b
				},
				{
					label: "machine",
					values: column((one) => one.machine_busy),
					colour: c,
					dashed: true
				},
				{
					label: "stolen",
					values: some(column((one) => one.steal)),
					colour: colours.bad
				},
				{
					label: "all VUs busy",
					values: some(column((one) => one.all_busy)),
					colour: d
				},
				{
					label: "ports",
					values: some(column((one) => one.ports_used)),
					colour: e,
					dashed: true
				},
				{
					label: "open files",
					values: some(column((one) => one.files_used)),
					colour: f,
					dashed: true
				}
			], (value) => format.percent(value), `The busiest worker ran up to ${format.percent(most)} of the time.`);
		}
	}), new Figure({
		id: "lateness",
		title: "Lateness of starts",
		hint: "How much later than planned iterations started while a VU was free. This is netload's own delay.",
		height: 180,
		overTime: true,
		draw: (colours) => {
			const [a = "", b = ""] = colours.lines;
			const worst = column((one) => one.lateness_ms.max);
			const most = Math.max(0, ...worst.filter((value) => value !== null));
			if (most === 0) return null;
			const all = [{
				label: "max",
				values: worst,
				colour: b
			}, {
				label: "p99",
				values: column((one) => one.lateness_ms.p99),
				colour: a
			}];
			return lines(colours, t, all, format.duration, `At most ${format.duration(most)} late.`);
		}
	})];
}
return { generatorTexts, generatorCharts };
})();
const module_sections_headline = (() => {
"use strict";
const { h } = module_dom;
const format = module_format;
function headline(view) {
	const passed = outcome(view);
	return h("section", {
		class: "headline",
		"aria-label": "Result"
	}, h("div", { class: `verdict ${passed.tone}` }, h("p", { class: "word" }, passed.word), h("p", {}, passed.sentence)), h("div", { class: "answers" }, answer("How fast", speed(view)), answer("What failed", failed(view)), answer("Can I trust it", trust(view))));
}
function answer(question, { tone, word, more }) {
	return h("section", { class: `answer ${tone}` }, h("h2", {}, question), h("p", { class: "word" }, word), more.filter(Boolean).map((line) => h("p", {}, line)));
}
function outcome(view) {
	const crossed = view.thresholds.filter((t) => !t.ok).length;
	const judged = view.thresholds.length;
	const limits = judged === 0 ? "No thresholds were set, so nothing was judged." : crossed === 0 ? `${judged === 1 ? "The threshold" : `All ${judged} thresholds`} held.` : `${crossed} of ${format.many(judged, "threshold")} ${crossed === 1 ? "was" : "were"} crossed.`;
	if (view.state === "running") {
		const sentence = `For ${format.span(view.elapsed_s)} now. ${judged ? limits : ""}`;
		return {
			tone: crossed ? "bad" : "plain",
			word: "Running",
			sentence
		};
	}
	if (view.state === "interrupted" || !view.ended) {
		return {
			tone: "warning",
			word: "Interrupted",
			sentence: `netload was ended from outside; all until ${format.span(view.elapsed_s)} is here.`
		};
	}
	const end = ended(view.ended.sentence);
	if (view.ended.failed) return {
		tone: "bad",
		word: "Failed",
		sentence: `${end}${limits}`
	};
	return {
		tone: judged ? "good" : "plain",
		word: judged ? "Passed" : "Finished",
		sentence: `${end}${limits}`
	};
}
function ended(sentence) {
	if (!sentence) return "";
	return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? "" : "."} `;
}
function speed(view) {
	const main = metric(view, view.main);
	const time = (name) => format.duration(main?.values[name]);
	const seconds = view.elapsed_s || 1;
	const requests = view.totals.requests;
	const load = requests > 0 ? `${format.many(requests, "request")}, ${format.rate(requests / seconds)}, in ${format.span(view.elapsed_s)}` : `${format.many(view.totals.iterations, "iteration")}, ${format.rate(view.totals.iterations / seconds)}, in ${format.span(view.elapsed_s)}`;
	if (!main) return {
		tone: "plain",
		word: "No durations",
		more: [load]
	};
	const tail = [
		"p95",
		"p99",
		"p99.9"
	].filter((name) => carried(main, name));
	return {
		tone: "plain",
		word: [time("p50"), h("small", {}, ` median ${view.totals.requests > 0 ? "response" : view.main.replace(/_duration$/, "").replaceAll("_", " ")}`)],
		more: [
			tail.map((name) => `${name} ${time(name)}`).concat(`max ${time("max")}`).join(" · "),
			load,
			uncertain(main)
		]
	};
}
function carried(main, name) {
	return main.needs?.[name] === undefined && typeof main.values[name] === "number";
}
function uncertain(main) {
	const interval = main.intervals?.["p95"];
	if (!interval || interval[1] === null || !carried(main, "p95")) return null;
	return `p95 lies between ${format.duration(interval[0])} and ${format.duration(interval[1])} with 95 % confidence`;
}
function failed(view) {
	const { requests, failed, dropped } = view.totals;
	const checks = view.checks.reduce((sum, check) => sum + check.fails, 0);
	const passes = view.checks.reduce((sum, check) => sum + check.passes, 0);
	const more = [];
	const worst = view.errors[0];
	if (worst) more.push(`Most often: ${worst.text} (${format.count(worst.count)})`);
	const statuses = view.statuses.filter(({ status }) => Number(status) >= 400);
	if (statuses.length > 0) more.push(statuses.slice(0, 3).map((s) => `${format.count(s.count)} × status ${s.status}`).join(", "));
	if (checks > 0) more.push(`${format.many(checks, "check")} of ${format.count(checks + passes)} failed`);
	if (dropped > 0) more.push(`${format.many(dropped, "planned iteration")} could not start`);
	if (requests === 0) return {
		tone: "plain",
		word: checks + dropped > 0 ? "See below" : "Nothing",
		more: [...more, "No requests were made."]
	};
	if (failed === 0) {
		const tone = checks + dropped > 0 ? "warning" : "good";
		return {
			tone,
			word: ["No request", h("small", {}, ` of ${format.count(requests)}`)],
			more
		};
	}
	return {
		tone: failed / requests > .01 ? "bad" : "warning",
		word: [format.percent(failed / requests), h("small", {}, " of requests")],
		more: [`${format.count(failed)} of ${format.count(requests)}`, ...more]
	};
}
const TRUST = {
	clean: ["good", "Yes"],
	disturbed: ["warning", "Mostly"],
	"concurrency-bound": ["warning", "With care"],
	"generator-bound": ["bad", "No"],
	invalid: ["bad", "No"]
};
function trust(view) {
	const generator = view.generator;
	if (!generator) {
		const word = view.state === "running" ? "Not judged yet" : "Not judged";
		return {
			tone: "plain",
			word,
			more: [tare(view)]
		};
	}
	const [tone, word] = TRUST[generator.verdict] ?? ["plain", generator.verdict];
	const when = generator.since_s !== null && generator.until_s !== null ? ` from ${format.clock(generator.since_s)} to ${format.clock(generator.until_s)}` : "";
	const why = generator.detail ? `: ${generator.detail}` : "";
	const meaning = generator.meaning ? `${generator.meaning.charAt(0).toUpperCase()}${generator.meaning.slice(1)}` : null;
	return {
		tone,
		word,
		more: [
			`The generator was ${generator.verdict}${when}${why}.`,
			meaning,
			tare(view)
		]
	};
}
function tare(view) {
	const [net, own] = [metric(view, "http_req_duration"), metric(view, "http_req_tare")];
	if (!net || !own) return null;
	return `Netload itself added ${format.duration(own.values["p50"])} (p99 ${format.duration(own.values["p99"])}); it is not in these numbers.`;
}
function metric(view, name) {
	return view.metrics.find((one) => one.name === name);
}
return { headline, metric };
})();
const module_sections_judged = (() => {
"use strict";
const { chartNamed, showTime } = module_charts_figure;
const { h } = module_dom;
const format = module_format;
const { table } = module_tables;
function findings(view) {
	if (view.findings.length === 0) {
		return [h("p", { class: "note" }, view.state === "running" ? "Nothing so far." : "Nothing stood out by the rules of netload.")];
	}
	return [h("ul", { class: "findings" }, view.findings.map((finding) => h("li", { class: tone(finding.severity) }, one(finding))))];
}
function one(finding) {
	const when = [finding.since_ns / 1e9, finding.until_ns / 1e9];
	const parts = [h("h3", {}, h("span", { class: "tag" }, finding.severity), ` ${finding.title}`), h("p", {}, finding.sentence)];
	const evidence = facts(finding.evidence);
	if (evidence) parts.push(h("p", { class: "note" }, evidence));
	const words = when[1] > when[0] ? `Show ${format.clock(when[0])} to ${format.clock(when[1])}` : "Show";
	parts.push(h("button", {
		type: "button",
		class: "quiet",
		click: () => show(finding, when)
	}, words));
	return parts;
}
function show(finding, when) {
	if (when[1] > when[0]) {
		const margin = Math.max((when[1] - when[0]) * .15, 2);
		showTime([Math.max(0, when[0] - margin), when[1] + margin]);
	}
	const section = finding.chart === "statuses" ? "errors" : finding.chart;
	const place = chartNamed(finding.chart) ?? document.getElementById(section) ?? chartNamed("latency");
	const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
	place?.scrollIntoView({
		behavior: calm ? "auto" : "smooth",
		block: "start"
	});
}
function facts(evidence) {
	if (typeof evidence !== "object" || evidence === null) return null;
	const plain = Object.entries(evidence).filter(([, value]) => typeof value === "number" || typeof value === "string");
	if (plain.length === 0) return null;
	return plain.map(([name, value]) => fact(name, value)).join(" · ");
}
function fact(name, value) {
	const plain = name.replace(/_(ns|ms)$/, "").replaceAll("_", " ");
	if (typeof value !== "number") return `${plain} ${String(value)}`;
	if (name.endsWith("_ns")) return `${plain} ${format.duration(value / 1e6)}`;
	return `${plain} ${name.endsWith("_ms") ? format.duration(value) : format.plain(value)}`;
}
function tone(severity) {
	return {
		problem: "bad",
		warning: "warning",
		note: "plain"
	}[severity];
}
function thresholds(view) {
	const rows = [...view.thresholds].sort((a, b) => Number(a.ok) - Number(b.ok));
	return [table({
		caption: "Thresholds",
		things: "thresholds",
		rows,
		text: (t) => `${t.metric} ${t.expression}`,
		heads: [
			{
				title: "Metric",
				cell: (t) => t.metric,
				by: (t) => t.metric
			},
			{
				title: "Threshold",
				cell: (t) => h("code", {}, t.expression)
			},
			{
				title: "Measured",
				cell: (t) => measured(t),
				by: (t) => t.value,
				number: true
			},
			{
				title: "Result",
				cell: (t) => h("span", { class: t.ok ? "mark good" : "mark bad" }, t.ok ? "✓ held" : "✗ crossed"),
				by: (t) => Number(t.ok)
			}
		]
	})];
}
function measured(threshold) {
	if (threshold.value === null) return "–";
	if (threshold.kind === "rate" || /^\s*rate\b/.test(threshold.expression)) {
		return threshold.kind === "rate" ? format.percent(threshold.value) : format.rate(threshold.value);
	}
	return /^\s*count\b/.test(threshold.expression) ? format.plain(threshold.value) : format.inUnit(threshold.value, threshold.contains);
}
function checks(view) {
	const rows = [...view.checks].sort((a, b) => Number(b.fails > 0) - Number(a.fails > 0));
	const share = (check) => check.passes / Math.max(1, check.passes + check.fails);
	return [table({
		caption: "Checks",
		things: "checks",
		rows,
		text: (check) => `${check.group} ${check.name}`,
		heads: [
			{
				title: "Check",
				cell: (check) => check.name,
				by: (check) => check.name
			},
			{
				title: "Group",
				cell: (check) => groupName(check.group),
				by: (check) => check.group
			},
			{
				title: "Passed",
				cell: (check) => format.percent(share(check)),
				by: share,
				number: true
			},
			{
				title: "Passes",
				cell: (check) => format.count(check.passes),
				by: (check) => check.passes,
				number: true
			},
			{
				title: "Fails",
				cell: (check) => format.count(check.fails),
				by: (check) => check.fails,
				number: true
			},
			{
				title: "Result",
				cell: (check) => h("span", { class: check.fails ? "mark bad" : "mark good" }, check.fails ? "✗ failed" : "✓ passed"),
				by: (check) => Number(check.fails === 0)
			}
		]
	})];
}
function groupName(path) {
	return path.replace(/^::/, "").replaceAll("::", " › ");
}
return { findings, thresholds, checks, groupName };
})();
const module_charts_bands = (() => {
"use strict";
const { duration } = module_format;
const { timeAxes, timeScale } = module_charts_figure;
const { lines, positive, timeSeries } = module_charts_lines;
const EDGES = [
	["max", "max"],
	["p999", "p99.9"],
	["p99", "p99"],
	["p95", "p95"],
	["p75", "p75"],
	["p50", "p50"]
];
function bands(colours, latency, quantiles, name, logarithmic) {
	const edges = EDGES.filter(([key]) => quantiles[key]?.some((value) => value !== null));
	if (edges.length === 0) return null;
	const value = (_, ms) => duration(ms);
	const series = [timeSeries(), ...edges.map(([key, label], at) => {
		const colour = colours.bands[EDGES.findIndex(([edge]) => edge === key)] ?? colours.text;
		const inner = at === edges.length - 1;
		return {
			label,
			stroke: colour,
			width: inner ? 2 : 1,
			points: { show: latency.t.length < 3 },
			value
		};
	})];
	const fills = edges.slice(1).map(([key], at) => ({
		series: [at + 1, at + 2],
		fill: `${colours.bands[EDGES.findIndex(([edge]) => edge === key)] ?? ""}${key === "p999" ? "22" : "66"}`
	}));
	const data = edges.map(([key]) => {
		const column = quantiles[key] ?? [];
		return logarithmic ? column.map(positive) : column;
	});
	return {
		summary: inWords(latency, quantiles, name),
		data: [latency.t, ...data],
		options: {
			series,
			bands: fills,
			axes: timeAxes(colours, duration, logarithmic) ?? [],
			scales: {
				...timeScale(),
				y: logarithmic ? { distr: 3 } : { range: (_, __, most) => [0, (most || 1) * 1.05] }
			}
		}
	};
}
function inWords(latency, quantiles, name) {
	const parts = [extremes("the median", quantiles.p50, latency.t), extremes("the 99th percentile", quantiles.p99, latency.t)].filter((part) => part !== null);
	if (parts.length === 0) return `${name}: too few requests per step for percentiles.`;
	return `${name}: second by second, ${parts.join("; ")}.`;
}
function extremes(what, column, t) {
	let least = null;
	let most = null;
	for (const [at, value] of (column ?? []).entries()) {
		if (value === null) continue;
		const when = t[at] ?? 0;
		if (!least || value < least[0]) least = [value, when];
		if (!most || value > most[0]) most = [value, when];
	}
	if (!least || !most) return null;
	return `${what} was between ${duration(least[0])} and ${duration(most[0])}, highest at ${Math.round(most[1])} s`;
}
function netAndTare(colours, latency, logarithmic) {
	const [first = "", second = "", third = "", fourth = ""] = colours.lines;
	const all = [
		{
			label: "gross p99",
			values: latency.gross.p99 ?? [],
			colour: second
		},
		{
			label: "net p99",
			values: latency.net.p99 ?? [],
			colour: first
		},
		{
			label: "net p50",
			values: latency.net.p50 ?? [],
			colour: first,
			dashed: true
		},
		{
			label: "tare p99",
			values: latency.tare.p99 ?? [],
			colour: third
		},
		{
			label: "tare p50",
			values: latency.tare.p50 ?? [],
			colour: fourth,
			dashed: true
		}
	];
	if (!all.slice(3).some((line) => line.values.some((value) => value !== null))) return null;
	const worst = extremes("the 99th percentile of the tare", latency.tare.p99, latency.t);
	const summary = worst ? `What netload itself added: ${worst}.` : "What netload itself added to each request.";
	return lines(colours, latency.t, all, duration, summary, logarithmic);
}
return { bands, netAndTare };
})();
const module_charts_heat = (() => {
"use strict";
const { count, duration } = module_format;
const { timeAxes, timeScale } = module_charts_figure;
const { timeSeries } = module_charts_lines;
const MARKS = [
	1,
	2,
	5
];
const COLUMNS = 480;
function heatMap(colours, whole) {
	const heat = thinned(whole);
	const most = heat.counts.reduce((a, column) => column.reduce((b, n) => Math.max(b, n), a), 0);
	const height = heat.counts.reduce((a, column) => Math.max(a, column.length), 0);
	if (most === 0 || heat.t.length < 2) return null;
	const picture = paint(heat, height, most, colours);
	const [from, until] = [heat.t[0] ?? 0, heat.t[heat.t.length - 1] ?? 1];
	const [low, high] = [heat.low / heat.per_octave, (heat.low + height) / heat.per_octave];
	const starts = heat.t.slice(0, -1);
	return {
		summary: inWords(heat),
		data: [[
			from,
			...starts.slice(1),
			until
		], [...starts, until].map(() => null)],
		options: {
			legend: { show: false },
			series: [timeSeries(), {
				label: "Requests",
				points: { show: false }
			}],
			axes: [...timeAxes(colours, duration)?.slice(0, 1) ?? [], {
				size: 70,
				stroke: colours.faint,
				font: "12px system-ui, sans-serif",
				grid: { show: false },
				ticks: { show: false },
				splits: (_, __, min, max) => marks(min, max),
				values: (_, ticks) => ticks.map((tick) => duration(2 ** tick))
			}],
			scales: {
				...timeScale(),
				y: { range: [low, high] }
			},
			hooks: {
				draw: [(plot) => blit(plot, picture, [from, until], [low, high])],
				setCursor: [(plot) => readOut(plot, heat)]
			}
		},
		numbers: () => table(heat)
	};
}
function thinned(heat) {
	const step = Math.ceil(heat.counts.length / COLUMNS);
	if (step <= 1) return heat;
	const counts = [];
	const t = [];
	for (let at = 0; at < heat.counts.length; at += step) {
		const group = heat.counts.slice(at, at + step);
		const length = group.reduce((a, column) => Math.max(a, column.length), 0);
		counts.push(Array.from({ length }, (_, i) => group.reduce((sum, column) => sum + (column[i] ?? 0), 0)));
		t.push(heat.t[at] ?? 0);
	}
	t.push(heat.t[heat.t.length - 1] ?? 0);
	return {
		...heat,
		counts,
		t
	};
}
function marks(min, max) {
	const decades = (max - min) * Math.log10(2);
	const found = [];
	for (let power = Math.floor(min * Math.log10(2)); power <= max * Math.log10(2); power += 1) {
		for (const factor of decades > 3 ? [1] : MARKS) {
			const at = Math.log2(factor * 10 ** power);
			if (at >= min && at <= max) found.push(at);
		}
	}
	return found;
}
function paint(heat, height, most, colours) {
	const canvas = document.createElement("canvas");
	canvas.width = heat.counts.length;
	canvas.height = height;
	const context = canvas.getContext("2d");
	if (!context) return canvas;
	const image = context.createImageData(canvas.width, canvas.height);
	const steps = ramp(colours.heat);
	for (const [x, column] of heat.counts.entries()) {
		for (const [y, n] of column.entries()) {
			if (n === 0) continue;
			const share = Math.log1p(n) / Math.log1p(most);
			const [r, g, b] = steps[Math.round(share * (steps.length - 1))] ?? [
				0,
				0,
				0
			];
			image.data.set([
				r,
				g,
				b,
				255
			], ((height - 1 - y) * canvas.width + x) * 4);
		}
	}
	context.putImageData(image, 0, 0);
	return canvas;
}
function ramp(colours) {
	const stops = colours.map((colour) => {
		const n = Number.parseInt(colour.slice(1), 16);
		return [
			n >> 16 & 255,
			n >> 8 & 255,
			n & 255
		];
	});
	return Array.from({ length: 64 }, (_, i) => {
		const place = i / 63 * (stops.length - 1);
		const at = Math.min(Math.floor(place), stops.length - 2);
		const [a, b, part] = [
			stops[at] ?? [
				0,
				0,
				0
			],
			stops[at + 1] ?? [
				0,
				0,
				0
			],
			place - at
		];
		const mix = (k) => Math.round((a[k] ?? 0) + ((b[k] ?? 0) - (a[k] ?? 0)) * part);
		return [
			mix(0),
			mix(1),
			mix(2)
		];
	});
}
function blit(plot, picture, [from, until], [low, high]) {
	const { left, top, width, height } = plot.bbox;
	const x = plot.valToPos(from, "x", true);
	const y = plot.valToPos(high, "y", true);
	const context = plot.ctx;
	context.save();
	context.beginPath();
	context.rect(left, top, width, height);
	context.clip();
	context.imageSmoothingEnabled = false;
	context.drawImage(picture, x, y, plot.valToPos(until, "x", true) - x, plot.valToPos(low, "y", true) - y);
	context.restore();
}
function readOut(plot, heat) {
	const { left, top } = plot.cursor;
	if (left === undefined || top === undefined || left < 0 || top < 0) return;
	const [time, octave] = [plot.posToVal(left, "x"), plot.posToVal(top, "y")];
	const column = heat.t.findLastIndex((t) => t <= time);
	const bucket = Math.floor(octave * heat.per_octave) - heat.low;
	const n = heat.counts[column]?.[bucket] ?? 0;
	const edge = (at) => duration(2 ** ((heat.low + at) / heat.per_octave));
	plot.over.title = `${Math.round(heat.t[column] ?? 0)} s: ${count(n)} requests from ${edge(bucket)} to ${edge(bucket + 1)}`;
}
function totals(heat) {
	const length = heat.counts.reduce((a, column) => Math.max(a, column.length), 0);
	return Array.from({ length }, (_, i) => heat.counts.reduce((sum, column) => sum + (column[i] ?? 0), 0));
}
function inWords(heat) {
	const all = totals(heat);
	const sum = all.reduce((a, n) => a + n, 0);
	const peak = all.indexOf(Math.max(...all));
	const edge = (at) => duration(2 ** ((heat.low + at) / heat.per_octave));
	return `Where the ${count(sum)} responses lie in time and duration; most often between ${edge(peak)} and ${edge(peak + 1)}.`;
}
function table(heat) {
	const edge = (at) => duration(2 ** ((heat.low + at) / heat.per_octave));
	const rows = totals(heat).map((n, at) => [`${edge(at)} to ${edge(at + 1)}`, count(n)]);
	return {
		heads: ["Duration", "Requests"],
		rows
	};
}
return { heatMap };
})();
const module_charts_histogram = (() => {
"use strict";
const { count, duration, percent } = module_format;
function histogram(colours, all, marked, logarithmic) {
	const total = all.counts.reduce((a, n) => a + n, 0);
	if (total === 0) return null;
	const edge = (at) => (all.low + at) / all.per_octave;
	const x = all.counts.map((_, at) => edge(at + .5));
	const bars = uPlot.paths.bars;
	const font = "12px system-ui, sans-serif";
	const axis = {
		stroke: colours.faint,
		grid: {
			stroke: colours.grid,
			width: 1
		},
		ticks: { show: false },
		font
	};
	const least = logarithmic ? .8 : 0;
	return {
		summary: inWords(total, marked),
		data: [x, all.counts.map((n) => n > 0 || !logarithmic ? n : null)],
		options: {
			cursor: { drag: {
				x: false,
				y: false
			} },
			series: [{
				label: "Duration",
				value: (_, at) => at === null || at === undefined ? "–" : `about ${duration(2 ** at)}`
			}, {
				label: "Requests",
				stroke: colours.lines[0] ?? colours.text,
				fill: `${colours.lines[0] ?? colours.text}99`,
				points: { show: false },
				value: (_, n) => n === null || n === undefined ? "–" : `${count(n)} (${percent(n / total)})`,
				...bars ? { paths: bars({
					size: [1, 60],
					gap: 1
				}) } : {}
			}],
			axes: [{
				...axis,
				size: 30,
				splits: (_, __, min, max) => marks(min, max),
				values: (_, ticks) => ticks.map((t) => duration(2 ** t))
			}, {
				...axis,
				size: 70,
				values: (_, ticks) => ticks.map((n) => label(n, logarithmic))
			}],
			scales: {
				x: {
					time: false,
					range: [edge(0), edge(all.counts.length)]
				},
				y: {
					distr: logarithmic ? 3 : 1,
					range: (_, __, most) => [least, (most || 1) * (logarithmic ? 2 : 1.1)]
				}
			},
			hooks: { draw: [(plot) => mark(plot, marked, colours)] }
		},
		numbers: () => ({
			heads: [
				"Duration",
				"Requests",
				"Share"
			],
			rows: all.counts.map((n, at) => [
				`${duration(2 ** edge(at))} to ${duration(2 ** edge(at + 1))}`,
				count(n),
				percent(n / total)
			]).filter((_, at) => all.counts[at] !== 0)
		})
	};
}
function label(n, logarithmic) {
	if (n === null || logarithmic && !Number.isInteger(Math.log10(n))) return "";
	return count(n);
}
function inWords(total, marked) {
	const told = marked.map(([name, ms]) => `${name} ${duration(ms)}`).join(", ");
	return `${count(total)} responses${told ? `: ${told}` : ""}.`;
}
function marks(min, max) {
	const factors = (max - min) * Math.log10(2) > 2.5 ? [1] : [
		1,
		2,
		5
	];
	const found = [];
	for (let power = Math.floor(min * Math.log10(2)); power <= max * Math.log10(2); power += 1) {
		for (const factor of factors) {
			const at = Math.log2(factor * 10 ** power);
			if (at >= min && at <= max) found.push(at);
		}
	}
	return found;
}
function mark(plot, marked, colours) {
	const { ctx: context, bbox } = plot;
	const ratio = devicePixelRatio || 1;
	context.save();
	context.font = `${12 * ratio}px system-ui, sans-serif`;
	context.textBaseline = "top";
	context.textAlign = "left";
	let row = 0;
	let last = -Infinity;
	for (const [name, ms] of marked) {
		const x = plot.valToPos(Math.log2(ms), "x", true);
		if (x < bbox.left || x > bbox.left + bbox.width) continue;
		const width = context.measureText(name).width;
		row = x - last < width + 8 * ratio ? row + 1 : 0;
		last = x;
		context.strokeStyle = colours.faint;
		context.setLineDash([3 * ratio, 3 * ratio]);
		context.lineWidth = ratio;
		context.beginPath();
		context.moveTo(x, bbox.top);
		context.lineTo(x, bbox.top + bbox.height);
		context.stroke();
		const left = x + width + 6 * ratio > bbox.left + bbox.width ? x - width - 4 * ratio : x + 4 * ratio;
		const top = bbox.top + (2 + row * 14) * ratio;
		context.fillStyle = colours.surface;
		context.fillRect(left - 2 * ratio, top, width + 4 * ratio, 13 * ratio);
		context.fillStyle = colours.text;
		context.fillText(name, left, top);
	}
	context.restore();
}
return { histogram };
})();
const module_sections_latency = (() => {
"use strict";
const { bands, netAndTare } = module_charts_bands;
const { Figure } = module_charts_figure;
const { heatMap } = module_charts_heat;
const { histogram } = module_charts_histogram;
const { lines } = module_charts_lines;
const { h } = module_dom;
const format = module_format;
const { table } = module_tables;
const { metric } = module_sections_headline;
const PHASES = [
	[
		"http_req_blocked",
		"Blocked",
		"until a connection could be used; the next three are in it"
	],
	[
		"http_req_looking_up",
		"DNS",
		"looking up the name of the host"
	],
	[
		"http_req_connecting",
		"Connecting",
		"opening the connection"
	],
	[
		"http_req_tls_handshaking",
		"TLS",
		"the TLS handshake"
	],
	[
		"http_req_sending",
		"Sending",
		"writing the request"
	],
	[
		"http_req_waiting",
		"Waiting",
		"until the first byte of the response"
	],
	[
		"http_req_receiving",
		"Receiving",
		"until the last byte of the response"
	]
];
function latencyCharts(view) {
	const figures = [
		new Figure({
			id: "latency",
			title: "Latency over time",
			hint: "Net durations of responses: without what netload itself added. The bands reach from the median to the largest value. Drag to look at a stretch of time, double-click to see all.",
			height: 300,
			overTime: true,
			scales: true,
			draw: (colours, log) => bands(colours, view.latency, view.latency.net, view.main === "http_req_duration" ? "Net duration" : view.main, log)
		}),
		new Figure({
			id: "response",
			title: "Response from the planned start",
			hint: "Like above, with the time that a request had to wait until something was free to send it. When it is far above the duration, the server was too slow for the plan.",
			overTime: true,
			scales: true,
			draw: (colours, log) => waited(view) ? bands(colours, view.latency, view.latency.response, "Response from the planned start", log) : null
		}),
		new Figure({
			id: "heat",
			title: "Latency heat map",
			height: 260,
			overTime: true,
			draw: (colours) => view.heat ? heatMap(colours, view.heat) : null
		}),
		new Figure({
			id: "histogram",
			title: "Distribution",
			overTime: false,
			scales: true,
			draw: (colours, log) => view.histogram ? histogram(colours, view.histogram, marked(view), log) : null
		}),
		new Figure({
			id: "tare",
			title: "Net, gross and tare",
			hint: "Gross is what a tool sees that reads the clock when it gets around to it; tare is the part of it that netload added itself; net = gross − tare.",
			overTime: true,
			scales: true,
			draw: (colours, log) => netAndTare(colours, view.latency, log)
		})
	];
	return figures;
}
function waited(view) {
	const [response, net] = [metric(view, "http_req_response"), metric(view, "http_req_duration")];
	const [a, b] = [response?.values["p99"], net?.values["p99"]];
	return typeof a === "number" && typeof b === "number" && a > b * 1.05 + .05;
}
function marked(view) {
	const main = metric(view, view.main);
	const names = [
		"p50",
		"p95",
		"p99",
		"p99.9"
	].filter((name) => main?.needs?.[name] === undefined);
	return names.flatMap((name) => {
		const value = main?.values[name];
		return typeof value === "number" && value > 0 ? [[name, value]] : [];
	});
}
function phases(view) {
	const known = PHASES.flatMap(([name, title, about]) => {
		const found = metric(view, name);
		return found ? [{
			title,
			about,
			found
		}] : [];
	});
	if (known.length === 0) return {
		tables: [],
		figures: []
	};
	const value = (one, name) => one.found.values[name];
	const column = (title, name) => ({
		title,
		number: true,
		cell: (one) => format.duration(value(one, name)),
		by: (one) => value(one, name)
	});
	const rows = table({
		caption: "Phases of a request",
		things: "phases",
		rows: known,
		heads: [
			{
				title: "Phase",
				cell: (one) => one.title
			},
			column("Mean", "avg"),
			column("p50", "p50"),
			column("p95", "p95"),
			column("p99", "p99"),
			column("Max", "max"),
			{
				title: "What it is",
				cell: (one) => h("span", { class: "note" }, one.about)
			}
		]
	});
	const figure = new Figure({
		id: "phases",
		title: "Phases over time",
		hint: "The mean of each phase: where a change came from.",
		overTime: true,
		draw: (colours) => {
			const all = PHASES.flatMap(([name, title], at) => {
				const found = view.spans.metrics.find((one) => one.name === name);
				const values = found?.columns["mean"];
				const line = {
					label: title,
					values: values ?? [],
					colour: colours.lines[at % colours.lines.length] ?? colours.text,
					dashed: at >= colours.lines.length
				};
				return values?.some((v) => v !== null && v > 0) ? [line] : [];
			});
			const largest = known.toSorted((a, b) => (value(b, "avg") ?? 0) - (value(a, "avg") ?? 0))[0];
			const summary = largest ? `The largest part is ${largest.title.toLowerCase()}, ${format.duration(value(largest, "avg"))} in the mean.` : "";
			return lines(colours, view.spans.t, all, format.duration, summary);
		}
	});
	return {
		tables: [rows],
		figures: [figure]
	};
}
return { latencyCharts, phases };
})();
const module_charts_sparkline = (() => {
"use strict";
const { svg } = module_dom;
const WIDTH = 90;
const HEIGHT = 22;
function sparkline(values, kind, words) {
	const known = (values ?? []).filter((value) => value !== null);
	if (!values || known.length < 2) return null;
	const most = Math.max(...known);
	if (most <= 0) return null;
	const step = WIDTH / (values.length - 1);
	let path = "";
	let pen = "M";
	for (const [at, value] of values.entries()) {
		if (value === null) {
			pen = "M";
			continue;
		}
		path += `${pen}${(at * step).toFixed(1)} ${(HEIGHT - 1 - value / most * (HEIGHT - 3)).toFixed(1)}`;
		pen = "L";
	}
	return svg("svg", {
		class: `spark ${kind}`,
		viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
		width: WIDTH,
		height: HEIGHT,
		role: "img",
		"aria-label": words
	}, svg("path", {
		d: path,
		fill: "none",
		stroke: "currentColor",
		"stroke-width": 1.3,
		"vector-effect": "non-scaling-stroke"
	}));
}
return { sparkline };
})();
const module_sections_load = (() => {
"use strict";
const { Figure } = module_charts_figure;
const { lines } = module_charts_lines;
const { h } = module_dom;
const format = module_format;
const { sparkline } = module_charts_sparkline;
const { table } = module_tables;
function loadCharts(view) {
	return [
		new Figure({
			id: "rate",
			title: "Request rate",
			overTime: true,
			draw: (colours) => {
				const [first = "", , third = ""] = colours.lines;
				const { rows } = view;
				const all = [
					{
						label: "requests",
						values: rows.rate,
						colour: first,
						filled: true
					},
					{
						label: "failed",
						values: some(rows.failed),
						colour: colours.bad
					},
					{
						label: "iterations",
						values: same(rows.started, rows.rate) ? [] : rows.started,
						colour: third
					}
				];
				return lines(colours, rows.t, all, format.rate, `${extremes(rows.rate, format.rate)}`);
			}
		}),
		new Figure({
			id: "plan",
			title: "Starts: planned and real",
			hint: "Planned starts of iterations against those that happened. Dropped starts had no free VU.",
			overTime: true,
			draw: (colours) => {
				const { rows, totals } = view;
				if (!rows.planned.some((value) => value !== null && value > 0)) return null;
				const [first = "", second = ""] = colours.lines;
				const all = [
					{
						label: "planned",
						values: rows.planned,
						colour: second,
						dashed: true,
						stepped: true
					},
					{
						label: "started",
						values: rows.started,
						colour: first,
						filled: true
					},
					{
						label: "dropped",
						values: some(rows.dropped),
						colour: colours.bad
					}
				];
				const kept = totals.planned ? totals.started / totals.planned : 1;
				const words = `${format.count(totals.started)} of ${format.count(totals.planned)} planned iterations started (${format.percent(kept)}), ${format.count(totals.dropped)} were dropped.`;
				return lines(colours, rows.t, all, format.rate, words);
			}
		}),
		new Figure({
			id: "vus",
			title: "Virtual users",
			height: 180,
			overTime: true,
			draw: (colours) => {
				const [first = "", second = ""] = colours.lines;
				const { rows, totals } = view;
				const all = [{
					label: "running",
					values: rows.vus,
					colour: first,
					filled: true,
					stepped: true
				}, {
					label: "allocated",
					values: rows.vus_max,
					colour: second,
					dashed: true,
					stepped: true
				}];
				return lines(colours, rows.t, all, format.count, `At most ${format.many(totals.vus_max, "virtual user")}.`);
			}
		})
	];
}
function some(column) {
	return column.some((value) => value !== null && value > 0) ? column : [];
}
function same(a, b) {
	return a.every((value, at) => Math.abs((value ?? 0) - (b[at] ?? 0)) <= .02 * Math.max(1, b[at] ?? 0));
}
function extremes(column, show) {
	const known = column.filter((value) => value !== null);
	if (known.length === 0) return "No values.";
	const [least, most] = [Math.min(...known), Math.max(...known)];
	return `Between ${show(least)} and ${show(most)} requests, second by second.`;
}
function errorTables(view) {
	const all = view.totals.requests || 1;
	const tables = [];
	if (view.errors.length > 0) {
		tables.push(table({
			caption: "Requests without a response, by cause",
			things: "errors",
			rows: view.errors,
			text: (error) => error.text,
			heads: [
				{
					title: "Cause",
					cell: (error) => error.text,
					by: (error) => error.text
				},
				{
					title: "Code",
					cell: (error) => error.code || "–",
					by: (error) => error.code,
					number: true
				},
				{
					title: "Count",
					cell: (error) => format.count(error.count),
					by: (error) => error.count,
					number: true
				},
				{
					title: "Share",
					cell: (error) => format.percent(error.count / all),
					number: true
				},
				{
					title: "First",
					cell: (error) => format.clock(error.first_s),
					by: (error) => error.first_s,
					number: true
				},
				{
					title: "Last",
					cell: (error) => format.clock(error.last_s),
					by: (error) => error.last_s,
					number: true
				},
				{
					title: "When",
					cell: (error) => sparkline(error.spark, "bad", `between ${format.clock(error.first_s)} and ${format.clock(error.last_s)}`)
				}
			]
		}));
	}
	if (view.statuses.length > 0) {
		tables.push(table({
			caption: "Responses by status",
			things: "statuses",
			rows: view.statuses,
			heads: [
				{
					title: "Status",
					cell: (one) => h("span", { class: Number(one.status) >= 400 ? "mark bad" : "mark" }, one.status),
					by: (one) => one.status
				},
				{
					title: "Count",
					cell: (one) => format.count(one.count),
					by: (one) => one.count,
					number: true
				},
				{
					title: "Share",
					cell: (one) => format.percent(one.count / all),
					number: true
				},
				{
					title: "When",
					cell: (one) => sparkline(one.spark, Number(one.status) >= 400 ? "bad" : "plain", `responses with status ${one.status} over time`)
				}
			]
		}));
	}
	return tables;
}
return { loadCharts, errorTables };
})();
const module_sections_parts = (() => {
"use strict";
const { sparkline } = module_charts_sparkline;
const format = module_format;
const { table } = module_tables;
function parts(caption, things, title, rows, label = (part) => part.label) {
	const time = (head, of, name, about) => ({
		title: head,
		about,
		number: true,
		cell: (part) => format.duration(of(part)?.[name]),
		by: (part) => of(part)?.[name]
	});
	const whole = (head, of, about) => ({
		title: head,
		about,
		number: true,
		cell: (part) => format.count(of(part)),
		by: of
	});
	const net = (part) => part.net;
	const share = (part) => part.failed === undefined ? undefined : part.failed / Math.max(1, part.requests ?? 0);
	return table({
		caption,
		things,
		rows,
		text: label,
		heads: [
			{
				title,
				cell: label,
				by: label
			},
			whole("Requests", (part) => part.requests, "requests"),
			{
				title: "Rate",
				number: true,
				cell: (part) => format.rate(part.rate),
				by: (part) => part.rate
			},
			{
				title: "Failed",
				number: true,
				cell: (part) => format.percent(share(part)),
				by: share
			},
			time("Mean", net, "mean", "mean net duration"),
			time("p50", net, "p50", "median net duration"),
			time("p95", net, "p95", "95th percentile of the net duration"),
			time("p99", net, "p99", "99th percentile of the net duration"),
			time("Max", net, "max", "largest net duration"),
			time("Waiting p95", (part) => part.waiting, "p95", "95th percentile until the first byte"),
			whole("Iterations", (part) => part.iterations, "finished iterations"),
			time("Iteration p50", (part) => part.iteration, "p50", "median duration of an iteration"),
			time("Iteration p95", (part) => part.iteration, "p95", "95th percentile of the duration of an iteration"),
			time("Group p50", (part) => part.group, "p50", "median duration of the group"),
			time("Group p95", (part) => part.group, "p95", "95th percentile of the duration of the group"),
			whole("Dropped", (part) => part.dropped || undefined, "planned iterations that could not start"),
			whole("Checks failed", (part) => part.fails || undefined, "failed checks"),
			{
				title: "Rate over time",
				cell: (part) => sparkline(part.spark?.rate, "plain", `rate of ${label(part)} over time`)
			},
			{
				title: "p95 over time",
				cell: (part) => sparkline(part.spark?.p95, "plain", `95th percentile of ${label(part)} over time`)
			},
			{
				title: "Failed over time",
				cell: (part) => sparkline(part.spark?.failed, "bad", `failures of ${label(part)} over time`)
			}
		]
	});
}
return { parts };
})();
const module_sections_rest = (() => {
"use strict";
const { Figure } = module_charts_figure;
const { lines } = module_charts_lines;
const { sparkline } = module_charts_sparkline;
const { h } = module_dom;
const format = module_format;
const { table } = module_tables;
const OWN = /^(http_|grpc_|ws_|browser_|iteration|vus|data_|checks|group_duration|dropped_iterations|dns_)/;
const CUSTOM_CHARTS = 24;
function custom(name) {
	return !OWN.test(name) && !name.includes("{");
}
function customCharts(view) {
	const shown = view.spans.metrics.filter((one) => custom(one.name)).slice(0, CUSTOM_CHARTS);
	return shown.map((one) => new Figure({
		id: `metric-${one.name}`,
		title: one.name,
		height: 180,
		overTime: true,
		draw: (colours) => {
			const now = view.spans.metrics.find((other) => other.name === one.name) ?? one;
			const names = {
				trend: [
					"p50",
					"p95",
					"p99"
				],
				counter: ["rate"],
				rate: ["share"],
				gauge: [
					"last",
					"min",
					"max"
				]
			}[now.kind];
			const show = (value) => {
				if (now.kind === "rate") return format.percent(value);
				const text = format.inUnit(value, now.contains);
				return now.kind === "counter" ? `${text}/s` : text;
			};
			const all = names.map((name, at) => ({
				label: name === "rate" ? "per second" : name,
				values: now.columns[name] ?? [],
				colour: colours.lines[at] ?? colours.text,
				filled: names.length === 1
			}));
			return lines(colours, view.spans.t, all, show, `The metric ${now.name} of the script, a ${now.kind}.`);
		}
	}));
}
function metricTables(view) {
	const line = (metric, name, kind) => {
		const values = view.spans.metrics.find((one) => one.name === metric.name)?.columns[name];
		return sparkline(values, "plain", `${metric.name} ${kind} over time`);
	};
	const of = (kind) => view.metrics.filter((metric) => metric.kind === kind);
	const value = (metric, name) => metric.needs?.[name] === undefined ? metric.values[name] : null;
	const shown = (title, name, show = (n, m) => format.inUnit(n, m.contains)) => ({
		title,
		number: true,
		cell: (metric) => show(value(metric, name), metric),
		by: (metric) => value(metric, name)
	});
	const first = {
		title: "Metric",
		cell: (metric) => metric.name,
		by: (metric) => metric.name
	};
	const text = (metric) => metric.name;
	const out = [];
	if (of("trend").length > 0) {
		const heads = [
			first,
			shown("Count", "count", (n) => format.count(n)),
			shown("Mean", "avg"),
			shown("Min", "min"),
			shown("p50", "p50"),
			shown("p90", "p90"),
			shown("p95", "p95"),
			shown("p99", "p99"),
			shown("p99.9", "p99.9"),
			shown("Max", "max"),
			{
				title: "p95 over time",
				cell: (metric) => line(metric, "p95", "p95")
			}
		];
		out.push(table({
			caption: "Trends",
			things: "trends",
			rows: of("trend"),
			text,
			heads
		}));
	}
	if (of("counter").length > 0) {
		const perSecond = (n, m) => n === null || n === undefined ? "–" : m.contains === "data" ? `${format.bytes(n)}/s` : format.rate(n);
		const heads = [
			first,
			shown("Sum", "count"),
			shown("Per second", "rate", perSecond),
			{
				title: "Over time",
				cell: (metric) => line(metric, "rate", "rate")
			}
		];
		out.push(table({
			caption: "Counters",
			things: "counters",
			rows: of("counter"),
			text,
			heads
		}));
	}
	if (of("rate").length > 0) {
		const heads = [
			first,
			shown("Share", "rate", (n) => format.percent(n)),
			shown("Yes", "passes", (n) => format.count(n)),
			shown("No", "fails", (n) => format.count(n)),
			{
				title: "Over time",
				cell: (metric) => line(metric, "share", "share")
			}
		];
		out.push(table({
			caption: "Rates",
			things: "rates",
			rows: of("rate"),
			text,
			heads
		}));
	}
	if (of("gauge").length > 0) {
		const heads = [
			first,
			shown("Last", "value"),
			shown("Min", "min"),
			shown("Max", "max"),
			{
				title: "Over time",
				cell: (metric) => line(metric, "last", "value")
			}
		];
		out.push(table({
			caption: "Gauges",
			things: "gauges",
			rows: of("gauge"),
			text,
			heads
		}));
	}
	return out;
}
function optionTable(view) {
	const rows = flat(view.options);
	if (rows.length === 0) return [];
	return [table({
		caption: "Options in effect",
		things: "options",
		rows,
		text: ([name, value]) => `${name} ${value}`,
		heads: [{
			title: "Option",
			cell: ([name]) => h("code", {}, name),
			by: ([name]) => name
		}, {
			title: "Value",
			cell: ([, value]) => h("code", {}, value)
		}]
	})];
}
function flat(value, path = "") {
	if (value === null || value === undefined) return [];
	if (typeof value !== "object") return [[path, String(value)]];
	const json = JSON.stringify(value);
	if (Array.isArray(value) && (json.length <= 80 || value.every((one) => typeof one !== "object"))) return [[path, json]];
	const entries = Object.entries(value);
	return entries.flatMap(([name, inner]) => flat(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name));
}
function script(view) {
	if (view.script === null) return [];
	const lines = view.script.replace(/\n$/, "").split("\n");
	const code = h("code", {}, lines.map((line, at) => [
		h("span", {
			class: "line",
			"data-line": at + 1
		}),
		line,
		"\n"
	]));
	return [h("details", { class: "script" }, h("summary", {}, `Script (${format.many(lines.length, "line")})`), h("pre", {
		tabindex: 0,
		"aria-label": "The script"
	}, code))];
}
return { customCharts, metricTables, optionTable, script };
})();
const module_page = (() => {
"use strict";
const { showTime } = module_charts_figure;
const { fill, h } = module_dom;
const { append } = module_live;
const { generatorCharts, generatorTexts } = module_sections_generator;
const { headline } = module_sections_headline;
const { checks, findings, groupName, thresholds } = module_sections_judged;
const { latencyCharts, phases } = module_sections_latency;
const { errorTables, loadCharts } = module_sections_load;
const { parts } = module_sections_parts;
const { customCharts, metricTables, optionTable, script } = module_sections_rest;
function mount(element, first) {
	const view = { ...first };
	const sections = all(view);
	const head = h("div", {});
	const list = h("ul", {});
	const places = sections.map((section) => {
		const texts = h("div", { class: "texts" });
		const figures = h("div", { class: "charts" }, section.figures.map((figure) => figure.element));
		const heading = h("h2", { id: `${section.id}-heading` }, section.title);
		const [upper, lower] = section.below ? [figures, texts] : [texts, figures];
		return {
			section,
			texts,
			place: h("section", {
				id: section.id,
				"aria-labelledby": heading.id
			}, heading, upper, lower)
		};
	});
	const zoom = h("button", {
		type: "button",
		class: "quiet",
		click: () => showTime(null)
	}, "Show the whole time");
	fill(element, head, h("nav", { "aria-label": "Sections" }, list, zoom), places.map(({ place }) => place));
	const retell = () => {
		fill(head, headline(view));
		for (const { section, texts } of places) fill(texts, section.texts(view));
		for (const { section, texts, place } of places) {
			place.hidden = texts.childElementCount === 0 && section.figures.every((figure) => figure.element.hidden);
		}
		const links = places.filter(({ place }) => !place.hidden);
		fill(list, links.map(({ section }) => h("li", {}, h("a", { href: `#${section.id}` }, section.title))));
	};
	const redraw = () => {
		for (const { section } of places) for (const figure of section.figures) figure.refresh();
	};
	redraw();
	retell();
	return {
		update(row) {
			append(view, row);
			fill(head, headline(view));
			redraw();
		},
		replace(next) {
			Object.assign(view, next);
			redraw();
			retell();
		},
		destroy() {
			for (const { section } of places) for (const figure of section.figures) figure.destroy();
			fill(element);
		}
	};
}
function all(view) {
	const phase = phases(view);
	const part = (caption, things, title, rows, label) => (now) => rows(now).length > 0 ? [parts(caption, things, title, rows(now), label)] : [];
	const group = (row) => groupName(row.label) || "(no group)";
	return [
		{
			id: "findings",
			title: "Findings",
			figures: [],
			texts: (now) => [notes(now), findings(now)]
		},
		{
			id: "thresholds",
			title: "Thresholds",
			figures: [],
			texts: (now) => now.thresholds.length > 0 ? thresholds(now) : []
		},
		{
			id: "latency",
			title: "Latency",
			figures: latencyCharts(view),
			texts: () => []
		},
		{
			id: "load",
			title: "Load",
			figures: loadCharts(view),
			texts: () => []
		},
		{
			id: "errors",
			title: "Errors and statuses",
			figures: [],
			texts: errorTables
		},
		{
			id: "checks",
			title: "Checks",
			figures: [],
			texts: (now) => now.checks.length > 0 ? checks(now) : []
		},
		{
			id: "names",
			title: "Requests by name",
			figures: [],
			texts: part("Requests by name", "names", "Name", (now) => now.names)
		},
		{
			id: "groups",
			title: "Groups",
			figures: [],
			texts: part("Groups", "groups", "Group", (now) => now.groups, group)
		},
		{
			id: "scenarios",
			title: "Scenarios",
			figures: [],
			texts: part("Scenarios", "scenarios", "Scenario", (now) => now.scenarios)
		},
		{
			id: "hosts",
			title: "Hosts",
			figures: [],
			texts: part("Hosts", "hosts", "Host", (now) => now.hosts.length > 1 ? now.hosts : [])
		},
		{
			id: "addresses",
			title: "Addresses",
			figures: [],
			texts: part("Addresses", "addresses", "Address", (now) => now.addresses.length > 1 ? now.addresses : [])
		},
		{
			id: "protocols",
			title: "Protocols",
			figures: [],
			texts: part("Protocols", "protocols", "Protocol", (now) => now.protocols.length > 1 ? now.protocols : [])
		},
		{
			id: "phases",
			title: "Phases",
			figures: phase.figures,
			texts: (now) => phases(now).tables
		},
		{
			id: "custom",
			title: "Metrics of the script",
			figures: customCharts(view),
			texts: () => []
		},
		{
			id: "generator",
			title: "Generator",
			figures: generatorCharts(view),
			texts: generatorTexts
		},
		{
			id: "metrics",
			title: "All metrics",
			figures: [],
			texts: metricTables
		},
		{
			id: "options",
			title: "Options and script",
			figures: [],
			texts: (now) => [optionTable(now), script(now)]
		}
	];
}
function notes(view) {
	return view.notes.map((note) => h("p", { class: "note" }, note));
}
return { mount };
})();
const module_app_lists = (() => {
"use strict";
const { fill, h } = module_dom;
const { count, duration } = module_format;
const KEPT = 1e3;
const SHOWN = 200;
function logList() {
	return list("Log", "Nothing was logged yet.", [
		"Time",
		"Level",
		"Message"
	], (line) => `${line.level} ${line.message}`, (line) => [
		h("td", {}, time(line.time_ms)),
		h("td", { class: `level ${line.level}` }, line.level),
		h("td", { class: "message" }, line.message, fields(line))
	]);
}
function failureList() {
	return list("Failed requests", "No request failed while this page looked on.", [
		"Time",
		"Request",
		"Status",
		"Error",
		"Took"
	], (one) => `${one.method} ${one.name} ${one.status} ${one.error}`, (one) => [
		h("td", {}, time(one.time_ms)),
		h("td", { class: "message" }, `${one.method} ${one.name}`),
		h("td", {}, one.status === 0 ? "none" : String(one.status)),
		h("td", { class: "message" }, one.error),
		h("td", { class: "number" }, duration(one.duration_ms))
	]);
}
function fields(line) {
	const all = Object.entries(line.fields);
	return all.length > 0 ? h("span", { class: "hint" }, ` ${all.map(([name, value]) => `${name}=${value}`).join(" ")}`) : null;
}
function time(ms) {
	return new Date(ms).toLocaleTimeString("en", {
		hour12: false,
		hour: "2-digit",
		minute: "2-digit",
		second: "2-digit"
	});
}
function list(title, nothing, heads, text, cells) {
	let all = [];
	let words = "";
	let missed = 0;
	let drawn = 0;
	const body = h("tbody", {});
	const note = h("p", {
		class: "hint",
		role: "status"
	});
	const search = h("input", {
		type: "search",
		placeholder: "Search",
		"aria-label": `Search in ${title}`
	});
	search.addEventListener("input", () => {
		words = search.value.toLowerCase();
		show();
	});
	const table = h("div", {
		class: "scroll",
		tabindex: 0,
		role: "region",
		"aria-label": title
	}, h("table", { class: "lines" }, h("caption", { class: "hidden" }, title), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), body));
	const element = h("section", {
		class: "list",
		"aria-label": title,
		hidden: true
	}, h("h2", {}, title), h("p", {}, search), note, table);
	const show = () => {
		cancelAnimationFrame(drawn);
		drawn = requestAnimationFrame(() => {
			const found = words ? all.filter(({ item }) => text(item).toLowerCase().includes(words)) : all;
			const shown = found.slice(-SHOWN).reverse();
			fill(body, shown.map(({ item }) => h("tr", {}, cells(item))));
			table.hidden = shown.length === 0;
			const left = missed > 0 ? ` ${count(missed)} came faster than they could be shown.` : "";
			const what = all.length === 0 ? nothing : shown.length < found.length ? `The newest ${count(shown.length)} of ${count(found.length)}.` : "";
			fill(note, `${what}${left}`);
		});
	};
	show();
	return {
		element,
		add(items) {
			const known = new Set(all.map(({ number }) => number));
			all = [...all, ...items.filter(({ number }) => !known.has(number))].sort((a, b) => a.number - b.number).slice(-KEPT);
			show();
		},
		leftOut(lines) {
			if (lines !== missed) {
				missed = lines;
				show();
			}
		}
	};
}
return { logList, failureList };
})();
const module_app_tabs = (() => {
"use strict";
const { fill, h, uniqueId } = module_dom;
function tabs(groups, body, lists) {
	const names = [...groups.map(([name]) => name), ...lists.map(([name]) => name)];
	let chosen = 0;
	let isLive = true;
	body.id = uniqueId();
	const buttons = names.map((name, at) => {
		const panel = lists[at - groups.length]?.[1] ?? body;
		panel.id ||= uniqueId();
		return h("button", {
			type: "button",
			role: "tab",
			"aria-controls": panel.id,
			click: () => choose(at)
		}, name);
	});
	const element = h("div", {
		role: "tablist",
		class: "tabs",
		"aria-label": "Parts of the run"
	}, buttons);
	const sections = () => [...body.querySelectorAll(":scope > section[id]")];
	const tabOf = (id) => Math.max(0, groups.findIndex(([, ids]) => ids.includes(id)));
	const arrange = () => {
		for (const section of sections()) section.classList.toggle("off", tabOf(section.id) !== chosen);
		for (const [at, button] of buttons.entries()) {
			const own = at === chosen;
			button.setAttribute("aria-selected", String(own));
			button.tabIndex = own ? 0 : -1;
			const has = at >= groups.length ? isLive : at === 0 || sections().some((s) => tabOf(s.id) === at && !s.hidden);
			button.hidden = !has;
		}
		body.hidden = chosen >= groups.length;
		for (const [at, [, list]] of lists.entries()) list.hidden = chosen !== groups.length + at;
	};
	const choose = (at) => {
		chosen = at;
		arrange();
	};
	element.addEventListener("keydown", (event) => {
		const shown = buttons.filter((button) => !button.hidden);
		const at = shown.indexOf(buttons[chosen]);
		const to = {
			ArrowRight: at + 1,
			ArrowLeft: at - 1,
			Home: 0,
			End: shown.length - 1
		}[event.key];
		if (to === undefined) return;
		event.preventDefault();
		const next = shown[(to + shown.length) % shown.length];
		if (!next) return;
		choose(buttons.indexOf(next));
		next.focus();
	});
	fill(element, buttons);
	arrange();
	return {
		element,
		arrange,
		live(is) {
			isLive = is;
			arrange();
		},
		reveal(id) {
			choose(tabOf(id));
			document.getElementById(id)?.scrollIntoView();
		}
	};
}
return { tabs };
})();
const module_app_run = (() => {
"use strict";
const { fill, h } = module_dom;
const { count, duration, moment, rate, span } = module_format;
const { mount } = module_page;
const { get, post, problem, Refused } = module_app_api;
const { failureList, logList } = module_app_lists;
const { tabs } = module_app_tabs;
const TABLES_EVERY = 10;
const TABS = [
	["Overview", [
		"findings",
		"latency",
		"load",
		"errors"
	]],
	["Thresholds", ["thresholds"]],
	["Checks", [
		"checks",
		"groups",
		"scenarios"
	]],
	["HTTP", [
		"names",
		"hosts",
		"addresses",
		"protocols",
		"phases"
	]],
	["Metrics", ["custom", "metrics"]],
	["Generator", ["generator"]],
	["Script", ["options"]]
];
function runPage(content, id) {
	const head = h("div", { class: "run-head" });
	const state = h("p", {
		class: "state",
		role: "status"
	}, "Loading");
	const facts = h("dl", { class: "now" });
	const controls = h("div", {
		class: "controls",
		role: "group",
		"aria-label": "Controls of the test"
	});
	const trouble = h("div", {});
	const body = h("div", { class: "run" });
	const log = logList();
	const failures = failureList();
	const bar = tabs(TABS, body, [["Log", log.element], ["Failed requests", failures.element]]);
	fill(content, head, state, facts, controls, trouble, bar.element, body, log.element, failures.element);
	title(head, id, null);
	let page = null;
	let opening = false;
	let gone = false;
	let rows = 0;
	let waiting = [];
	let source = null;
	const take = async () => {
		if (opening || gone) return;
		opening = true;
		try {
			const view = await get(`runs/${encodeURIComponent(id)}/view`);
			if (gone) return;
			title(head, id, view);
			if (page) {
				page.replace(view);
			} else {
				page = mount(body, view);
				for (const row of waiting) page.update(row);
			}
			waiting = [];
			bar.arrange();
			if (view.state !== "running" && !source) {
				facts.hidden = true;
				controls.hidden = true;
				fill(state, view.head.started_ms ? `${moment(view.head.started_ms)} · ${span(view.elapsed_s)}` : "");
			}
		} catch (error) {
			if (!(error instanceof Refused) || !source) fill(trouble, problem(error));
		} finally {
			opening = false;
		}
	};
	const onRow = (row) => {
		rows += 1;
		if (page && !opening) page.update(row);
		else waiting.push(row);
		if (!page || rows % TABLES_EVERY === 0) void take();
	};
	const onEnd = (end) => {
		source?.close();
		source = null;
		fill(controls);
		facts.hidden = true;
		const word = end.failed ? "Failed" : "Done";
		fill(state, h("span", { class: end.failed ? "mark bad" : "mark good" }, word), end.sentence ? ` ${end.sentence}` : "");
		fill(trouble, end.summary?.trim() ? h("details", {}, h("summary", {}, "What the terminal would show"), h("pre", {
			class: "terminal",
			tabindex: 0
		}, end.summary)) : null);
		void take();
	};
	const steer = buttons(controls, trouble, id);
	const onStatus = (status) => {
		now(state, facts, status);
		steer(status);
		log.leftOut(status.left_out);
	};
	const follow = (live) => {
		if (live.head) title(head, live.head.title, null);
		if (live.status) onStatus(live.status);
		void get(`runs/${encodeURIComponent(id)}/logs`).then((all) => log.add(all)).catch(() => undefined);
		void get(`runs/${encodeURIComponent(id)}/failures`).then((all) => failures.add(all)).catch(() => undefined);
		if (live.end) onEnd(live.end);
		else void take();
	};
	const listen = () => {
		source = new EventSource(`/api/v1/runs/${encodeURIComponent(id)}/events`);
		const on = (name, then) => source?.addEventListener(name, (event) => {
			const message = event;
			then(JSON.parse(message.data), Number(message.lastEventId));
		});
		on("state", follow);
		on("head", (of) => title(head, of.title, null));
		on("status", onStatus);
		on("row", onRow);
		on("log", (item, number) => log.add([{
			number,
			item
		}]));
		on("failure", (item, number) => failures.add([{
			number,
			item
		}]));
		on("end", onEnd);
		on("lost", () => void take());
		source.onerror = () => {
			if (source?.readyState === EventSource.CLOSED) {
				fill(trouble, problem(new Refused("the connection to the test was lost", "reload the page when netload runs again")));
			}
		};
	};
	get(`runs/${encodeURIComponent(id)}`).then((live) => {
		if (gone) return;
		bar.live(true);
		if (live.running) listen();
		else follow(live);
	}).catch(() => {
		bar.live(false);
		void take();
	});
	const toSection = (event) => {
		bar.reveal(String(event.detail));
	};
	content.addEventListener("section", toSection);
	return () => {
		gone = true;
		source?.close();
		content.removeEventListener("section", toSection);
		page?.destroy();
	};
}
function title(head, text, view) {
	const labels = Object.entries(view?.head.labels ?? {});
	fill(head, h("h1", {}, view?.head.title || text), labels.length > 0 ? h("ul", {
		class: "labels",
		"aria-label": "Labels"
	}, labels.map(([name, value]) => h("li", {}, `${name}=${value}`))) : null);
	document.title = `${view?.head.title || text} – netload`;
}
function now(state, facts, status) {
	fill(state, h("span", { class: "mark plain" }, status.phase), ` ${span(status.elapsed_s)}`);
	const fact = (name, value, tone = "") => h("div", { class: tone }, h("dt", {}, name), h("dd", {}, value));
	fill(facts, fact("Requests", rate(status.rate)), fact("Failed", count(status.failed), status.failed > 0 ? "bad" : ""), fact("Median", duration(status.p50_ms)), fact("p99", duration(status.p99_ms)), fact("Users", `${count(status.vus)} of ${count(status.vus_made)}`), fact("Iterations", count(status.iterations)), status.dropped > 0 ? fact("Dropped", count(status.dropped), "warning") : null, status.generator ? fact("Generator", status.generator, "warning wide") : null);
}
function buttons(controls, trouble, id) {
	const order = (name, body = {}) => {
		post(`runs/${encodeURIComponent(id)}/${name}`, body).then(() => fill(trouble)).catch((error) => fill(trouble, problem(error)));
	};
	const stop = h("button", {
		type: "button",
		class: "danger",
		click: () => order("stop")
	}, "Stop");
	let paused = false;
	const pause = h("button", {
		type: "button",
		click: () => order(paused ? "resume" : "pause")
	}, "Pause");
	const vus = h("input", {
		type: "number",
		min: 0,
		name: "vus",
		"aria-label": "Users that run"
	});
	const crew = h("select", {
		name: "crew",
		"aria-label": "Scenario that gets the users"
	});
	const scale = h("form", { class: "scale" }, h("label", {}, "Users ", vus), crew, h("button", { type: "submit" }, "Set"));
	scale.addEventListener("submit", (event) => {
		event.preventDefault();
		order("scale", {
			vus: Number(vus.value),
			...crew.hidden ? {} : { scenario: crew.value }
		});
	});
	const wanted = h("input", {
		type: "text",
		name: "rate",
		placeholder: "500/s",
		"aria-label": "Planned rate"
	});
	const which = h("select", {
		name: "scenario",
		"aria-label": "Scenario that gets the rate"
	});
	const change = h("form", { class: "scale" }, h("label", {}, "Rate ", wanted), which, h("button", { type: "submit" }, "Set"));
	change.addEventListener("submit", (event) => {
		event.preventDefault();
		order("scale", {
			rate: wanted.value.trim(),
			scenario: which.value
		});
	});
	fill(controls, stop, pause, scale, change);
	let known = false;
	let open = "";
	let crews = "none yet";
	return (status) => {
		paused = status.paused;
		fill(pause, paused ? "Go on" : "Pause");
		stop.disabled = status.phase === "stopping" || status.phase === "over";
		const looping = status.scenarios.filter((s) => s.loops && !s.done).map((s) => s.name);
		scale.hidden = looping.length === 0;
		if (looping.join("\n") !== crews) {
			crews = looping.join("\n");
			fill(crew, ...looping.map((name) => h("option", { value: name }, name)));
			crew.hidden = looping.length < 2;
		}
		const planned = status.scenarios.filter((s) => s.rate !== null && !s.done);
		change.hidden = planned.length === 0;
		const names = planned.map((s) => s.name);
		if (names.join("\n") !== open) {
			open = names.join("\n");
			fill(which, ...names.map((name) => h("option", { value: name }, name)));
			which.hidden = names.length < 2;
			const first = planned[0]?.rate ?? null;
			wanted.value = first === null ? "" : `${Number(first.toPrecision(6))}/s`;
		}
		if (!known) {
			vus.value = String(status.vus);
			known = status.phase === "running";
		}
	};
}
return { runPage };
})();
const module_app_start = (() => {
"use strict";
const { h, fill, uniqueId } = module_dom;
const { clock, rate } = module_format;
const { get, post, problem } = module_app_api;
const { drawing } = module_app_curve;
const QUIET = 250;
const LOOK = 2e3;
const SHAPES = [
	{
		name: "vus",
		title: "Constant users",
		fields: ["vus", "duration"],
		about: "Each user starts again when it is done."
	},
	{
		name: "ramp-vus",
		title: "Ramping users",
		fields: ["vus", "stages"],
		about: "From the first number through the stages."
	},
	{
		name: "rate",
		title: "Constant rate",
		fields: [
			"rate",
			"duration",
			"vus",
			"max_vus"
		],
		about: "Starts are planned in time, whatever the server does."
	},
	{
		name: "ramp-rate",
		title: "Ramping rate",
		fields: [
			"rate",
			"stages",
			"vus",
			"max_vus"
		],
		about: "The planned rate goes through the stages."
	},
	{
		name: "iterations",
		title: "Number of iterations",
		fields: [
			"vus",
			"iterations",
			"duration"
		],
		about: "Users share so many iterations; the duration is the most it may take."
	},
	{
		name: "manual",
		title: "By hand",
		fields: [
			"vus",
			"max_vus",
			"duration"
		],
		about: "The number of users is changed while the test runs."
	},
	{
		name: "script",
		title: "As the script says",
		fields: [],
		about: "The script's own options decide."
	}
];
function startPage(content) {
	const fields = {};
	const field = (name, label, input, hint = "") => {
		const id = uniqueId();
		input.id = id;
		input.setAttribute("name", name);
		fields[name] = input;
		return h("div", {
			class: "field",
			"data-field": name
		}, h("label", { for: id }, label), input, hint ? h("p", { class: "hint" }, hint) : null);
	};
	const text = (value = "", placeholder = "") => h("input", {
		type: "text",
		value,
		placeholder,
		spellcheck: "false",
		autocomplete: "off"
	});
	const number = (value, step = "1") => h("input", {
		type: "number",
		min: 0,
		step,
		value
	});
	const choice = (options) => h("select", {}, options.map(([value, title]) => h("option", { value }, title)));
	const area = (rows, placeholder = "") => h("textarea", {
		rows,
		placeholder,
		spellcheck: "false"
	});
	const stages = stageList(() => changed());
	const curves = h("div", {
		class: "preview",
		"aria-live": "polite"
	});
	const preview = h("div", {});
	const about = h("p", { class: "hint" });
	const answer = h("div", {});
	const running = h("div", {});
	const button = h("button", {
		type: "submit",
		class: "main"
	}, "Start the test");
	const form = h("form", {
		class: "start",
		novalidate: true
	}, h("fieldset", {}, h("legend", {}, "What"), field("kind", "Test", choice([
		["url", "A URL"],
		["file", "A script on this machine"],
		["script", "A script written here"]
	])), h("div", {
		class: "row",
		"data-kind": "url"
	}, field("method", "Method", choice([
		"GET",
		"POST",
		"PUT",
		"PATCH",
		"DELETE",
		"HEAD"
	].map((m) => [m, m]))), field("url", "URL", text("", "http://127.0.0.1:8080/"))), h("details", { "data-kind": "url" }, h("summary", {}, "Headers, body, expected status"), field("headers", "Headers", area(2, "accept: application/json"), "One on each line: name: value"), field("body", "Body", area(3)), field("expect", "Expected status", number(0), "0: every status below 400")), h("div", { "data-kind": "file" }, field("file", "Path of the script", text("", "/home/me/script.js"))), h("div", { "data-kind": "script" }, field("script", "Script", area(12, "import http from 'k6/http';")))), h("fieldset", {}, h("legend", {}, "How much"), field("shape", "Shape of the load", choice(SHAPES.map(({ name, title }) => [name, title]))), about, h("div", { class: "row" }, field("vus", "Users", number(10)), field("max_vus", "Users at most", number(100)), field("rate", "Iterations per second", number(100, "any")), field("iterations", "Iterations", number(1e3)), field("duration", "Duration", text("30s"), "Such as 30s or 1m30s")), h("div", {
		class: "field",
		"data-field": "stages"
	}, stages.element), curves), h("fieldset", {}, h("legend", {}, "When is it good"), field("thresholds", "Thresholds", area(2, "http_req_duration: p(95)<500"), "One on each line: metric: condition"), field("labels", "Labels", text("", "branch=main, build=17"), "They tell runs apart in the history")), preview, answer, h("p", { class: "actions" }, button));
	const wanted = () => document_(fields, stages.value());
	let timer = 0;
	let asked = 0;
	const look = async () => {
		asked += 1;
		const own = asked;
		try {
			const shown = await post("preview", wanted());
			if (own !== asked) return;
			fill(curves, shown.curves.length > 0 ? drawing(shown.curves) : null);
			fill(preview, shown.script ? h("details", {}, h("summary", {}, "The script that runs"), h("pre", { tabindex: 0 }, shown.script)) : null);
		} catch (error) {
			if (own === asked) fill(curves, h("p", { class: "hint" }, error instanceof Error ? error.message : String(error)));
		}
	};
	const changed = () => {
		arrange(form, fields, about);
		clearTimeout(timer);
		timer = window.setTimeout(() => void look(), QUIET);
	};
	form.addEventListener("input", changed);
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		button.disabled = true;
		fill(answer);
		post("runs", wanted()).then(({ id }) => {
			location.hash = `#/runs/${id}`;
		}).catch((error) => fill(answer, problem(error))).finally(() => {
			button.disabled = false;
		});
	});
	fill(content, h("h1", {}, "Start a test"), h("div", { class: "columns" }, form, h("aside", { "aria-label": "Running tests" }, h("h2", {}, "Running now"), running)));
	arrange(form, fields, about);
	void look();
	const list = () => {
		get("server").then(({ running: all }) => fill(running, all.length > 0 ? h("ul", { class: "running" }, all.map(card)) : h("p", { class: "hint" }, "Nothing."))).catch((error) => fill(running, problem(error)));
	};
	list();
	const looking = window.setInterval(list, LOOK);
	return () => {
		clearInterval(looking);
		clearTimeout(timer);
		asked += 1;
	};
}
function card(run) {
	const status = run.status;
	const facts = status ? `${status.phase}, ${clock(status.elapsed_s)}, ${rate(status.rate)}` : "starting";
	return h("li", {}, h("a", { href: `#/runs/${run.id}` }, run.head?.title ?? run.id), h("p", { class: "hint" }, facts));
}
function arrange(form, fields, about) {
	const kind = fields["kind"]?.value ?? "url";
	for (const part of form.querySelectorAll("[data-kind]")) part.hidden = part.dataset["kind"] !== kind;
	const shape = fields["shape"];
	for (const option of shape.options) if (option.value === "script") option.disabled = kind === "url";
	if (kind === "url" && shape.value === "script") shape.value = "vus";
	const chosen = SHAPES.find(({ name }) => name === shape.value);
	fill(about, chosen?.about);
	for (const name of [
		"vus",
		"max_vus",
		"rate",
		"iterations",
		"duration",
		"stages"
	]) {
		const part = form.querySelector(`[data-field="${name}"]`);
		if (part) part.hidden = !chosen?.fields.includes(name);
	}
}
function document_(fields, stages) {
	const value = (name) => fields[name]?.value.trim() ?? "";
	const lines = (name) => value(name).split("\n").map((line) => line.trim()).filter(Boolean);
	const pairs = (texts, between) => Object.fromEntries(texts.map((line) => {
		const at = line.indexOf(between);
		return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + between.length).trim()];
	}));
	const kind = value("kind");
	const target = kind === "url" ? {
		url: value("url") || "http://127.0.0.1:8080/",
		method: value("method"),
		headers: pairs(lines("headers"), ":"),
		body: fields["body"]?.value ?? ""
	} : { [kind]: kind === "script" ? fields["script"]?.value ?? "" : value("file") };
	if (kind === "url" && Number(value("expect")) > 0) target["expect"] = Number(value("expect"));
	const shape = value("shape");
	const load = { shape };
	for (const name of SHAPES.find((one) => one.name === shape)?.fields ?? []) {
		if (name === "stages") load[name] = stages;
		else if (name === "duration") load[name] = value(name);
		else load[name] = Number(value(name));
	}
	const thresholds = {};
	for (const line of lines("thresholds")) {
		const at = line.indexOf(":", line.lastIndexOf("}") + 1);
		const metric = at < 0 ? "http_req_duration" : line.slice(0, at).trim();
		(thresholds[metric] ??= []).push(at < 0 ? line : line.slice(at + 1).trim());
	}
	return {
		target,
		load,
		thresholds,
		labels: pairs(value("labels").split(",").map((l) => l.trim()).filter(Boolean), "=")
	};
}
function stageList(changed) {
	const body = h("tbody", {});
	const add = (duration, target) => {
		const row = h("tr", {}, h("td", {}, h("input", {
			type: "text",
			value: duration,
			"aria-label": "Duration of the stage",
			spellcheck: "false"
		})), h("td", {}, h("input", {
			type: "number",
			min: 0,
			value: target,
			"aria-label": "Load at its end"
		})), h("td", {}, h("button", {
			type: "button",
			class: "quiet",
			click: () => (row.remove(), changed())
		}, "Remove")));
		body.append(row);
	};
	add("10s", 20);
	add("30s", 20);
	add("10s", 0);
	const more = h("button", {
		type: "button",
		class: "quiet",
		click: () => (add("10s", 10), changed())
	}, "Add a stage");
	const table = h("table", { class: "stages" }, h("caption", {}, "Stages"), h("thead", {}, h("tr", {}, [
		"Duration",
		"Load at its end",
		""
	].map((head) => h("th", { scope: "col" }, head)))), body);
	const value = () => [...body.rows].map((row) => {
		const [duration, target] = row.querySelectorAll("input");
		return {
			duration: duration?.value.trim() ?? "",
			target: Number(target?.value ?? 0)
		};
	});
	return {
		element: h("div", {}, table, more),
		value
	};
}
return { startPage };
})();
const module_app = (() => {
"use strict";
const { comparePage } = module_app_compare;
const { historyPage } = module_app_history;
const { runPage } = module_app_run;
const { startPage } = module_app_start;
const { fill, h } = module_dom;
const { follow, isDark, onTheme, toggle } = module_theme;
const LINKS = [["#/", "Start"], ["#/history", "History"]];
function bar() {
	const button = h("button", {
		type: "button",
		class: "quiet theme",
		click: toggle
	});
	const name = () => fill(button, isDark() ? "Light" : "Dark");
	name();
	onTheme(name);
	return h("header", { class: "bar" }, h("a", {
		class: "skip",
		href: "#content",
		click: toContent
	}, "Skip to the content"), h("a", {
		class: "brand",
		href: "#/"
	}, "netload"), h("nav", { "aria-label": "Pages" }, LINKS.map(([href, title]) => h("a", { href }, title))), button);
}
function toContent(event) {
	event.preventDefault();
	document.getElementById("content")?.focus();
}
function show(content) {
	const [page = "", first = "", second = ""] = location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
	for (const link of document.querySelectorAll(".bar nav a")) {
		const own = link.getAttribute("href") === `#/${page}`;
		if (own) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	fill(content);
	if (page === "runs" && first) return runPage(content, first);
	if (page === "history") return historyPage(content);
	if (page === "compare" && first && second) return comparePage(content, first, second);
	return startPage(content);
}
function main() {
	follow();
	const app = document.getElementById("app");
	if (!app) return;
	const content = h("main", {
		id: "content",
		tabindex: -1
	});
	app.replaceChildren(bar(), content);
	let leave = show(content);
	addEventListener("hashchange", () => {
		leave();
		leave = show(content);
		scrollTo(0, 0);
		content.focus({ preventScroll: true });
	});
	document.addEventListener("click", (event) => {
		const link = event.target instanceof Element ? event.target.closest("a") : null;
		const href = link?.getAttribute("href") ?? "";
		if (!href.startsWith("#") || href.startsWith("#/") || href === "#content") return;
		event.preventDefault();
		content.dispatchEvent(new CustomEvent("section", { detail: href.slice(1) }));
	});
	document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
}
main();
return {  };
})();
})();
