/**
 * The load generator's record of a cluster, which the checker compares with its data: a file of JSON. Here
 * and in the files beside it, nothing of Docent's own code is used: see `.dependency-cruiser.mjs`.
 */
export interface LedgerFile {
  projectId: string;
  jobs: LedgerJob[];
  automations: LedgerAutomation[];
  /** When the load ended: ISO 8601. */
  endedAt: string;
  /** Page views that were acknowledged, by path. */
  views: Record<string, number>;
  /** How many visitors each path had. */
  visitorsOf: Record<string, number>;
  /** Of the whole site. */
  visitors: number;
  answers: LedgerAnswer[];
  /** A client's complaints, in sentences. */
  complaints: string[];
}

/** A job that was answered with 201. */
export interface LedgerJob {
  id: string;
  /** A question changes nothing. */
  kind: 'change' | 'question';
  page: string;
  /** The acknowledged prompts in order, with the title of the requested section. */
  messages: { prompt: string; title: string }[];
  /** `refused`: the merge was answered with 409. */
  merge: 'none' | 'merged' | 'refused';
}

/** An automation, and its acknowledged events. Its jobs are previews: they push nothing. */
export interface LedgerAutomation {
  id: string;
  trigger: 'webhook' | 'api' | 'schedule' | 'code' | 'readers';
  /** When its creation was acknowledged: ISO 8601. */
  createdAt: string;
  /** The ids of deliveries that were answered with 202; for `readers`, the pages of their feedback. */
  deliveries: string[];
  /** The jobs of calls that were answered with 201. */
  jobs: string[];
}

/** All answers that look the same. */
export interface LedgerAnswer {
  method: string;
  /** As in the contract. */
  route: string;
  status: number;
  /** Of an error. */
  code: string | null;
  /** Whether `Retry-After` was there. */
  hasRetryAfter: boolean;
  /** Whether an error has a sentence, a code and a request id. */
  isWhole: boolean;
  times: number;
}

/** The problems, and the number of checked items. */
export interface Findings {
  wrong: string[];
  looked: Record<string, number>;
}
