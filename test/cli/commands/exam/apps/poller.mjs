// Without webhooks: submits a user, polls until KYC is decided, and keeps a copy of all cards.
import { check, createClient, openPlace, pause } from './place.mjs';

const place = await openPlace(() => 404);
const call = createClient(place);
const created = await call(
  'POST',
  '/cardholders',
  attempt => ({
    ...{ externalUserId: 'user_1', email: 'one@example.com', phoneNumber: '+4915123456789' },
    ...{ kycSource: 'idp1', idp1ShareToken: `idp1_test_approve_poller_${attempt}` },
  }),
  async () => (await call('GET', '/cardholders?externalUserId=user_1')).body.data[0],
);
const { id } = created.body;
const { data: programs } = (await call('GET', '/card-programs')).body;
const cardProgramId = programs[0].id;
await call('POST', `/cardholders/${id}/kyc`, () => ({ cardProgramId }));
let person = created.body;
for (let round = 0; person.kycStatus === 'pending' && round < 400; round += 1) {
  person = (await call('GET', `/cardholders/${id}`)).body;
  const { mode } = await place.control('GET', '/clock');
  if (mode === 'frozen') await place.control('POST', '/clock/advance', { duration: '1s' });
  else await pause(50);
}
check(person.kycStatus === 'approved', `KYC is ${person.kycStatus}`);
const cards = async query => (await call('GET', `/cards?${query}`)).body;
await call(
  'POST',
  '/cards',
  () => ({
    cardholderId: id,
    cardProgramId,
    nameOnCard: `${person.firstName} ${person.lastName}`.slice(0, 20),
  }),
  async () => (await cards(`cardholderId=${id}`)).data[0],
);
const copy = [];
for (let page = 1; page === 1 || copy.length < (await cards('limit=1')).total; page += 1)
  copy.push(...(await cards(`limit=10&page=${page}`)).data);
check(copy.length >= 1, 'no card was copied');
await place.close();
