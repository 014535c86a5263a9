import { parseHttpUrl } from '../../kernel/values/url.ts';

/** Returns what is wrong with a webhook URL, or null when it is valid. `allowHttp` allows http:// too. */
export function webhookUrlProblem(text: string, allowHttp: boolean): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return 'must be an absolute https:// URL';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'must use https://; start the sandbox with --allow-http-webhooks to use http:// in tests';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
}
