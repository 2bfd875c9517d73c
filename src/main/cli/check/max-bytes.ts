import { pageFormatOf } from '../../../docs-site/read/page-format.ts';

/** A parser takes some 500 times a page's length of memory. */
const PAGE = 1_048_576;
/** Navigations of large sites have megabytes, and are read once. */
const CONFIGURATION = 16 * 1_048_576;

/** Bytes of a file that are read. What is larger is named as not read. */
export function maxBytesOf(name: string): number {
  return pageFormatOf(name) === null ? CONFIGURATION : PAGE;
}
