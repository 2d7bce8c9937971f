import { isConflict, type ReconcileContext, type ReconcileFunction, type ReconcileRequest } from 'steersman'

/**
 * A reconcile for which a Conflict is no failure: somebody changed an object that was read from the cache, and the event of that change
 * will reconcile again. The requeue is for an event that does not come.
 */
export function retryingConflicts(reconcile: ReconcileFunction): ReconcileFunction {
  return async (request: ReconcileRequest, context: ReconcileContext) => {
    try {
      return await reconcile(request, context)
    } catch (error) {
      if (!isConflict(error)) throw error
      context.log.debug('Read state was out of date', { error: String(error) })
      return { requeueAfterMs: 1000 }
    }
  }
}
