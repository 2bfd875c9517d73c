/** Brings Swagger UI's looks near those of the docs, in both themes. Comes after its own sheet. */
export const REFERENCE_STYLE = `
.reference-page { padding: 2.25rem 1.5rem 4rem; }
.reference-page > * { max-width: 72rem; }
`;
