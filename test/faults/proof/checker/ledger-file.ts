/**
 * What whoever loads a cluster writes down of it, and the checker holds against what is there: a file of
 * JSON. Here and in the files beside it, nothing of Docent's own code is used: see `.dependency-cruiser.mjs`.
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
  /** What a client would complain of, in sentences. */
  complaints: string[];
}

/** A job that was answered with 201. */
export interface LedgerJob {
  id: string;
  /** A question changes nothing. */
  kind: 'change' | 'question';
  page: string;
  /** What was acknowledged, in this order: the prompt, and the title of the section that it asks for. */
  messages: { prompt: string; title: string }[];
  /** `refused`: the merge was answered with 409. */
  merge: 'none' | 'merged' | 'refused';
}

/** An automation, and what was acknowledged for it. Its jobs are previews: they push nothing. */
export interface LedgerAutomation {
  id: string;
  trigger: 'webhook' | 'api' | 'schedule' | 'code';
  /** When its creation was acknowledged: ISO 8601. */
  createdAt: string;
  /** The ids of deliveries that were answered with 202. */
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

/** What is wrong, and how much was looked at. */
export interface Findings {
  wrong: string[];
  looked: Record<string, number>;
}
