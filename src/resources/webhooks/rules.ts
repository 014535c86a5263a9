/** What is wrong with a webhook URL; null when nothing is. `allowHttp` lets http:// pass besides https://. */
export function webhookUrlProblem(text: string, allowHttp: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an absolute https:// URL';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'must use https://; start the sandbox with --allow-http-webhooks to use http:// in tests';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return null;
}
