/** The pages' only style sheet. Its hash is in the content security policy. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f6f7f9; --line: #d9dee5; --text: #1c2430; --soft: #525c6a; --link: #1858c4;
  --open: #1a7f42; --closed: #b3342b;
  --badge-open: #1a7f42; --badge-merged: #7447c8; --badge-closed: #b3342b;
  --add: #e3f6e8; --add-no: #c9ecd3; --del: #fdebe9; --del-no: #f9d4d0; --hunk: #eaf1fb;
  --ok: #e3f6e8; --bad: #fdebe9; --mark: #835600;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #11151b; --panel: #181e26; --line: #2d3642; --text: #e3e8ee; --soft: #98a4b3; --link: #7fb0ff;
    --open: #3fb872; --closed: #f0857c;
    --add: #12291b; --add-no: #1a3d27; --del: #321818; --del-no: #4a2220; --hunk: #17243a;
    --ok: #12291b; --bad: #321818; --mark: #e0b14a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
a { color: var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
code, pre, .diff { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; }
code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .05em .35em; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; margin: .6rem 0; }
pre code { background: none; border: 0; padding: 0; overflow-wrap: normal; }
.badge { display: inline-block; border-radius: 1rem; padding: .15rem .75rem; color: #fff; font-weight: 600; font-size: .85rem; margin-right: .5rem; }
.badge.open { background: var(--badge-open); }
.badge.merged { background: var(--badge-merged); }
.badge.closed { background: var(--badge-closed); }
.soft, dt { color: var(--soft); }
.panel { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem; margin: .6rem 0; overflow-wrap: anywhere; }
.panel > :first-child { margin-top: 0; }
.panel > :last-child { margin-bottom: 0; }
.banner { border-radius: 8px; padding: .8rem 1.2rem; margin: 0 0 1.5rem; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
.banner.ok { background: var(--ok); border-color: var(--open); }
.banner.bad { background: var(--bad); border-color: var(--closed); }
.plain { white-space: pre-wrap; }
blockquote { margin: .6rem 0; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1rem 0; }
ul.commits, ul.files { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; }
ul.commits li, ul.files li { display: flex; gap: .8rem; padding: .5rem 1rem; border-top: 1px solid var(--line); align-items: baseline; }
ul.commits li:first-child, ul.files li:first-child { border-top: 0; }
ul.commits .what, ul.files .what { flex: 1; overflow-wrap: anywhere; }
.plus { color: var(--open); font-weight: 600; }
.minus { color: var(--closed); font-weight: 600; }
details.file { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; overflow: hidden; }
details.file > summary { background: var(--panel); padding: .55rem 1rem; cursor: pointer; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table.diff { border-collapse: collapse; width: 100%; line-height: 1.45; tab-size: 4; }
table.diff td { padding: 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top; }
table.diff td.no { width: 1%; min-width: 3.2em; text-align: right; color: var(--soft); user-select: none; white-space: nowrap; }
tr.add td { background: var(--add); }
tr.add td.no { background: var(--add-no); }
tr.del td { background: var(--del); }
tr.del td.no { background: var(--del-no); }
tr.hunk td, tr.note td { background: var(--hunk); color: var(--soft); padding: .2rem .6rem; }
.hidden { color: var(--mark); border: 1px dashed var(--mark); border-radius: 3px; padding: 0 .2em; font-size: .8em; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
form label { flex: 1 1 18rem; display: block; font-weight: 600; }
input { display: block; width: 100%; margin-top: .25rem; padding: .5rem .7rem; font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; }
button, .button { padding: .5rem 1.1rem; font: inherit; font-weight: 600; border-radius: 6px; border: 1px solid transparent; cursor: pointer; }
.button { display: inline-block; background: var(--badge-open); color: #fff; text-decoration: none; }
input:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) {
  ul.commits li, ul.files li { flex-wrap: wrap; gap: .2rem .8rem; }
  table.diff td.no { min-width: 2.2em; padding: 0 .3rem; }
}
`;
