import { parseHttpUrl } from '../../kernel/values/url.ts';

/** What is wrong with a webhook URL; null when nothing is. `allowHttp` lets http:// pass besides https://. */
export function webhookUrlProblem(text: string, allowHttp: boolean): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return 'must be an absolute https:// URL';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'must use https://; start the sandbox with --allow-http-webhooks to use http:// in tests';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
}
