import type { NewFile } from '../../store/analytics-manifest.ts';
import { ofFamily } from '../storage/tables.ts';

/** The numbers of shards. */
export const shardNumbers = (shards: number): number[] => Array.from({ length: shards }, (_, shard) => shard);

/** Condition of SQL that holds for the visitors of a shard. Ids are hashes: slices of visitors go by their high bits, shards by the low ones. */
export const isOfShard = (shard: number, shards: number): string => `visitor % ${shards} = ${shard}`;

/**
 * Files of presence in which visitors of a shard may be. A file that is of no shard may hold any: none but an older build writes such a
 * one beside shards.
 */
export const presenceOfShard = <F extends Pick<NewFile, 'family' | 'shard'>>(
  files: readonly F[],
  shard: number | null,
): F[] => ofFamily(files, 'presence').filter((file) => shard === null || file.shard === null || file.shard === shard);
