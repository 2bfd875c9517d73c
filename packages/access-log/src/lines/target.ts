import type { SharedValue } from '../shared-value.ts';
import type { ViewFormat } from '../event-kind.ts';
import type { ReferrerHost } from '../pages/referrer-host.ts';

/** Why a request is not a page view. */
export type NoView = 'method' | 'redirect' | 'error' | 'asset' | 'part' | 'prefetch' | 'no_page';

export interface SeenPage {
  readonly kind: 'view' | 'not-found';
  readonly path: SharedValue<string>;
  readonly format: ViewFormat;
  /** The reader's source in the address, for requests without a referrer. */
  readonly source: ReferrerHost;
}

export type Seen = SeenPage | NoView;

/** The kind of a request for a path or URL, whatever its status. */
export type Target =
  | {
      readonly view: SeenPage;
      readonly missing: SeenPage;
      /** The kind of a POST: null if the path is not an endpoint of the Model Context Protocol. */
      readonly mcp: SeenPage | null;
    }
  | NoView;
