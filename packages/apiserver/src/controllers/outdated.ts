import { isConflict, isNotFound, type ReconcileContext, type ReconcileFunction, type ReconcileRequest } from 'steersman'

/**
 * A reconcile for which it is no failure that an object changed or went away since it was read from the cache: the event of that
 * change will reconcile again. The requeue is for an event that does not come.
 */
export function retryingOutdated(reconcile: ReconcileFunction): ReconcileFunction {
  return async (request: ReconcileRequest, context: ReconcileContext) => {
    try {
      return await reconcile(request, context)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      context.log.debug('What was read is out of date', { error: String(error) })
      return { requeueAfterMs: 1000 }
    }
  }
}
