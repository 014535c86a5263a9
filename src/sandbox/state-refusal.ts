import { ApiError, assumed, badRequest } from '../core/operation/errors.ts';
import { StateBusyError, StateError, StateSyntaxError } from './state/document/state-error.ts';

/** Throws the refusal of a state document that cannot be loaded, and any other error as it is. */
export function toApiError(error: unknown): never {
  if (error instanceof StateError) throw badRequest(assumed('state'), `body: ${error.message}`);
  if (error instanceof StateSyntaxError) throw badRequest(assumed('invalid-input'), `body: ${error.message}`);
  if (error instanceof StateBusyError) throw new ApiError(503, assumed('state'), error.message);
  throw error;
}
