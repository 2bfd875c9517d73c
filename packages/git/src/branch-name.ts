import { branchNameProblem } from '@docent/base/branch-name';
import { RepositoryProblem } from './repository-problem.ts';

/** Throws RepositoryProblem `branch_invalid`. */
export function assertBranchName(name: string): void {
  const problem = branchNameProblem(name);
  if (problem) {
    throw new RepositoryProblem(
      'branch_invalid',
      `${JSON.stringify(name.slice(0, 100))} is not a branch name: ${problem}.`,
    );
  }
}

/** Git stores `docs` as a file, so `docs/x` cannot exist beside it. Throws `branch_prefix_taken`. */
export function mustHaveRoomFor(prefix: string, branches: { has(name: string): boolean }): void {
  const parts = prefix.split('/');
  const taken = parts.map((_part, index) => parts.slice(0, index + 1).join('/')).find((name) => branches.has(name));
  if (taken === undefined) return;
  throw new RepositoryProblem(
    'branch_prefix_taken',
    `The repository has a branch "${taken}", so git cannot create branches named "${prefix}/…". Choose ` +
      `another branch prefix for the project (\`docent project update <project> --branch-prefix PREFIX\`), ` +
      'or rename that branch.',
  );
}
