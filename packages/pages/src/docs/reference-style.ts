/** Adapts Swagger UI to the docs' design in both themes. Comes after its sheet and overrides it by an id. */
export const REFERENCE_STYLE = `
html.dark-mode, html.dark-mode body.reference { background: var(--bg); color: var(--text); }
.reference-page { padding: 2.25rem 1.5rem 4rem; }
body.reference .reference-page > * { max-width: 72rem; margin-left: auto; margin-right: auto; }
#reference main { padding: 0; }
#reference main > * { max-width: none; margin-left: 0; margin-right: 0; }
.loading { color: var(--soft); }
#reference, #reference .swagger-ui, #reference .swagger-ui :is(.scheme-container, .wrapper, .block, .filter-container) { background: none; font-family: inherit; color: var(--text); }
#reference .block { padding: 0; }
#reference .swagger-ui { padding: 0; }
#reference section.block.col-12, #reference :is(.col-12, .wrapper) { padding: 0; margin: 0; }
#reference :is(.info, .scheme-container) { margin: 0; }
#reference :is(.information-container, .schemes-server-container) { display: none; }
#reference .wrapper { max-width: none; padding: 0; }
#reference .scheme-container { background: none; box-shadow: none; padding: 0 0 1rem; border-bottom: 1px solid var(--line); }
#reference .scheme-container .schemes { align-items: center; gap: 1rem; }
#reference :is(p, li, label, td, th, span, div, h2, h3, h4, h5, h6, small, b, i, em, strong, a, button, table) { font-family: inherit; color: inherit; }
#reference :is(code, pre, .microlight, .opblock-summary-path, .opblock-summary-path *, .prop-type, .prop-format, .opblock-summary-method, .parameter__type, .curl, .highlight-code *) { font-family: var(--mono); }
#reference :is(.parameter__in, .parameter__type, .opblock-summary-description, .response-control-media-type__title, .opblock-tag small, .prop-format) { color: var(--soft); }
#reference a:not(.nostyle):not(.opblock-control) { color: var(--accent); }
#reference :is(input, select, textarea) { font: .9rem/1.4 inherit; font-family: inherit; color: var(--text); background-color: var(--bg); border: 1px solid var(--line-strong); border-radius: 6px; box-shadow: none; }
#reference textarea { font-family: var(--mono); }
#reference select { appearance: auto; background-image: none; padding: .3rem .5rem; }
#reference .btn { color: var(--text); background: var(--raised); border: 1px solid var(--line-strong); border-radius: 6px; box-shadow: none; }
#reference .btn svg { fill: currentColor; }
#reference .btn.execute { color: light-dark(#fff, #0d1430); background: var(--accent); border-color: var(--accent); }
#reference svg { fill: currentColor; }
#reference .opblock-tag { font-size: 1.2rem; letter-spacing: -.012em; border-bottom: 1px solid var(--line); }
#reference .opblock-tag:hover { background: none; }
#reference .opblock { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; box-shadow: none; margin: 0 0 .5rem; }
#reference .opblock .opblock-summary { border-color: var(--line); padding: .35rem .5rem; }
#reference .opblock-summary-method { color: var(--accent); background: var(--accent-soft); text-shadow: none; border-radius: 5px; font-size: .78rem; min-width: 4.6rem; padding: .3rem 0; }
#reference .opblock-get .opblock-summary-method { color: var(--good); background: light-dark(#e4f5ea, #12291c); }
#reference .opblock-delete .opblock-summary-method { color: light-dark(#b3261e, #ff8f85); background: light-dark(#fdecea, #35191a); }
#reference .opblock-patch .opblock-summary-method { color: var(--warn); background: var(--warn-soft); }
#reference .opblock-deprecated { opacity: 1; }
#reference .opblock-summary-path { font-size: .88rem; }
#reference .opblock-summary-path__deprecated { text-decoration: line-through; }
#reference .opblock-section-header { background: var(--side); box-shadow: none; border-bottom: 1px solid var(--line); }
#reference .opblock-section-header :is(h4, label) { color: var(--text); font-size: .9rem; }
#reference :is(table thead tr td, table thead tr th) { color: var(--soft); border-color: var(--line); }
#reference :is(.parameter__name.required > span, .parameter__name.required::after) { color: light-dark(#b3261e, #ff8f85); }
#reference .tab li button.tablinks { color: inherit; }
#reference :is(.highlight-code > .microlight, pre.microlight, .model-example pre) { background: var(--code) !important; color: var(--text) !important; border: 1px solid var(--line); border-radius: 8px; }
#reference .microlight span { color: inherit !important; }
#reference :is(.markdown code, .renderedMarkdown code) { color: var(--text); background: var(--code); }
#reference :is(.model-box, section.models, .model-container, .json-schema-2020-12) { background: var(--side); border-color: var(--line); color: var(--text); }
#reference :is(.copy-to-clipboard, .download-contents) { background: var(--raised); color: var(--text); border: 1px solid var(--line); }
#reference .copy-to-clipboard button { background-color: transparent; }
html:not(.dark-mode) #reference .copy-to-clipboard button { filter: invert(1); }
#reference .dialog-ux .modal-ux { background: var(--bg); border: 1px solid var(--line); border-radius: 10px; color: var(--text); }
#reference :is(.modal-ux-header, .auth-container) { border-color: var(--line); }
#reference .modal-ux-header .close-modal { color: var(--text); }
#reference .filter-container { padding: 0; margin: 1rem 0; }
#reference .filter .operation-filter-input { margin: 0; padding: .5rem .8rem; }
#reference .responses-inner :is(h4, h5) { color: var(--text); }
#reference .response-col_status { color: var(--text); }
#reference .loading-container .loading::after { color: var(--soft); }
@media (max-width: 52rem) {
  .reference-page { padding: 1.5rem 1rem 3rem; }
  #reference .opblock-summary { flex-wrap: wrap; }
  #reference .opblock-summary-path { max-width: 100%; flex-shrink: 1; overflow-wrap: anywhere; }
  #reference :is(.opblock-body, .table-container) { overflow-x: auto; }
  #reference .dialog-ux .modal-ux { min-width: 0; width: calc(100vw - 1rem); }
  #reference .opblock-tag { flex-wrap: wrap; }
}
`;
