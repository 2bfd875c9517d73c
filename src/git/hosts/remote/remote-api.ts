/** A pull or merge request as its host shows it. */
export interface RemotePullRequest {
  /** What its URL ends with: `number`, or GitLab's `iid`. */
  number: number;
  link: string;
  state: 'open' | 'merged' | 'closed';
  title: string;
  body: string;
  isDraft: boolean;
  headCommit: string;
  mergeCommit: string | null;
}

export interface RemoteRepository {
  /** Its web URL, which may be another than the one asked for: after a rename. */
  url: string;
  defaultBranch: string | null;
  /** What stands in the way of pushing and of pull requests, in sentences. Empty if nothing. */
  problems: string[];
}

/**
 * What Docent needs of a code host's API. One implementation per kind; each turns the host's answers into these shapes and its
 * errors into HostProblem, and decides nothing else. `repo` is a path below the host's URL: `org/repo`, `group/sub/repo`.
 */
export interface RemoteApi {
  /** User and password for git over HTTP. */
  gitLogin(repo: string): Promise<{ username: string; password: string }>;
  /** Whose credential it is, and what it lacks whatever the repository. */
  account(): Promise<{ name: string; problems: string[] }>;
  /** Throws HostProblem `repository_missing` where it is not, or not visible. */
  repository(repo: string): Promise<RemoteRepository>;
  /**
   * What opening a pull request would be refused for; empty where it would not, or where that cannot be told. Opens none.
   * @param base a branch that exists
   */
  pullRequestProblems(repo: string, base: string): Promise<string[]>;
  /** All with this head branch in this very repository, in all states. `known` is the number that ours had last. */
  findByHead(repo: string, at: { head: string; base: string; known: number | null }): Promise<RemotePullRequest[]>;
  /** Null if the head branch has one already. */
  create(
    repo: string,
    input: { head: string; base: string; title: string; body: string; draft: boolean },
  ): Promise<RemotePullRequest | null>;
  updateBody(repo: string, number: number, body: string): Promise<RemotePullRequest>;
  /** Adds the labels that the repository has; answers the others. */
  addLabels(repo: string, number: number, labels: readonly string[]): Promise<string[]>;
  /** Asks those who can be asked; answers the others. */
  addReviewers(repo: string, number: number, reviewers: readonly string[]): Promise<string[]>;
  /** Merges if the head is still this commit; answers the merge commit. Throws HostRefusal. */
  merge(repo: string, number: number, input: { headCommit: string; title: string }): Promise<string>;
  close(repo: string, number: number): Promise<void>;
}
