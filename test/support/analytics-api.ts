import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import type { ClaimChecks } from '@docent/access-log/agents/check-claim';
import { Analytics } from '../../src/analytics/analytics.ts';
import type { ApiConfig } from '../../src/api/api-config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { startTestApi, type TestApi } from './api-server.ts';
import type { TestDatabase } from './stack.ts';

export interface AnalyticsApi {
  api: TestApi;
  folder: string;
  /** Of the API. */
  analytics: Analytics;
  /** Another one on the same folder and database, as another process has it. */
  openAnother(): Promise<Analytics>;
  close(): Promise<void>;
}

/** The real API with page views on its own folder. */
export async function startAnalyticsApi(
  options: { config?: Partial<ApiConfig>; root?: string; database?: TestDatabase; claims?: ClaimChecks } = {},
): Promise<AnalyticsApi> {
  const folder = options.root ?? (await mkdtemp(path.join(tmpdir(), 'docent-analytics-api-')));
  const opened: { analytics: Analytics; database: Database }[] = [];
  const open = async (url: string) => {
    const database = openDatabase(url);
    const log = createLogger({ level: 'fatal', name: 'analytics' });
    const analytics = await Analytics.open({
      database,
      folder: new AnalyticsFolder(folder),
      log,
      sealAfterMs: 200,
      ...(options.claims ? { claims: options.claims } : {}),
    });
    opened.push({ analytics, database });
    return analytics;
  };
  const api = await startTestApi({
    config: options.config ?? {},
    ...(options.database ? { database: options.database } : {}),
    deps: async ({ url }) => ({ analytics: await open(url) }),
  });
  return {
    api,
    folder,
    analytics: opened[0]!.analytics,
    openAnother: () => open(api.database.url),
    async close() {
      for (const { analytics, database } of opened) {
        await analytics.close();
        await database.close();
      }
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
