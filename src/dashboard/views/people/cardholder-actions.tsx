import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { Cardholder } from '../../data/response-types.ts';
import {
  decideSubmission,
  openCardholderForm,
  openRejectionForm,
  openSubmissionForm,
} from '../../forms/cardholders.ts';
import { openCardForm } from '../../forms/cards.ts';
import { openForm } from '../../ui/form.tsx';
import { Button } from '../../ui/panel.tsx';

/** The actions that the state of a cardholder allows. */
export function CardholderActions({ row }: { readonly row: Cardholder }) {
  const { state } = row.kyc;
  return (
    <div class="actions">
      {(state === 'not_submitted' || state === 'rejected') && (
        <Button tone="primary" icon="send" onClick={() => openSubmissionForm(row)}>
          {state === 'rejected' ? 'Submit again' : 'Submit KYC'}
        </Button>
      )}
      {state === 'in_flight' && (
        <>
          <Button tone="primary" icon="check" onClick={() => decideSubmission(row.id, 'approve')}>
            Approve KYC
          </Button>
          <Button icon="close" onClick={() => decideSubmission(row.id, 'reject')}>
            Reject KYC
          </Button>
          <Button onClick={() => openRejectionForm(`/cardholders/${row.id}/kyc/reject`)}>
            Reject with a reason
          </Button>
        </>
      )}
      {row.status === 'active' && state === 'approved' && (
        <Button tone="primary" icon="card" onClick={() => void openCardForm(row)}>
          Issue card
        </Button>
      )}
      {(row.kycSource === 'idp1' || row.kycSource === 'idp2') && (
        <Button
          icon="again"
          title="Send the same external id with a new share token"
          onClick={() => void openCardholderForm(row)}
        >
          Re-import
        </Button>
      )}
      {row.status !== 'closed' && <StatusActions row={row} />}
    </div>
  );
}

function StatusActions({ row: { id, status } }: { readonly row: Cardholder }) {
  const isActive = status === 'active';
  const setStatus = (next: Cardholder['status']) =>
    control('POST', `/cardholders/${id}/status`, { status: next });
  return (
    <>
      <Button
        onClick={() =>
          void withToast(isActive ? 'Cardholder suspended' : 'Cardholder reactivated', () =>
            setStatus(isActive ? 'suspended' : 'active'),
          )
        }
      >
        {isActive ? 'Suspend' : 'Reactivate'}
      </Button>
      <Button
        onClick={() =>
          openForm({
            title: 'Close the cardholder',
            intro: 'Closing is final. A closed cardholder cannot be re-imported, submitted or issued a card.',
            submit: 'Close cardholder',
            isDangerous: true,
            run: () => setStatus('closed'),
          })
        }
      >
        Close
      </Button>
    </>
  );
}
