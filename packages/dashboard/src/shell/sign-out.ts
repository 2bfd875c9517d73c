import { api, answerOf } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { toast } from '../parts/toast.tsx';
import { to } from './routes.ts';

/** Ends the session at the server, then leaves everything that was shown. */
export async function signOut(): Promise<void> {
  try {
    await answerOf(api.POST('/v1/sign-out', { body: {} }));
    sessionStorage.clear();
    location.assign(to.signIn());
  } catch (thrown) {
    toast(problemOf(thrown).message);
  }
}
