/**
 * Bytes of a file that are read: navigations of large sites have megabytes, and so have pages with pictures in them. What is larger is named
 * as not read. Of a page with more text than a parser has memory for, its facts say so.
 */
export const MAX_BYTES = 16 * 1_048_576;
