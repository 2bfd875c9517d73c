/** A file that came with a message of the job, as tools know it. */
export interface AttachedFile {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  /** The id that git gives to its content. */
  blobId: string;
  /** The whole text of a file that a call refers to; null for an image, and for files without a call. */
  text: string | null;
}
