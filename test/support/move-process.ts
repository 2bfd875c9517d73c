/** A process that moves page views into a bucket until it dies at a fault point: `node … DATABASE ROOT BUCKET ENDPOINT FAULT`. */
import { moveFolder } from '../../src/analytics/storage/open-bucket.ts';
import { armFault } from '../../src/platform/faults.ts';
import { openDatabase } from '../../src/store/database.ts';
import { bucketSettings } from './bucket-settings.ts';

const [databaseUrl = '', root = '', url = '', endpoint = '', fault = ''] = process.argv.slice(2);
armFault(fault);
await moveFolder(openDatabase(databaseUrl), root, bucketSettings({ url, endpoint }), { waitMs: 0 });
process.exit(0);
