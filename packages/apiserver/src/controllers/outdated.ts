import { isConflict, isNotFound, type ReconcileContext, type ReconcileFunction, type ReconcileRequest } from 'steersman'
import { isNamespaceTerminating } from 'steersman/api'

/**
 * A reconcile for which it is no failure that an object changed or went away since it was read from the cache: the event of that
 * change will reconcile again. The requeue is for an event that does not come. Nor is it one that a namespace takes nothing new because it is being
 * deleted: the reconciled object will go with it.
 */
export function retryingOutdated(reconcile: ReconcileFunction): ReconcileFunction {
  return async (request: ReconcileRequest, context: ReconcileContext) => {
    try {
      return await reconcile(request, context)
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined
      if (!isConflict(error) && !isNotFound(error)) throw error
      context.log.debug('What was read is out of date', { error: String(error) })
      return { requeueAfterMs: 1000 }
    }
  }
}
