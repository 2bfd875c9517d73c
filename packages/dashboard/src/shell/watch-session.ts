import { useEffect } from 'preact/hooks';
import { api, answerOf, onSignInOrOut } from '../api/client.ts';
import { connection } from '../api/connection.ts';
import { session, type Caller } from '../api/session.ts';
import { BASE } from './address.ts';

const EVERY_MS = 15_000;
/** To the other tabs, even from the sign-in page. */
const others = new BroadcastChannel(`docent-session ${BASE}`);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
onSignInOrOut(() => others.postMessage(null));

/**
 * Notices that the session has ended, or that the server is down, even on pages without their own requests:
 * every 15 seconds while the page is visible, when it becomes visible again, and as soon as another tab signs
 * in or out.
 */
export function useSessionWatch(): void {
  useEffect(() => {
    const onMessage = () => void refresh(true);
    others.addEventListener('message', onMessage);
    const checkIfSeen = () => {
      if (document.visibilityState === 'visible' && !connection.isLost.peek()) void refresh();
    };
    document.addEventListener('visibilitychange', checkIfSeen);
    const timer = setInterval(checkIfSeen, EVERY_MS);
    return () => {
      others.removeEventListener('message', onMessage);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', checkIfSeen);
    };
  }, []);
}

/** @param isChanged whether someone may have signed in since */
async function refresh(isChanged = session.hasEnded.peek()): Promise<void> {
  try {
    // Public: it answers, and counts as no use of the session.
    const { signedIn } = await answerOf(api.GET('/v1/sign-in'));
    if (session.caller.peek()?.kind !== 'person') return;
    if (!signedIn) session.ended();
    else if (isChanged) goOn(await answerOf(api.GET('/v1/me')));
  } catch {
    // A lost connection and an ended session have shown themselves by now; all else is asked again.
  }
}

/**
 * Continues as the person signed in now. For another person everything starts over, without the previous data
 * and drafts.
 */
export function goOn(who: Caller): void {
  const before = session.caller.peek();
  if (before && idOf(before) !== idOf(who)) {
    sessionStorage.clear();
    location.reload();
    return;
  }
  const wasSignedOut = session.hasEnded.peek();
  if (wasSignedOut || JSON.stringify(before) !== JSON.stringify(who)) session.began(who);
  if (wasSignedOut) connection.healed.value += 1;
}

function idOf({ kind, person }: Caller): string {
  return `${kind} ${person?.id ?? ''}`;
}
