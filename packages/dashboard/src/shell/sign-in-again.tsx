import { Dialog } from '../parts/dialog.tsx';
import { text } from '../text.ts';
import { currentPath } from './address.ts';
import { SignInForm } from './sign-in-form.tsx';
import { goOn } from './watch-session.ts';

/** On top of the page: no typed text is lost. */
export function SignInAgain() {
  return (
    <Dialog title={text.shell.ended} mayClose={false} onClose={() => {}}>
      <div class="body">
        <p>{text.shell.endedHint}</p>
        <SignInForm next={currentPath()} onSignedIn={goOn} />
      </div>
    </Dialog>
  );
}
