/**
 * A process that moves page views into a bucket until it dies at a fault point. Its orders come as JSON in
 * the first argument.
 */
import { moveFolder } from '../../src/analytics/storage/open-bucket.ts';
import { armFault } from '../../src/platform/faults.ts';
import { openDatabase } from '../../src/store/database.ts';
import { bucketSettings } from './bucket-settings.ts';

export interface MoveOrders {
  databaseUrl: string;
  root: string;
  bucket: { url: string; endpoint: string };
  fault: string;
}

const { databaseUrl, root, bucket, fault } = JSON.parse(process.argv[2] ?? '{}') as MoveOrders;
armFault(fault);
await moveFolder(openDatabase(databaseUrl), root, bucketSettings(bucket), { waitMs: 0 });
process.exit(0);
