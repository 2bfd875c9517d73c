import { ButtonLink } from '../parts/button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { to } from '../shell/routes.ts';
import { text } from '../text.ts';

export default function NotFound() {
  return (
    <Page title={text.common.notFound}>
      <Empty title={text.common.notFoundHint} action={<ButtonLink to={to.home()}>{text.common.toHome}</ButtonLink>} />
    </Page>
  );
}
