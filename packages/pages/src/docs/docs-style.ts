/** Uses the dashboard's colors: each text has a contrast of at least 4.5 to 1. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #0f1217); --side: light-dark(#f7f8fa, #13171d); --raised: light-dark(#ffffff, #1a2029);
  --hover: light-dark(#f0f2f5, #1d242e); --line: light-dark(#e3e6eb, #272e39); --line-strong: light-dark(#8b93a1, #6c7787);
  --text: light-dark(#171b22, #e7ebf1); --soft: light-dark(#566070, #9aa5b5);
  --accent: light-dark(#3154d8, #8ca6ff); --accent-soft: light-dark(#eaeefc, #1b2444);
  --good: light-dark(#157341, #5ccb8a); --warn: light-dark(#8a5200, #eab35a); --warn-soft: light-dark(#fdf2df, #30240f);
  --code: light-dark(#f6f7f9, #151a21);
  --keyword: light-dark(#8a2a9b, #d39bf0); --string: light-dark(#17693c, #7fd6a2); --number: light-dark(#9a4a00, #f0a868);
  --name: light-dark(#1d4fc0, #8fb4ff);
  --shadow: 0 8px 30px light-dark(rgb(20 26 40 / 14%), rgb(0 0 0 / 55%));
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  --bar: 3.5rem;
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 1rem); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.65 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
[hidden] { display: none !important; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
.skip { position: fixed; left: 1rem; top: -4rem; z-index: 30; background: var(--raised); padding: .5rem 1rem; border: 1px solid var(--line-strong); border-radius: 6px; }
.skip:focus { top: .5rem; }
kbd { font: .75rem var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: .05rem .35rem; color: var(--soft); background: var(--bg); }

.bar { position: sticky; top: 0; z-index: 20; height: var(--bar); display: flex; align-items: center; gap: 1rem; padding: 0 1.25rem; background: var(--bg); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; color: var(--text); text-decoration: none; letter-spacing: -.01em; }
.menu { font: inherit; font-size: 1.2rem; line-height: 1; width: 2.25rem; height: 2.25rem; background: none; color: inherit; border: 1px solid var(--line); border-radius: 6px; cursor: pointer; display: none; }
.places { display: flex; gap: 1.1rem; margin-left: auto; font-size: .9rem; }
.places a { color: var(--soft); text-decoration: none; }
.places a:hover, .places a[aria-current] { color: var(--text); }
.places a[aria-current] { font-weight: 600; }
.find { position: relative; flex: 0 1 24rem; margin-left: auto; }
.find + .places { margin-left: 0; }
.find[hidden] + .places { margin-left: auto; }
.find input { width: 100%; height: 2.25rem; font: inherit; font-size: .9rem; color: inherit; background: var(--side); border: 1px solid var(--line); border-radius: 8px; padding: 0 2.2rem 0 .8rem; }
.find input::placeholder { color: var(--soft); opacity: 1; }
.find kbd { position: absolute; right: .6rem; top: .5rem; pointer-events: none; }
.find input:focus + kbd { visibility: hidden; }
.found { position: absolute; right: 0; top: 2.7rem; width: min(34rem, calc(100vw - 1.5rem)); max-height: min(70vh, 36rem); overflow-y: auto; margin: 0; padding: .4rem; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
.found a { display: block; padding: .5rem .7rem; border-radius: 6px; text-decoration: none; color: var(--text); font-size: .9rem; line-height: 1.4; }
.found a:hover, .found a:focus { background: var(--hover); }
.found a span { display: block; color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
.found .none { padding: .6rem .7rem; color: var(--soft); font-size: .9rem; }

.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 15rem; max-width: 90rem; margin: 0 auto; }
.pages { position: sticky; top: var(--bar); height: calc(100vh - var(--bar)); overflow-y: auto; padding: 1.5rem 1rem 3rem 1.25rem; border-right: 1px solid var(--line); scrollbar-width: thin; }
.pages h2, .on-page h2 { font-size: .8rem; font-weight: 650; margin: 1.5rem 0 .35rem; padding: 0 .6rem; }
.pages h2:first-child, .on-page h2 { margin-top: 0; }
.pages ul, .on-page ul { list-style: none; margin: 0; padding: 0; }
.pages a { display: block; padding: .25rem .6rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .9rem; line-height: 1.5; }
.pages a:hover { color: var(--text); background: var(--hover); }
.pages a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 550; }
main { padding: 2.25rem 3rem 4rem; min-width: 0; }
main > * { max-width: 46rem; margin-left: auto; margin-right: auto; }
.on-page { position: sticky; top: var(--bar); max-height: calc(100vh - var(--bar)); overflow-y: auto; padding: 2.4rem 1rem 2rem 0; align-self: start; scrollbar-width: thin; }
.on-page ul { border-left: 1px solid var(--line); }
.on-page a { display: block; padding: .2rem .75rem; margin-left: -1px; border-left: 2px solid transparent; color: var(--soft); text-decoration: none; font-size: .83rem; line-height: 1.45; overflow-wrap: anywhere; }
.on-page .deeper a { padding-left: 1.5rem; }
.on-page a:hover { color: var(--text); }
.on-page a[aria-current] { color: var(--accent); border-left-color: var(--accent); }

article { overflow-wrap: break-word; }
.group-name { margin: 0 0 .25rem; color: var(--accent); font-size: .85rem; font-weight: 600; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.022em; margin: 0 0 .5rem; }
.lead { font-size: 1.1rem; color: var(--soft); margin: 0 0 2rem; line-height: 1.55; }
h2, h3, h4 { line-height: 1.3; letter-spacing: -.012em; }
article h2 { font-size: 1.4rem; margin: 2.75rem 0 .75rem; }
article h3 { font-size: 1.12rem; margin: 2rem 0 .5rem; }
article h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; opacity: 0; padding: 0 .3em; }
:is(h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
p { margin: 0 0 1rem; }
article ul, article ol { padding-left: 1.5rem; margin: 0 0 1rem; }
article li { margin: .3rem 0; }
article li::marker { color: var(--soft); }
article img { max-width: 100%; height: auto; border-radius: 10px; background: #fff; border: 1px solid var(--line); padding: .5rem; }
blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
code { font-family: var(--mono); font-size: .86em; }
:not(pre) > code { background: var(--code); border: 1px solid var(--line); border-radius: 5px; padding: .1em .35em; overflow-wrap: anywhere; }
a > code { color: inherit; }
.code { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--code); overflow: hidden; }
.code-head { display: flex; align-items: center; justify-content: space-between; min-height: 2.2rem; padding: 0 .4rem 0 1rem; border-bottom: 1px solid var(--line); font-size: .78rem; color: var(--soft); }
.copy { font: inherit; color: var(--soft); background: none; border: 0; border-radius: 5px; padding: .2rem .6rem; cursor: pointer; }
.copy:hover { color: var(--text); background: var(--hover); }
pre { margin: 0; padding: .85rem 1rem; overflow-x: auto; line-height: 1.6; font-size: .95rem; tab-size: 2; }
pre:focus-visible { outline-offset: -2px; }
.hljs-keyword, .hljs-built_in, .hljs-section, .hljs-selector-tag, .hljs-meta { color: var(--keyword); }
.hljs-string, .hljs-regexp, .hljs-addition { color: var(--string); }
.hljs-number, .hljs-literal, .hljs-variable, .hljs-template-variable, .hljs-symbol { color: var(--number); }
.hljs-attr, .hljs-attribute, .hljs-title, .hljs-name, .hljs-property, .hljs-type { color: var(--name); }
.hljs-comment, .hljs-quote { color: var(--soft); font-style: italic; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.5; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .82rem; }
th, td { padding: .55rem .9rem .55rem 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 6rem; }
td:first-child code { overflow-wrap: normal; }
.callout { border: 1px solid var(--line); border-left: 3px solid var(--accent); background: var(--accent-soft); border-radius: 8px; padding: .8rem 1.1rem; margin: 0 0 1.25rem; }
.callout.warning { border-left-color: var(--warn); background: var(--warn-soft); }
.callout-title { font-weight: 650; font-size: .85rem; margin: 0 0 .2rem; color: var(--accent); }
.warning .callout-title { color: var(--warn); }
.callout > :last-child, .card > :last-child, .accordion > div > :last-child, .steps > li > :last-child { margin-bottom: 0; }
article .steps { list-style: none; padding: 0; counter-reset: step; }
article .steps > li { counter-increment: step; position: relative; margin: 0; padding: 0 0 1.5rem 2.75rem; }
.steps > li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-size: .85rem; font-weight: 650; display: grid; place-items: center; }
.steps > li:not(:last-child)::after { content: ''; position: absolute; left: .85rem; top: 2.15rem; bottom: .35rem; width: 1px; background: var(--line); }
.step-title { font-weight: 650; margin: 0 0 .4rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1rem; margin: 0 0 1.25rem; }
.card { display: block; border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem; color: var(--soft); text-decoration: none; font-size: .92rem; line-height: 1.5; }
.card:hover { border-color: var(--accent); }
.card strong { display: block; color: var(--text); margin-bottom: .2rem; font-size: 1rem; }
.accordion { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .6rem; }
.accordion > summary { padding: .65rem 1rem; cursor: pointer; font-weight: 550; }
.accordion > div { padding: .1rem 1rem 1rem; }
.tabs { margin: 0 0 1.25rem; }
.tab-list { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.tab-list button { font: inherit; font-size: .9rem; color: var(--soft); background: none; border: 0; border-bottom: 2px solid transparent; padding: .4rem 0; margin-bottom: -1px; cursor: pointer; }
.tab-list button[aria-selected='true'] { color: var(--accent); border-bottom-color: var(--accent); font-weight: 600; }
.tab-title { font-weight: 650; }
.js .tab-title { display: none; }
.turn { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 3.5rem; }
.turn a { border: 1px solid var(--line); border-radius: 10px; padding: .75rem 1.1rem; text-decoration: none; color: var(--text); font-weight: 550; line-height: 1.4; overflow-wrap: anywhere; }
.turn a:hover { border-color: var(--accent); }
.turn span { display: block; color: var(--soft); font-size: .8rem; font-weight: 400; }
.turn .next { grid-column: 2; text-align: right; }
.source { margin-top: 2rem; font-size: .85rem; }
.source a { color: var(--soft); }

@media (max-width: 78rem) {
  .columns { grid-template-columns: 16rem minmax(0, 1fr); }
  .on-page { display: none; }
}
@media (max-width: 52rem) {
  .columns { display: block; }
  .menu { display: block; }
  .pages { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; }
  .js .pages { display: none; position: fixed; inset: var(--bar) 0 0; z-index: 15; background: var(--bg); border: 0; }
  .js .pages.open { display: block; }
  .pages a { padding: .45rem .6rem; font-size: 1rem; }
  main { padding: 1.5rem 1rem 3rem; }
  .bar { gap: .6rem; padding: 0 .75rem; }
  .places { gap: .8rem; }
  .find kbd { display: none; }
  .find input { padding-right: .5rem; }
  h1 { font-size: 1.65rem; }
  .lead { font-size: 1rem; }
}
@media (max-width: 40rem) {
  .docs .places a:first-child, .brand { font-size: 0; gap: 0; }
  .docs .places a:first-child { display: none; }
  .find { flex: 1 1 5rem; min-width: 4rem; }
  .found { position: fixed; left: .75rem; right: .75rem; top: calc(var(--bar) + .25rem); width: auto; }
}
@media print {
  .bar, .pages, .on-page, .turn, .source, .copy { display: none; }
  .columns { display: block; }
}
`;
