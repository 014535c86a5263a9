import { KYC_STATES } from '../../data/enumerations.ts';
import { cardholders } from '../../data/records.ts';
import type { Cardholder } from '../../data/response-types.ts';
import { openCardholderForm } from '../../forms/cardholders.ts';
import { recordView } from '../../paging/browse-records.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { nameOf } from '../../ui/format.ts';
import { TwoLines } from '../../ui/list.tsx';
import { PEOPLE_TABS } from '../tabs.ts';
import { CardholderDetail } from './cardholder.tsx';

export const cardholdersView = recordView<Cardholder>({
  name: 'cardholders',
  title: 'Cardholders',
  icon: 'people',
  key: 'p',
  tabs: PEOPLE_TABS,
  list: cardholders,
  columns: [
    {
      title: 'Cardholder',
      width: 'minmax(0, 2fr)',
      cell: row => <TwoLines main={nameOf(row)} sub={row.email} />,
    },
    {
      title: 'External id',
      width: 'minmax(0, 1fr)',
      hideWhen: 'narrow',
      cell: row => <code>{row.externalUserId}</code>,
    },
    { title: 'Source', width: '64px', hideWhen: 'narrow', cell: row => row.kycSource },
    { title: 'KYC', width: '132px', cell: row => <StateBadge state={row.kyc.state} /> },
    { title: 'Status', width: '108px', hideWhen: 'narrow', cell: row => <StateBadge state={row.status} /> },
    timeColumn('Created', row => row.createdAt),
  ],
  states: { parameter: 'kycState', all: KYC_STATES },
  create: { label: 'Create cardholder', run: () => openCardholderForm() },
  source: 'Issue a share token and create a cardholder with it, here or from your app.',
  Detail: CardholderDetail,
});
