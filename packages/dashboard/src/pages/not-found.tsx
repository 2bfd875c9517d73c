import { ButtonLink } from '../parts/button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { to } from '../shell/routes.ts';
import { words } from '../words.ts';

export default function NotFound() {
  return (
    <Page title={words.common.notFound}>
      <Empty title={words.common.notFoundHint} action={<ButtonLink to={to.home()}>{words.common.toHome}</ButtonLink>} />
    </Page>
  );
}
