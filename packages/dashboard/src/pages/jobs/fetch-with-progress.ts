import { connection } from '../../api/connection.ts';
import { Problem } from '../../api/problem.ts';
import { text } from '../../text.ts';

/**
 * `fetch` for one request with a body and upload progress, which `fetch` itself lacks.
 * @param onProgress called with 0 to 100
 */
export function fetchWithProgress(onProgress: (percent: number) => void): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await request.blob();
    return new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open(request.method, request.url);
      request.headers.forEach((value, name) => sending.setRequestHeader(name, value));
      sending.responseType = 'blob';
      sending.upload.addEventListener('progress', ({ loaded, total }) =>
        onProgress(Math.floor((100 * loaded) / Math.max(1, total))),
      );
      sending.addEventListener('load', () => {
        connection.reached();
        const headers = new Headers();
        for (const line of sending.getAllResponseHeaders().trim().split(/\r?\n/)) {
          const at = line.indexOf(':');
          if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
        }
        resolve(new Response(sending.response as Blob, { status: sending.status, headers }));
      });
      sending.addEventListener('error', () => {
        void connection.check();
        reject(new Problem(text.shell.lost, { code: 'unreachable' }));
      });
      sending.send(body);
    });
  };
}
