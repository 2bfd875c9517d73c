/** A file that came with a message of the job, as tools know it. */
export interface AttachedFile {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  /** The id that git gives to its content. */
  blobId: string;
  /** The whole text of one that a call means; null for an image, and for what no call means. */
  text: string | null;
}
