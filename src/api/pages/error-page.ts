import type { AppError } from '../../platform/errors.ts';
import { statusOf } from '../contract/error-status.ts';
import { markup } from './html.ts';
import { page } from './layout.ts';

const TITLES: Record<number, string> = {
  400: 'Not understood',
  401: 'Not allowed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not found',
  409: 'Not possible now',
  503: 'Not available now',
};

/** @param homePath of this server's first page, as browsers see it */
export function errorPage(error: AppError, requestId: string, homePath: string): string {
  const title = TITLES[statusOf(error)] ?? 'Error';
  return page(
    title,
    markup`<h1>${title}</h1>
<p class="banner bad">${error.message}</p>
${error.errors.slice(1).map(({ message }) => markup`<p class="banner bad">${message}</p>`)}
<p class="soft">Code <code>${error.code}</code>, request <code>${requestId}</code>. <a href="${homePath}">What runs here</a></p>`,
  );
}
